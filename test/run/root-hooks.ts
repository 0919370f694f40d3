/**
 * Hooks of every test file: an unhandled rejection fails the current test, and the hooks print the reasons of skipped
 * tests, because mocha's workers do not pass a test's context to the reporter.
 */
import { styleText } from 'node:util';

function rethrow(reason: unknown): never {
  throw reason;
}

function testsOf(suite: Mocha.Suite): readonly Mocha.Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

function reasonOf(test: Mocha.Test): string {
  const reason: unknown = test.ctx?.['skipReason'];
  return typeof reason === 'string' ? reason : 'no reason given';
}

export const mochaHooks = {
  beforeAll(): void {
    // Mocha's workers take all listeners away after each file.
    if (!process.listeners('unhandledRejection').includes(rethrow)) {
      process.on('unhandledRejection', rethrow);
    }
  },
  afterAll(this: Mocha.Context): void {
    const root = this.test?.parent;
    const skipped = root === undefined ? [] : testsOf(root).filter((test) => test.isPending());
    for (const [reason, tests] of Map.groupBy(skipped, reasonOf)) {
      process.stdout.write(styleText('cyan', `  Skipped ${tests.length}: ${reason}\n`));
    }
  },
};
