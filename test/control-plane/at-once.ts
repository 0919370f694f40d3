/**
 * Runs tests side by side that mostly wait, for servers, processes or time, and that share nothing. A few run at a
 * time, each fails independently, and none outlives its suite.
 */
import { parseArgs } from 'node:util';
import { Limiter } from '@tandem/runtime';

/** Declares a test, as `it` does. */
type DeclareTest = (title: string, run: () => Promise<void>) => void;

/**
 * For the body of a `describe`, instead of mocha's `it`. The first test that runs starts all of them, in the order of
 * their declaration. Each test then waits for its own outcome.
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

/** Mocha does not pass the pattern of its command line to tests. */
function isAskedFor(test: Mocha.Test): boolean {
  const options = { grep: { type: 'string', short: 'g' } } as const;
  const { grep } = parseArgs({ args: process.argv.slice(2), options, strict: false }).values;
  return typeof grep !== 'string' || new RegExp(grep).test(test.fullTitle());
}
