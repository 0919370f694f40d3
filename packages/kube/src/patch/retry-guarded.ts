/**
 * Retries after a failed guard: reads the live object instead of the cache, plans again and writes again, a
 * few times in a row. If another writer keeps changing the object, the caller tries again later.
 */
import type { PatchOutcome } from './patch-outcome.ts';

export interface GuardedWrite<Live, Plan> {
  /** What the cache has, for the first attempt; read live when left out. */
  readonly seen?: Live;
  /** A live read; `undefined` when the object is gone. */
  readonly read: () => Promise<Live | undefined>;
  /** Decides what to write; `undefined` when nothing is to be done. */
  readonly plan: (live: Live) => Plan | undefined;
  readonly apply: (plan: Plan) => Promise<PatchOutcome>;
}

export type GuardedOutcome = PatchOutcome | { readonly kind: 'nothingToDo' };

/** Attempts at once, the first included. */
export const guardedAttemptsMax = 5;

export async function retryGuarded<Live, Plan>(
  write: GuardedWrite<Live, Plan>,
): Promise<GuardedOutcome> {
  let live = write.seen ?? (await write.read());
  for (let attempts = 1; ; attempts++) {
    if (live === undefined) return { kind: 'gone' };
    const plan = write.plan(live);
    if (plan === undefined) return { kind: 'nothingToDo' };
    const outcome = await write.apply(plan);
    if (outcome.kind !== 'guardFailed' || attempts === guardedAttemptsMax) return outcome;
    live = await write.read();
  }
}
