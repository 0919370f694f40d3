/**
 * Azure may refuse a token before its time, when a role or a session was revoked, and Entra ID a secret that
 * was rotated. The SDK would send the same again, so that credentials are read and clients made again;
 * seldom, because every refused call says so, and new tokens may be refused as well.
 */
import type { Clock } from '@tandem/runtime';

const pauseMs = 30_000;

export class TokenRenewal {
  readonly #clock: Clock;
  readonly #forget: () => void;
  #renewedAtMs = -Infinity;

  constructor(clock: Clock, forget: () => void) {
    this.#clock = clock;
    this.#forget = forget;
  }

  renew(): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#renewedAtMs < pauseMs) return;
    this.#renewedAtMs = nowMs;
    this.#forget();
  }
}
