/** One line of progress for a whole test file, for suites with many quick tests. */
import { styleText } from 'node:util';

export type TestEnd = 'passed' | 'failed' | 'skipped';

export interface FileTally {
  readonly file: string;
  /** Keyed by mocha's own object, because titles may be the same twice. */
  readonly tests: Map<object, { readonly kind: TestEnd; readonly durationMs: number }>;
}

export function fileLine(tally: FileTally): string {
  const tests = [...tally.tests.values()];
  const count = (kind: TestEnd): number => tests.filter((test) => test.kind === kind).length;
  const parts = [
    `${count('passed')} passed`,
    ...(count('failed') > 0 ? [styleText('red', `${count('failed')} failed`)] : []),
    ...(count('skipped') > 0 ? [styleText('cyan', `${count('skipped')} skipped`)] : []),
  ];
  const durationMs = tests.reduce((sum, test) => sum + test.durationMs, 0);
  if (durationMs > slowFileMs) parts.push(styleText('yellow', `${durationMs} ms`));
  const mark = count('failed') > 0 ? styleText('red', '✘') : '✔';
  return `${mark} ${tally.file}  ${parts.join(', ')}`;
}

/** The unit suite is to stay under 10 s; a file that takes this long is worth a look. */
const slowFileMs = 500;
