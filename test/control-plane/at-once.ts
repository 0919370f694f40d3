/**
 * Scenes that mostly wait, for servers, processes and times that pass, and share nothing: they run
 * beside each other, a few at a time, and each is a test of its own that fails alone. None outlives its
 * suite.
 */
import { parseArgs } from 'node:util';
import { Limiter } from '@tandem/runtime';

/** Declares a scene as a test. */
export type DeclareScene = (title: string, run: () => Promise<void>) => void;

/**
 * For the body of a `describe`, in mocha's place. The first of them that is to run begins all that are, in
 * the order in which they are declared; every test then waits for its own.
 */
export function scenesAtOnce(atOnce: number): DeclareScene {
  const few = new Limiter({ concurrency: atOnce });
  const scenes: { readonly test: Mocha.Test; readonly begin: () => Promise<void> }[] = [];
  const toRun = (): typeof scenes => scenes.filter(({ test }) => isAskedFor(test));
  let isBegun = false;
  after(async () => {
    if (isBegun) await Promise.allSettled(toRun().map(({ begin }) => begin()));
  });
  return (title, run) => {
    let running: Promise<void> | undefined;
    const begin = (): Promise<void> => (running ??= few.run(run));
    const test = it(title, async () => {
      isBegun = true;
      // The test of each tells of its failure, when it comes to that.
      for (const scene of toRun()) scene.begin().catch(() => undefined);
      await begin();
    });
    scenes.push({ test, begin });
  };
}

/** Mocha tells no test of the pattern on its command line. */
function isAskedFor(test: Mocha.Test): boolean {
  const options = { grep: { type: 'string', short: 'g' } } as const;
  const { grep } = parseArgs({ args: process.argv.slice(2), options, strict: false }).values;
  return typeof grep !== 'string' || new RegExp(grep).test(test.fullTitle());
}
