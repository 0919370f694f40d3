/**
 * Objects with a time to live, which are events. There is no timer: the next read removes
 * what has expired, and clients cannot see the difference.
 */
import type { Collection } from '../store/index.ts';

export class Expiry {
  /** In the order in which they expire, because all live equally long after their last write. */
  readonly #expiresAtMs = new Map<string, number>();

  written(key: string, expiresAtMs: number): void {
    this.#expiresAtMs.delete(key);
    this.#expiresAtMs.set(key, expiresAtMs);
  }

  removeExpired(collection: Collection, nowMs: number): void {
    for (const [key, expiresAtMs] of this.#expiresAtMs) {
      if (expiresAtMs > nowMs) return;
      this.#expiresAtMs.delete(key);
      collection.remove(key);
    }
  }
}
