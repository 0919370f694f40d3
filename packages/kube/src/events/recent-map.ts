/**
 * A map of recently used values. It forgets a value some time after its last use, and the least recently
 * used values first if there are too many. It is always bounded (M6).
 */
import type { Clock } from '@tandem/runtime';

export interface RecentMapOptions<Value> {
  readonly clock: Clock;
  readonly idleMsMax: number;
  readonly sizeMax: number;
  /** Whether a value must not be forgotten now. */
  readonly isHeld?: (value: Value) => boolean;
}

interface Entry<Value> {
  readonly value: Value;
  readonly usedMs: number;
}

/** How many of the oldest entries each use checks. Each use adds at most one entry. */
const looksPerUse = 4;

export class RecentMap<Value> {
  readonly #options: RecentMapOptions<Value>;
  /** In the order of use, the longest unused first. */
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: RecentMapOptions<Value>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Does not count as a use. */
  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** The value of the key, created if there is none. It becomes the most recently used one. */
  use(key: string, make: () => Value): Value {
    this.#forgetSome();
    const known = this.#entries.get(key);
    const value = known === undefined || this.#isForgotten(known) ? make() : known.value;
    this.#putLast(key, value);
    return value;
  }

  values(): Value[] {
    return [...this.#entries.values()].map(({ value }) => value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  #forgetSome(): void {
    let looks = 0;
    for (const [key, entry] of this.#entries) {
      if (++looks > looksPerUse) return;
      const isTooMany = this.#entries.size >= this.#options.sizeMax;
      if (!isTooMany && !this.#isIdle(entry)) return;
      if (this.#isHeld(entry)) this.#putLast(key, entry.value);
      else this.#entries.delete(key);
    }
  }

  /** Whether the entry has expired and only awaits its removal. */
  #isForgotten(entry: Entry<Value>): boolean {
    return this.#isIdle(entry) && !this.#isHeld(entry);
  }

  #isIdle({ usedMs }: Entry<Value>): boolean {
    return this.#options.clock.monotonic() - usedMs > this.#options.idleMsMax;
  }

  #isHeld({ value }: Entry<Value>): boolean {
    return this.#options.isHeld?.(value) === true;
  }

  #putLast(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, usedMs: this.#options.clock.monotonic() });
  }
}
