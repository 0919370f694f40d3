/**
 * Judges what a suite's mocha process left behind: what counts as passed, failed and skipped, and
 * which failures only the runner can see, each with what to do about it. Pure.
 */
import type { Suite } from './suites.ts';
import type { SuiteOutcome } from './suite-run.ts';

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Failures that are not a test's, one sentence or more each; counted in `failed`. */
  readonly problems: readonly string[];
  /** What people should know beside that. */
  readonly notes: readonly string[];
}

export interface Circumstances {
  readonly suite: Suite;
  /** With a pattern on the command line, files and suites may well have nothing to run. */
  readonly isGrepped: boolean;
  /** The signal with which a person ended the run. */
  readonly interruptedBy: NodeJS.Signals | undefined;
}

export function judge(outcome: SuiteOutcome, circumstances: Circumstances): Verdict {
  const { suite, isGrepped } = circumstances;
  const { passed, skipped } = outcome;
  const missing = isGrepped ? 0 : countMissing(outcome);
  const notes =
    missing > 0 ? [`Tests of the ${suite.name} suite that did not run: ${missing}`] : [];
  const problems = [
    ...outcome.unloadable.map((file) => `${file} does not load; the error is above.`),
    ...(isGrepped ? [] : emptyFiles(outcome)),
    ...endProblems(outcome, circumstances),
  ];
  const ran = passed + outcome.failed + skipped;
  if (ran === 0 && problems.length === 0 && !isGrepped) problems.push(ranNothing(suite));
  const failed = outcome.failed + problems.length;
  // Nothing that is known to have failed explains why they did not run.
  if (failed === 0 && missing > 0)
    return { passed, failed: 1, skipped, problems: notes, notes: [] };
  return { passed, failed, skipped, problems, notes };
}

/** A suite that finds no file runs nothing, and what runs nothing proves nothing. */
export function suiteWithoutFiles(suite: Suite): Verdict {
  return onlyProblems([ranNothing(suite)]);
}

/** Test files that no suite runs are failures of the run as a whole. */
export function lostFiles(problems: readonly string[]): Verdict {
  return onlyProblems(problems);
}

/** A pattern that matches no test in any suite is most likely misspelt. */
export function patternWithoutTest(): Verdict {
  return onlyProblems(['No test has a title that matches the pattern.']);
}

function onlyProblems(problems: readonly string[]): Verdict {
  return { passed: 0, failed: problems.length, skipped: 0, problems, notes: [] };
}

function ranNothing(suite: Suite): string {
  return `The ${suite.name} suite ran nothing. Its tests lie in ${suite.patterns.join(', ')}.`;
}

/** After a failed hook mocha leaves out the tests that it is for; after a late error, the rest. */
function countMissing(outcome: SuiteOutcome): number {
  const { passed, failed, failedHooks, skipped } = outcome;
  const declared = [...outcome.declared.values()].reduce((sum, tests) => sum + tests, 0);
  return declared - passed - (failed - failedHooks) - skipped;
}

function emptyFiles({ declared, unloadable }: SuiteOutcome): string[] {
  return [...declared]
    .filter(([file, tests]) => tests === 0 && !unloadable.includes(file))
    .map(([file]) => `${file} declares no test. Give it one, or remove the file.`);
}

function endProblems(outcome: SuiteOutcome, circumstances: Circumstances): string[] {
  const { exit, isComplete, lingering } = outcome;
  const name = circumstances.suite.name;
  if (circumstances.interruptedBy !== undefined) {
    return [`The ${name} suite was interrupted by ${circumstances.interruptedBy}.`];
  }
  const how = typeof exit === 'number' ? `with exit code ${exit}` : `by ${exit}`;
  if (!isComplete) {
    return [
      `The mocha process of the ${name} suite ended ${how} before its last test. ` +
        'A test or the code under test called process.exit, crashed or ran out of memory.',
    ];
  }
  if (lingering !== undefined) {
    const open = lingering.length > 0 ? lingering.join(', ') : 'unknown, as it did not answer';
    return [
      `The mocha process of the ${name} suite did not end after its last test and was killed. ` +
        `A test leaves something open (${open}). Close it in an after hook.`,
    ];
  }
  // The process ends with 1 for failed tests, so only a code that they do not explain is news.
  const expected = outcome.failed > 0 ? 1 : 0;
  return exit === expected
    ? []
    : [`The mocha process of the ${name} suite ended ${how} after its last test.`];
}
