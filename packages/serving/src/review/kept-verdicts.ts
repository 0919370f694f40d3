/**
 * Keeps the verdicts of reviews for a short time, under the hash of their question. Good and bad verdicts are kept apart, so
 * that a flood of bad ones does not push out the good. Callers with the same question share one review. Each caller waits
 * as long as it wants to, and the review continues for the others.
 */
import { createHash } from 'node:crypto';
import { type Clock, withDeadline } from '@tandem/runtime';
import { ExpiringCache } from './expiring-cache.ts';

interface KeptVerdictsOptions<T> {
  readonly clock: Clock;
  /** How long each kind is kept. With 0, it is not kept at all. */
  readonly goodTtlMs: number;
  readonly badTtlMs: number;
  readonly isGood: (verdict: T) => boolean;
  readonly onLookup?: (status: 'hit' | 'miss') => void;
}

/**
 * The maximum number of verdicts, far more than one manager has clients. Callers without rights can send any number of
 * different requests, whose verdicts must not fill the memory.
 */
const entriesMax = 1_000;

export class KeptVerdicts<T> {
  readonly #options: KeptVerdictsOptions<T>;
  readonly #good: ExpiringCache<{ readonly verdict: T }>;
  readonly #bad: ExpiringCache<{ readonly verdict: T }>;
  readonly #flights = new Map<string, Promise<T>>();

  constructor(options: KeptVerdictsOptions<T>) {
    const { clock, goodTtlMs, badTtlMs } = options;
    this.#options = options;
    this.#good = new ExpiringCache({ clock, ttlMs: goodTtlMs, entriesMax });
    this.#bad = new ExpiringCache({ clock, ttlMs: badTtlMs, entriesMax });
  }

  /** Rejects as `ask` does, or after `limitMs`. A rejection is not a verdict and is not kept. */
  async on(
    question: string,
    { limitMs, ask }: { readonly limitMs: number; readonly ask: () => Promise<T> },
  ): Promise<T> {
    const { clock, onLookup } = this.#options;
    const key = createHash('sha256').update(question).digest('base64');
    const known = this.#good.get(key) ?? this.#bad.get(key);
    onLookup?.(known === undefined ? 'miss' : 'hit');
    if (known !== undefined) return known.verdict;
    const flight = this.#flights.get(key) ?? this.#start(key, ask);
    return withDeadline({ clock, limitMs }, () => flight);
  }

  #start(key: string, ask: () => Promise<T>): Promise<T> {
    const flight = this.#ask(key, ask).finally(() => this.#flights.delete(key));
    // All callers may have left by the time it fails.
    flight.catch(() => undefined);
    this.#flights.set(key, flight);
    return flight;
  }

  async #ask(key: string, ask: () => Promise<T>): Promise<T> {
    const verdict = await ask();
    (this.#options.isGood(verdict) ? this.#good : this.#bad).set(key, { verdict });
    return verdict;
  }
}
