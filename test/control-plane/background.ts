/**
 * Tests that take long start their work in one test file and await it in another, so that other tests run meanwhile.
 * A hook that stops a control plane at the end of a run waits for all such work first, because the file that awaits
 * it may not be part of the run.
 */
const running = new Set<Promise<unknown>>();

/** Makes the end of the run wait for the work, and returns the work. */
export function inBackground<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
  // The test that awaits the work reports its failure.
  const ended = work.catch(() => undefined);
  running.add(ended);
  void ended.then(() => running.delete(ended));
  return work;
}

/** For a hook that comes last: resolves when all of the work has ended. */
export async function backgroundEnded(hook: Mocha.Context): Promise<void> {
  hook.timeout(backgroundMsMax);
  await Promise.all(running);
}

/** Longer than any of the work takes. */
const backgroundMsMax = 5 * 60_000;
