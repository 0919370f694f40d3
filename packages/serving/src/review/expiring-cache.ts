/**
 * A cache whose answers expire, with a limit on their number. A full cache drops its oldest answer, so that a client
 * with many different requests cannot fill the memory.
 */
import type { Clock } from '@tandem/runtime';

export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #entriesMax: number;
  readonly #entries = new Map<string, { readonly value: T; readonly untilMs: number }>();

  constructor({ clock, ttlMs, entriesMax }: { clock: Clock; ttlMs: number; entriesMax: number }) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#entriesMax = entriesMax;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#clock.monotonic() < entry.untilMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T): void {
    if (this.#ttlMs <= 0) return;
    this.#entries.delete(key);
    this.#entries.set(key, { value, untilMs: this.#clock.monotonic() + this.#ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#entriesMax) return;
      this.#entries.delete(oldest);
    }
  }

  get size(): number {
    return this.#entries.size;
  }
}
