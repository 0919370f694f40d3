/**
 * Leaves a cloud alone that asked for it or is in trouble. `Retry-After` is kept to; calls that fail
 * without one close the gate for a back-off that grows with every failure in a row. Without it, five
 * thousand nodes with a back-off each would make thousands of small calls to a cloud that is down.
 */
import type { CcmError, Clock, Random } from '@tandem/runtime';
import { LookupError } from './failure.ts';

const backOffMsMin = 500;
const backOffMsMax = 30_000;

export class CallGate {
  readonly #clock: Clock;
  readonly #random: Random;
  #failures = 0;
  #closedUntilMs = 0;
  #reason: CcmError | undefined;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The error that a question gets while the gate is closed. */
  refusal(provider: string): CcmError | undefined {
    const afterMs = this.#closedUntilMs - this.#clock.monotonic();
    if (this.#reason === undefined || afterMs <= 0) return undefined;
    const message = `${provider} is not asked again before ${Math.ceil(afterMs / 1_000)} s have passed`;
    return new LookupError('CloudThrottled', message, { retry: { afterMs }, cause: this.#reason });
  }

  /** A call succeeded: what failed before is forgotten, but a wait that was asked for is kept to. */
  succeeded(): void {
    this.#failures = 0;
  }

  failed(failure: CcmError): void {
    this.#failures++;
    const { retry } = failure;
    const waitMs = typeof retry === 'object' ? retry.afterMs : this.#backOffMs();
    const untilMs = this.#clock.monotonic() + waitMs;
    if (untilMs <= this.#closedUntilMs) return;
    this.#closedUntilMs = untilMs;
    this.#reason = failure;
  }

  #backOffMs(): number {
    const fullMs = Math.min(backOffMsMin * 2 ** (this.#failures - 1), backOffMsMax);
    return fullMs * (0.5 + this.#random.next() / 2);
  }
}
