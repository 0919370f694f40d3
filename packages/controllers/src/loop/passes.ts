/**
 * Runs a controller in passes over all nodes, a period apart: for decisions that need many nodes at once.
 * Pauses have jitter, because fleets of clusters share one cloud account.
 */
import { type Clock, type Random, sleep } from '@tandem/runtime';

const jitter = 0.1;

export interface PassesOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly periodMs: number;
  readonly pass: (signal: AbortSignal) => Promise<void>;
}

/** Rejects with the signal's reason, or as a pass does. */
export async function runPasses(options: PassesOptions, signal: AbortSignal): Promise<never> {
  const { clock, random, periodMs, pass } = options;
  for (;;) {
    await pass(signal);
    await sleep(clock, periodMs * (1 + jitter * random.next()), signal);
  }
}
