/**
 * Pauses calls to a cloud that asks for it or fails. The gate obeys `Retry-After`. A call that fails without
 * one closes the gate for a back-off that grows with every failure in a row. Without the gate, five thousand
 * nodes with a back-off each would make thousands of small calls to a cloud that is down. For an urgent
 * question the back-off does not grow, because something has changed and a node waits for it.
 */
import {
  type Backoff,
  backoffDelayMs,
  type CcmError,
  type Clock,
  type Random,
} from '@tandem/runtime';
import { LookupError } from './failure.ts';
import type { AskPriority } from './question.ts';

const backoff: Backoff = { baseMs: 500, capMs: 30_000, jitter: 0.5 };

export class CallGate {
  readonly #clock: Clock;
  readonly #random: Random;
  #failures = 0;
  #closedUntilMs = 0;
  #closedToUrgentUntilMs = 0;
  #reason: CcmError | undefined;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the error for questions while the gate is closed. */
  refusal(provider: string, priority: AskPriority): CcmError | undefined {
    const untilMs = priority === 'urgent' ? this.#closedToUrgentUntilMs : this.#closedUntilMs;
    const afterMs = untilMs - this.#clock.monotonic();
    if (this.#reason === undefined || afterMs <= 0) return undefined;
    const message = `Waiting ${Math.ceil(afterMs / 1_000)} s before asking ${provider} again`;
    return new LookupError('CloudThrottled', message, { retry: { afterMs }, cause: this.#reason });
  }

  /** Records a successful call. It resets the back-off, but not a wait that the cloud asked for. */
  succeeded(): void {
    this.#failures = 0;
  }

  failed(failure: CcmError): void {
    this.#failures++;
    const { retry } = failure;
    const waitMs =
      typeof retry === 'object'
        ? retry.afterMs
        : backoffDelayMs(backoff, this.#failures, this.#random);
    const nowMs = this.#clock.monotonic();
    const untilMs = nowMs + waitMs;
    const urgentWaitMs = typeof retry === 'object' ? waitMs : Math.min(waitMs, backoff.baseMs);
    this.#closedToUrgentUntilMs = Math.max(this.#closedToUrgentUntilMs, nowMs + urgentWaitMs);
    if (untilMs <= this.#closedUntilMs) return;
    this.#closedUntilMs = untilMs;
    this.#reason = failure;
  }
}
