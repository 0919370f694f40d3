/**
 * Renews credentials after a refusal. Azure may refuse a token before it expires, when a role or a session was revoked,
 * and Entra ID refuses a secret that was rotated. The SDK would send the same token or secret again, so the provider
 * reads the credentials again and makes new clients. It does so at most every 30 seconds, because every refused call
 * asks for it, and Azure may refuse the new tokens as well.
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
