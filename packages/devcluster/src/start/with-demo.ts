/** Runs a demo while other work runs, and ends it however that work ends. */
import { type Clock, withDeadline } from '@tandem/runtime';

interface DemoRun {
  readonly clock: Clock;
  /** Ends everything early. */
  readonly stop: AbortSignal;
  /** Runs until its signal aborts. It ends earlier only by failing, and then everything fails. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Work that has not ended by then is abandoned, because the process is about to end. */
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
