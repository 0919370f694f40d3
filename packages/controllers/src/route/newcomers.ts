/**
 * Nodes that appeared a short time ago and cannot have routes yet: they are probably being initialised, and a
 * pass that waits for them has more to send at once. A node that stays without podCIDRs or an instance is
 * awaited for that time only, so that it never holds up others twice.
 */
import type { Clock } from '@tandem/runtime';

export class Newcomers {
  readonly #clock: Clock;
  readonly #awaitedForMs: number;
  /** Until when each is awaited, by the UID of its node: the oldest first. */
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock, awaitedForMs: number) {
    this.#clock = clock;
    this.#awaitedForMs = awaitedForMs;
  }

  appeared(uid: string): void {
    this.#untilMs.set(uid, this.#clock.monotonic() + this.#awaitedForMs);
  }

  /** It may have routes now, or is gone. */
  settled(uid: string): void {
    this.#untilMs.delete(uid);
  }

  get areAwaited(): boolean {
    const nowMs = this.#clock.monotonic();
    for (const [uid, untilMs] of this.#untilMs) {
      if (untilMs > nowMs) break;
      this.#untilMs.delete(uid);
    }
    return this.#untilMs.size > 0;
  }
}
