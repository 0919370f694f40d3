/**
 * What is known of things that were mentioned lately: forgotten some time after it was last used, and
 * the longest unused first where there is too much of it. Bounded whatever happens (M6).
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

/** How many of the oldest are looked at with each use; each use adds at most one. */
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

  /** Looks without using. */
  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** The value of the key, made where there is none; it is now the one used last. */
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

  /** Whether the entry has expired and only waits for its removal. */
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
