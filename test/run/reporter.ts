/**
 * The reporter of `npm test`: titles as tests end, then mocha's own epilogue. It tells the program that
 * started mocha how many tests passed, failed and were skipped, for the closing line of all suites.
 */
import { styleText } from 'node:util';
import Mocha from 'mocha';

/** Sent once to the program that started mocha, when all tests have ended. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The files, as absolute paths, of which a test or hook was reported. */
  readonly files: readonly string[];
}

/** Both ends belong to the same program, so that one field identifies the message. */
export function isCounts(message: unknown): message is Counts {
  return typeof message === 'object' && message !== null && 'passed' in message;
}

/** The default export, because mocha takes no other. */
export default class Reporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const showsAll = Object(options.reporterOptions).titles === 'all';
    const files = new Set<string>();
    const passed = new Set<string>();
    const failed = new Set<string>();
    runner.on('pass', (test) => {
      files.add(test.file ?? '');
      passed.add(placeOf(test));
      const isSlow = test.speed !== 'fast' && test.speed !== undefined;
      const duration = isSlow ? styleText('yellow', ` ${test.duration} ms`) : '';
      if (showsAll || test.speed === 'slow') print(`  ✔ ${titleOf(test)}${duration}`);
    });
    runner.on('fail', (test) => {
      files.add(test.file ?? '');
      failed.add(placeOf(test));
      print(styleText('red', `  ✘ ${titleOf(test)}`));
    });
    runner.on('pending', (test) => {
      files.add(test.file ?? '');
      print(styleText('cyan', `  - ${titleOf(test)}`));
    });
    // Mocha's parallel mode stops its workers itself. Otherwise the running test may finish.
    if (options.parallel !== true) process.once('SIGINT', () => runner.abort());
    runner.on('end', () => {
      this.epilogue();
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      // A test that an error from outside hits, early or late, is reported as both.
      const both = [...passed].filter((place) => failed.has(place)).length;
      const counts: Counts = {
        passed: passes - both,
        failed: failures,
        skipped: pending,
        files: [...files],
      };
      process.send?.(counts);
    });
  }
}

function placeOf(test: Mocha.Runnable): string {
  return `${test.file} ${titleOf(test)}`;
}

function titleOf(test: Mocha.Runnable): string {
  return test.titlePath().join(' › ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
