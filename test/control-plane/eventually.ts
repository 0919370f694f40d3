/**
 * Waits for a condition without sleeping for a guessed time: polls until the condition holds, and fails with the last
 * error when it never does.
 */
import { sleep, systemClock } from '@tandem/runtime';

/** Calls `probe` until it neither throws nor returns `undefined` or `false`, and returns its result. */
export async function eventually<Found>(
  probe: () => Promise<Found> | Found,
  { withinMs = 20_000 }: { withinMs?: number } = {},
): Promise<Exclude<Found, undefined | false>> {
  const deadline = systemClock.monotonic() + withinMs;
  for (;;) {
    const outcome = await attempt(probe);
    if (outcome.kind === 'found') return outcome.value;
    if (systemClock.monotonic() > deadline) {
      throw new Error(`Not so within ${withinMs} ms`, { cause: outcome.err });
    }
    await sleep(systemClock, pollMs);
  }
}

type Outcome<Found> =
  | { readonly kind: 'found'; readonly value: Exclude<Found, undefined | false> }
  | { readonly kind: 'not yet'; readonly err?: unknown };

async function attempt<Found>(probe: () => Promise<Found> | Found): Promise<Outcome<Found>> {
  try {
    const value = await probe();
    return isFound(value) ? { kind: 'found', value } : { kind: 'not yet' };
  } catch (err) {
    return { kind: 'not yet', err };
  }
}

function isFound<Found>(value: Found): value is Exclude<Found, undefined | false> {
  return value !== undefined && value !== false;
}

const pollMs = 25;
