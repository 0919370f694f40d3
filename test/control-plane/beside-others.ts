/**
 * Scenes that begin in one file and are waited for in another, so that their waiting costs nobody time.
 * Whoever stops what they stand on at the end of a run waits for them first: the file that waits for
 * them may not have been asked for.
 */
const begun = new Set<Promise<unknown>>();

/** Has the end of the run wait for a scene, however it ends, and gives it back. */
export function besideOthers<Outcome>(scene: Promise<Outcome>): Promise<Outcome> {
  // Whoever waits for it is told of its failure; whoever does not need not be.
  const over = scene.catch(() => undefined);
  begun.add(over);
  void over.then(() => begun.delete(over));
  return scene;
}

/** For a hook that comes last: resolves when none of them runs any more. */
export async function scenesOver(hook: Mocha.Context): Promise<void> {
  hook.timeout(scenesMsMax);
  await Promise.all(begun);
}

/** Longer than any of them takes. */
const scenesMsMax = 5 * 60_000;
