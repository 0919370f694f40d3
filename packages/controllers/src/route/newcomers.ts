/**
 * Tracks nodes that appeared recently and cannot have routes yet. They are probably being initialised, and a pass that
 * waits for them can send more changes in one batch. The pass waits for each node only for a limited time, so a node
 * that never gets podCIDRs or an instance delays the others only once.
 */
import type { Clock } from '@tandem/runtime';

export class Newcomers {
  readonly #clock: Clock;
  readonly #awaitedForMs: number;
  /** The time until which a pass waits for each node, by UID, oldest first. */
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock, awaitedForMs: number) {
    this.#clock = clock;
    this.#awaitedForMs = awaitedForMs;
  }

  appeared(uid: string): void {
    this.#untilMs.set(uid, this.#clock.monotonic() + this.#awaitedForMs);
  }

  /** Stops waiting for a node that can have routes now or was deleted. */
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
