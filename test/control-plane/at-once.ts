/**
 * Scenes that mostly wait, for servers, processes and times that pass, and share nothing: they run
 * beside each other, a few at a time, and each is a test of its own that fails alone. None outlives its
 * suite.
 */
import { limiter } from '@tandem/runtime';

/** Declares a scene as a test. */
export type DeclareScene = (title: string, run: () => Promise<void>) => void;

/**
 * For the body of a `describe`, in mocha's place. The first of them that is to run begins them all, in
 * the order in which they are declared; every test then waits for its own.
 */
export function scenesAtOnce(atOnce: number): DeclareScene {
  const few = limiter({ concurrency: atOnce });
  const scenes: (() => Promise<void>)[] = [];
  let isBegun = false;
  after(async () => {
    if (isBegun) await Promise.allSettled(scenes.map((begun) => begun()));
  });
  return (title, run) => {
    let running: Promise<void> | undefined;
    const begun = (): Promise<void> => (running ??= few.run(run));
    scenes.push(begun);
    it(title, async () => {
      isBegun = true;
      // The test of each tells of its failure, when it comes to that.
      for (const scene of scenes) scene().catch(() => undefined);
      await begun();
    });
  };
}
