/**
 * Calls the API of a cloud within rates and under a deadline, and slows down when the cloud throttles. Reads slow down
 * first: one throttled call slows every read for a minute, which leaves the rest of the account's quota to writes. A
 * write waits only for its own bucket. A paused bucket refuses calls without sending them and says how long it pauses,
 * because the caller has a queue and a back-off of its own. Each call is one attempt.
 */
import { type Clock, sleep, withDeadline } from '@tandem/runtime';
import { CallBucket, type Rate, restMs } from './call-bucket.ts';

export interface ApiCallsOptions {
  readonly clock: Clock;
  /** Buckets are never removed, so their names must be few and constant. */
  readonly rateOf: (bucket: string) => Rate;
  /** The deadline of one call once it is sent. It is shorter than the deadline of a whole look-up. */
  readonly deadlineMs: number;
  /** Says whether an error means that the cloud throttles, and how long the cloud asks us to wait. */
  readonly readThrottling: (err: unknown) => Throttling | undefined;
}

export interface Throttling {
  readonly retryAfterMs?: number | undefined;
}

export interface ApiCall {
  /** The calls that the cloud limits together: an action, or a type of resource and a direction. */
  readonly bucket: string;
  readonly isWrite: boolean;
  readonly signal: AbortSignal;
}

/** The call was not sent, because the cloud throttles and the bucket pauses. */
export class CallPausedError extends Error {
  readonly bucket: string;
  readonly retryAfterMs: number;

  constructor(bucket: string, retryAfterMs: number) {
    super(`Waiting ${Math.ceil(retryAfterMs / 1_000)} s before calling ${bucket} again`);
    this.name = 'CallPausedError';
    this.bucket = bucket;
    this.retryAfterMs = retryAfterMs;
  }
}

export class ApiCalls {
  readonly #options: ApiCallsOptions;
  readonly #buckets = new Map<string, CallBucket>();
  #readsAreSlowUntilMs = -Infinity;

  constructor(options: ApiCallsOptions) {
    this.#options = options;
  }

  /**
   * Sends one call when its turn comes. Rejects with the error of `send`, with a `CallPausedError` if nothing was sent,
   * with a `DeadlineExceededError` if no answer came in time, or with the signal's reason. Nothing happens between the
   * last check and `send`, so a gate for writes belongs at the beginning of `send`.
   */
  async run<T>(call: ApiCall, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const bucket = this.#bucketOf(call.bucket);
    const work = (): Promise<T> => this.#send(bucket, call, send);
    return bucket.wasThrottledLately() ? bucket.oneAtATime.run(work, call.signal) : work();
  }

  /** Returns how much longer the bucket refuses calls; 0 if it accepts them. */
  restsForMs(bucket: string): number {
    return this.#bucketOf(bucket).restsForMs();
  }

  /** Slows the bucket to a quarter of its rate for a minute, because the cloud says that few calls are left. */
  slowDown(bucket: string): void {
    this.#bucketOf(bucket).slowDown();
  }

  async #send<T>(
    bucket: CallBucket,
    call: ApiCall,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    await this.#takeTurn(bucket, call);
    const { clock, deadlineMs, readThrottling } = this.#options;
    const begunAtMs = clock.monotonic();
    try {
      return await withDeadline({ clock, limitMs: deadlineMs, signal: call.signal }, send);
    } catch (err) {
      const throttling = readThrottling(err);
      if (throttling !== undefined) {
        bucket.throttled(begunAtMs, throttling.retryAfterMs);
        this.#readsAreSlowUntilMs = clock.monotonic() + restMs;
      }
      throw err;
    }
  }

  async #takeTurn(bucket: CallBucket, { bucket: name, isWrite, signal }: ApiCall): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const restsForMs = bucket.restsForMs();
      if (restsForMs > 0) throw new CallPausedError(name, restsForMs);
      const areReadsSlow = clock.monotonic() < this.#readsAreSlowUntilMs;
      const isSlow = bucket.isSlow() || (areReadsSlow && !isWrite);
      const waitMs = bucket.waitMs({ isSlow });
      if (waitMs === 0) return bucket.take({ isSlow });
      await sleep(clock, waitMs, signal);
    }
  }

  #bucketOf(name: string): CallBucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const bucket = new CallBucket(this.#options.clock, this.#options.rateOf(name));
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
