/**
 * A value that is read anew when it may have changed: from files that rotate, from a plug-in whose
 * answer expires. However many ask, one reading is under way at a time, and a failed one is not
 * repeated at once, so that an outage does not become a storm of reads.
 */
import type { Clock } from '@tandem/runtime';

export interface RefreshingOptions<T> {
  readonly clock: Clock;
  readonly load: () => Promise<T>;
  /** For how long a value needs no second look. */
  readonly freshMs: (value: T) => number;
  /** Whether an old value is better than none when it cannot be read anew. */
  readonly isOldGoodEnough: boolean;
}

/** After a failure, and between renewals that a server's refusals demand. */
const pauseMs = 10_000;

export class Refreshing<T> {
  readonly #options: RefreshingOptions<T>;
  #held: { readonly value: T; readonly freshUntilMs: number } | undefined;
  #failed: { readonly err: unknown; readonly untilMs: number } | undefined;
  #loading: Promise<T> | undefined;
  #nextRenewalMs = Number.NEGATIVE_INFINITY;

  constructor(options: RefreshingOptions<T>) {
    this.#options = options;
  }

  /** What needs no second look. */
  get fresh(): T | undefined {
    const held = this.#held;
    if (held === undefined) return undefined;
    return this.#options.clock.monotonic() < held.freshUntilMs ? held.value : undefined;
  }

  async get(): Promise<T> {
    const { clock, isOldGoodEnough } = this.#options;
    const nowMs = clock.monotonic();
    const held = this.#held;
    if (held !== undefined && nowMs < held.freshUntilMs) return held.value;
    try {
      if (this.#failed !== undefined && nowMs < this.#failed.untilMs) throw this.#failed.err;
      return await this.#load();
    } catch (err) {
      if (isOldGoodEnough && held !== undefined) return held.value;
      throw err;
    }
  }

  /** Reads anew now, unless that was just done for the same reason. */
  async renew(): Promise<T> {
    const nowMs = this.#options.clock.monotonic();
    if (nowMs < this.#nextRenewalMs) return this.get();
    this.#nextRenewalMs = nowMs + pauseMs;
    return this.#load();
  }

  #load(): Promise<T> {
    this.#loading ??= this.#loadOnce().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadOnce(): Promise<T> {
    const { clock, load, freshMs } = this.#options;
    try {
      const value = await load();
      this.#held = { value, freshUntilMs: clock.monotonic() + freshMs(value) };
      this.#failed = undefined;
      return value;
    } catch (err) {
      this.#failed = { err, untilMs: clock.monotonic() + pauseMs };
      throw err;
    }
  }
}
