/**
 * When each node was last seen to ask for other addresses, on the monotonic clock: a request is refused
 * for want of an address only on an answer that is younger (P3). A node that is seen for the first time
 * asks from then on.
 */
import type { Clock } from '@tandem/runtime';

export class RequestTimes {
  readonly #clock: Clock;
  readonly #changedAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#changedAtMs.size;
  }

  changed(uid: string): void {
    this.#changedAtMs.set(uid, this.#clock.monotonic());
  }

  changedAtMs(uid: string): number {
    return this.#changedAtMs.get(uid) ?? this.#clock.monotonic();
  }

  forget(uid: string): void {
    this.#changedAtMs.delete(uid);
  }
}
