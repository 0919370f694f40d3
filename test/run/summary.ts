/**
 * The end of a test run: the failures that are no test's, then, alone on the last line, the sum
 * that people and programs read.
 */
import { styleText } from 'node:util';
import type { Verdict } from './verdict.ts';

/** Prints the summary and gives the exit code of the run. */
export function sumUp(verdicts: readonly Verdict[], print: (line: string) => void): number {
  const total = totalOf(verdicts);
  print('');
  for (const problem of total.problems) print(`${styleText('red', `✘ ${problem}`)}\n`);
  for (const note of total.notes) print(`${note}\n`);
  print(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  return total.failed > 0 ? 1 : 0;
}

export function totalOf(verdicts: readonly Verdict[]): Verdict {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    verdicts.reduce((total, verdict) => total + verdict[key], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    problems: verdicts.flatMap((verdict) => verdict.problems),
    notes: verdicts.flatMap((verdict) => verdict.notes),
  };
}
