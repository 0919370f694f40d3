/** `npm run check`: types, format, lint, structure and promises. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runSteps } from './run-steps.ts';
import { steps } from './steps.ts';

const usage = `Usage: npm run check

Checks types (tsc), format (oxfmt), lint (oxlint), structure (import direction, ports) and
promises (rules that are cited by number). All run, even when one fails; each failure says
what to do.

  --root DIR   check another tree
  --help       this text

Exit codes: 0 all is well, 1 a check failed, 2 the command line is wrong.`;

function refuse(message: string): number {
  console.error(`${message}\nTry npm run check -- --help.`);
  return 2;
}

async function main(): Promise<number> {
  const options = { root: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (err) {
    return refuse(err instanceof Error ? err.message : String(err));
  }
  if (values.help === true) {
    console.log(usage);
    return 0;
  }
  const root = resolve(values.root ?? join(import.meta.dirname, '..', '..'));
  if (!existsSync(root)) return refuse(`There is no folder ${root}.`);
  const print = (line: string): void => console.log(line);
  return runSteps(steps, { root, print, nowMs: () => performance.now() });
}

process.exitCode = await main();
