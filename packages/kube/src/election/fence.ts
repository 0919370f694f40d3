/**
 * The fence around a leader's writes (E1). A socket asks it before it takes a write, and it answers from
 * the clocks, never from a timer: a process that was suspended finds the fence closed before any of its
 * timers fires. Time counts from the *sending* of the last confirmed renewal, because no other process
 * can count from an earlier moment.
 */
import { CcmError, type Clock, type Instant, instantOf, type Retry } from '@tandem/runtime';

/** A write that was not sent because this process may not be the leader. */
export class NotLeadingError extends CcmError {
  constructor(message: string, retry: Retry) {
    super(message, { code: 'NotLeading', retry, effect: 'none' });
  }
}

/** How far wall clock and monotonic clock may diverge before another renewal is required. */
export const clockJumpMsMax = 5_000;

export class Fence {
  readonly #clock: Clock;
  readonly #renewDeadlineMs: number;
  #renewedAt: Instant | undefined;

  constructor({ clock, renewDeadlineMs }: { clock: Clock; renewDeadlineMs: number }) {
    this.#clock = clock;
    this.#renewDeadlineMs = renewDeadlineMs;
  }

  /** Admits writes until the renew deadline of a renewal that was sent then. */
  open(sentAt: Instant): void {
    this.#renewedAt = sentAt;
  }

  close(): void {
    this.#renewedAt = undefined;
  }

  /** Milliseconds on the monotonic clock until the renew deadline; 0 when closed. */
  remainingMs(): number {
    if (this.#renewedAt === undefined) return 0;
    const elapsedMs = this.#clock.monotonic() - this.#renewedAt.monotonicMs;
    return Math.max(this.#renewDeadlineMs - elapsedMs, 0);
  }

  /** The time since the last good renewal was sent. */
  ageMs(): number | undefined {
    if (this.#renewedAt === undefined) return undefined;
    return this.#clock.monotonic() - this.#renewedAt.monotonicMs;
  }

  /** Why a write must not go out now; `undefined` when it may. */
  refusal(): NotLeadingError | undefined {
    // The next leader repeats the work from what is stored (P7).
    if (this.#renewedAt === undefined) {
      return new NotLeadingError('This process does not hold the Lease', 'never');
    }
    const now = instantOf(this.#clock);
    const elapsedMs = now.monotonicMs - this.#renewedAt.monotonicMs;
    const wallElapsedMs = now.wallMs - this.#renewedAt.wallMs;
    if (elapsedMs >= this.#renewDeadlineMs) {
      return new NotLeadingError('This process did not renew the Lease in time', 'never');
    }
    // The next renewal resolves the cases below, unless another process holds the Lease by now.
    if (Math.abs(wallElapsedMs - elapsedMs) > clockJumpMsMax) {
      return new NotLeadingError(
        'The wall clock jumped after the last renewal of the Lease',
        'backoff',
      );
    }
    // A short suspension is not a jump, but its time has passed for other processes.
    if (wallElapsedMs >= this.#renewDeadlineMs) {
      return new NotLeadingError(
        'The renew deadline of the Lease has passed on the wall clock',
        'backoff',
      );
    }
    return undefined;
  }
}
