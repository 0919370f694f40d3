/**
 * Shows a suite's progress to people and reports every test to the runner. Failures come last and
 * in full, as mocha prints them, so that they are what remains on the screen.
 */
import { relative } from 'node:path';
import { styleText } from 'node:util';
import Mocha from 'mocha';
import type { Message } from '../protocol.ts';
import { fileLine, type FileTally, type TestEnd } from './file-line.ts';
import { describeSkipped, type SkippedTest } from './skipped.ts';

export interface ReporterOptions {
  readonly root: string;
  readonly progress: 'files' | 'titles';
  readonly send: (message: Message) => void;
}

/** Mocha constructs its reporter itself, so what it needs to know is bound here. */
export function suiteReporter(options: ReporterOptions): Mocha.ReporterConstructor {
  return class SuiteReporter extends Mocha.reporters.Base {
    readonly #skipped: SkippedTest[] = [];
    #current: FileTally | undefined;

    constructor(runner: Mocha.Runner, mochaOptions: Mocha.MochaOptions) {
      super(runner, mochaOptions);
      runner.on('pass', (test) => this.#onTest(test, 'passed'));
      runner.on('fail', (test) => this.#onTest(test, 'failed'));
      runner.on('pending', (test) => this.#onTest(test, 'skipped'));
      runner.on('end', () => this.#onEnd());
    }

    #onTest(test: Mocha.Runnable, kind: TestEnd): void {
      const file = relative(options.root, test.file ?? '');
      if (this.#current?.file !== file) this.#startFile(file);
      // An error from outside of the test, a rejection that nobody handles, comes early or late:
      // mocha then reports both, and the failure counts.
      const before = this.#current?.tests.get(test)?.kind;
      if (before === 'failed') return;
      if (before === 'passed') options.send({ kind: 'revoked' });
      options.send(kind === 'failed' ? { kind, what: whatFailed(test) } : { kind });
      this.#current?.tests.set(test, { kind, durationMs: test.duration ?? 0 });
      if (kind === 'skipped') this.#skipped.push({ file, test });
      // A failure is shown at once: it may be minutes until the suite has ended.
      if (options.progress === 'titles' || kind === 'failed')
        writeLine(`  ${titleLine(test, kind)}`);
    }

    #startFile(file: string): void {
      this.#finishFile();
      this.#current = { file, tests: new Map() };
      if (options.progress === 'titles') writeLine(file);
    }

    #finishFile(): void {
      if (this.#current && options.progress === 'files') writeLine(fileLine(this.#current));
    }

    #onEnd(): void {
      this.#finishFile();
      for (const line of describeSkipped(this.#skipped)) writeLine(line);
      if (this.failures.length > 0) Mocha.reporters.Base.list(this.failures);
    }
  };
}

function whatFailed(test: Mocha.Runnable): 'test' | 'hook' {
  return test instanceof Mocha.Hook ? 'hook' : 'test';
}

function titleLine(test: Mocha.Runnable, kind: TestEnd): string {
  const title = test.titlePath().join(' › ');
  const durationMs = test.duration ?? 0;
  switch (kind) {
    case 'passed':
      return `✔ ${title}${durationMs > test.slow() ? styleText('yellow', ` ${durationMs} ms`) : ''}`;
    case 'failed':
      return styleText('red', `✘ ${title}`);
    case 'skipped':
      return styleText('cyan', `- ${title}`);
    default:
      return kind satisfies never;
  }
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
