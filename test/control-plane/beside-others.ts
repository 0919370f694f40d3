/**
 * Stories that begin in one test file and are awaited in another, so that other tests run while they wait.
 * A hook that stops a control plane at the end of a run first waits for all of them: the file that awaits
 * a story may not be part of the run.
 */
const begun = new Set<Promise<unknown>>();

/** Makes the end of the run wait for a story, and returns the story. */
export function besideOthers<Outcome>(story: Promise<Outcome>): Promise<Outcome> {
  // The test that awaits the story reports its failure.
  const over = story.catch(() => undefined);
  begun.add(over);
  void over.then(() => begun.delete(over));
  return story;
}

/** For a hook that comes last: resolves when none of them runs any more. */
export async function storiesOver(hook: Mocha.Context): Promise<void> {
  hook.timeout(storiesMsMax);
  await Promise.all(begun);
}

/** Longer than any of them takes. */
const storiesMsMax = 5 * 60_000;
