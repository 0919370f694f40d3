/**
 * A value that is read again when it may have changed: rotated files, or the expiring answer of a
 * plug-in. Callers share one read at a time, and a failed read is repeated only after a growing pause.
 * While the current value is valid, a failed read fails no caller, and a hanging one delays callers only
 * briefly.
 */
import { type Clock, wholeBackoffMs, withDeadline } from '@tandem/runtime';

export interface RefreshingOptions<T> {
  readonly clock: Clock;
  /** `refused`: a server has just refused the current value. */
  readonly load: (why: 'stale' | 'refused') => Promise<T>;
  /** How long a value stays fresh. */
  readonly freshMs: (value: T) => number;
  /** How long a value may be used if it cannot be read again. */
  readonly goodMs: (value: T) => number;
  /** The minimum time between two reads after refusals. */
  readonly renewEveryMs: number;
  /** Notified of the result of each read after the first. */
  readonly telemetry: RefreshTelemetry;
}

export interface RefreshTelemetry {
  /** `isOldGood`: the current value is still valid. */
  failed(err: unknown, facts: { readonly isOldGood: boolean }): void;
  succeeded(): void;
}

/** The pause after a failure. */
const retryBackoff = { baseMs: 5_000, capMs: 30_000 };

/** How long callers wait for a new value while the old one is valid. Most reads take a moment. */
const patienceMs = 1_000;

interface Held<T> {
  readonly value: T;
  readonly freshUntilMs: number;
  readonly goodUntilMs: number;
}

export class Refreshing<T> {
  readonly #options: RefreshingOptions<T>;
  #held: Held<T> | undefined;
  #failed: { readonly err: unknown; readonly untilMs: number } | undefined;
  #failures = 0;
  #loading: { readonly sinceMs: number; readonly value: Promise<T> } | undefined;
  #renewing: Promise<T> | undefined;
  #nextRenewalMs = Number.NEGATIVE_INFINITY;

  constructor(options: RefreshingOptions<T>) {
    this.#options = options;
  }

  async get(): Promise<T> {
    const nowMs = this.#nowMs;
    const held = this.#held;
    if (held !== undefined && nowMs < held.freshUntilMs) return held.value;
    const isGood = held !== undefined && nowMs < held.goodUntilMs;
    if (this.#failed !== undefined && nowMs < this.#failed.untilMs) {
      if (isGood) return held.value;
      throw this.#failed.err;
    }
    const { sinceMs, value } = this.#load('stale');
    return isGood ? this.#unlessSlow(value, sinceMs + patienceMs - nowMs, held.value) : value;
  }

  /**
   * Reads again because a server refused the value, unless that was just done. All concurrent callers
   * share one read.
   */
  renew(): Promise<T> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<T> {
    if (this.#nowMs < this.#nextRenewalMs) return this.get();
    // A read that began before the refusal may return the refused value.
    await this.#loading?.value.catch(() => undefined);
    this.#nextRenewalMs = this.#nowMs + this.#options.renewEveryMs;
    return this.#load('refused').value;
  }

  /** The new value if it arrives in time, else the old one. The read continues. */
  async #unlessSlow(loading: Promise<T>, limitMs: number, old: T): Promise<T> {
    const settled = loading.catch(() => old);
    if (limitMs <= 0) return old;
    return withDeadline({ clock: this.#options.clock, limitMs }, () => settled).catch(() => old);
  }

  #load(why: 'stale' | 'refused'): { readonly sinceMs: number; readonly value: Promise<T> } {
    this.#loading ??= {
      sinceMs: this.#nowMs,
      value: this.#loadOnce(why).finally(() => {
        this.#loading = undefined;
      }),
    };
    return this.#loading;
  }

  async #loadOnce(why: 'stale' | 'refused'): Promise<T> {
    const { load, freshMs, goodMs, telemetry } = this.#options;
    try {
      const value = await load(why);
      const nowMs = this.#nowMs;
      if (this.#held !== undefined) telemetry.succeeded();
      this.#held = {
        value,
        freshUntilMs: nowMs + freshMs(value),
        goodUntilMs: nowMs + goodMs(value),
      };
      this.#failed = undefined;
      this.#failures = 0;
      return value;
    } catch (err) {
      const nowMs = this.#nowMs;
      this.#failures += 1;
      const pauseMs = wholeBackoffMs(retryBackoff, this.#failures);
      this.#failed = { err, untilMs: nowMs + pauseMs };
      const held = this.#held;
      // A failure to read the first value reaches its caller, who reports it.
      if (held !== undefined) telemetry.failed(err, { isOldGood: nowMs < held.goodUntilMs });
      throw err;
    }
  }

  get #nowMs(): number {
    return this.#options.clock.monotonic();
  }
}
