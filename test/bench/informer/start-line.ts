/**
 * How the manager is started where it ships: its file begins with a line that says so, for `env -S`.
 * What is measured is started in the same way.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface StartLine {
  /** Variables that are set for it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What Node.js is given before the program. */
  readonly flags: readonly string[];
}

export function shippedStartLine(): StartLine {
  const [line = ''] = readFileSync(manager, 'utf8').split('\n', 1);
  const words = line.replace(/^#!\/usr\/bin\/env -S /, '').split(' ');
  const node = words.indexOf('node');
  if (words.length === 1 || node < 0)
    throw new Error(`${manager} does not begin with env and node`);
  const settings = words.slice(0, node).map((word) => {
    const [name = '', ...value] = word.split('=');
    return [name, value.join('=')] as const;
  });
  return { environment: Object.fromEntries(settings), flags: words.slice(node + 1) };
}

const manager = join(import.meta.dirname, '../../../packages/manager/src/main.ts');
