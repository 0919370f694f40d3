/** Lets a demo run for as long as something else takes, and ends it whatever came of that. */
import { type Clock, withDeadline } from '@tandem/runtime';

interface DemoRun {
  readonly clock: Clock;
  /** Ends everything early. */
  readonly stop: AbortSignal;
  /** What runs until its signal aborts. It ends earlier only by failing, and then everything does. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** What has not ended by then is left behind: the process is about to end anyway. */
const endMsMax = 3_000;

export async function withDemo<T>(
  { clock, stop, run }: DemoRun,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  const running = run(signal);
  const failure = running.then(() => new Promise<never>(() => {}));
  try {
    return await Promise.race([work(signal), failure]);
  } finally {
    over.abort(new Error('The demo is over'));
    const ended = running.catch(() => undefined);
    await withDeadline({ clock, limitMs: endMsMax }, () => ended).catch(() => undefined);
  }
}
