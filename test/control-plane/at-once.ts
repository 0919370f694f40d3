/**
 * Tests that mostly wait, for servers, processes and time to pass, and that share nothing. They run
 * side by side, a few at a time, and each fails alone. None outlives its suite.
 */
import { parseArgs } from 'node:util';
import { Limiter } from '@tandem/runtime';

/** Declares a test, as `it` does. */
export type DeclareTest = (title: string, run: () => Promise<void>) => void;

/**
 * For the body of a `describe`, in place of mocha's `it`. The first test that runs begins all of them, in
 * the order of their declaration; each test then waits for its own outcome.
 */
export function testsAtOnce(atOnce: number): DeclareTest {
  const few = new Limiter({ concurrency: atOnce });
  const declared: { readonly test: Mocha.Test; readonly begin: () => Promise<void> }[] = [];
  const toRun = (): typeof declared => declared.filter(({ test }) => isAskedFor(test));
  let isBegun = false;
  after(async () => {
    if (isBegun) await Promise.allSettled(toRun().map(({ begin }) => begin()));
  });
  return (title, run) => {
    let running: Promise<void> | undefined;
    const begin = (): Promise<void> => (running ??= few.run(run));
    const test = it(title, async () => {
      isBegun = true;
      // Each test reports its own failure when mocha comes to it.
      for (const each of toRun()) each.begin().catch(() => undefined);
      await begin();
    });
    declared.push({ test, begin });
  };
}

/** Mocha tells no test of the pattern on its command line. */
function isAskedFor(test: Mocha.Test): boolean {
  const options = { grep: { type: 'string', short: 'g' } } as const;
  const { grep } = parseArgs({ args: process.argv.slice(2), options, strict: false }).values;
  return typeof grep !== 'string' || new RegExp(grep).test(test.fullTitle());
}
