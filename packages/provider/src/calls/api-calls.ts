/**
 * How a provider calls the API of its cloud: within rates, under a deadline, and slower once the cloud has
 * refused a call for coming too often. Reads slow down first: one refusal slows every read for a minute, so
 * that what is left of the account's quota is there for writes. A write waits only for its own bucket. A
 * bucket that rests refuses calls without sending them, and says for how long, because the caller has a
 * queue and a back-off of its own. Each call is one attempt.
 */
import { type Clock, sleep, withDeadline } from '@tandem/runtime';
import { CallBucket, type Rate, restMs } from './call-bucket.ts';

export interface ApiCallsOptions {
  readonly clock: Clock;
  /** Buckets are kept for good, so that their names are few and constant. */
  readonly rateOf: (bucket: string) => Rate;
  /** How long one call may take once it is sent. Shorter than the deadline of a whole look-up. */
  readonly deadlineMs: number;
  /** Whether an error says that the cloud was called too often, and how long it asks to be left alone. */
  readonly readThrottling: (err: unknown) => Throttling | undefined;
}

export interface Throttling {
  readonly retryAfterMs?: number | undefined;
}

export interface ApiCall {
  /** What the cloud counts together: an action, or a type of resource and a direction. */
  readonly bucket: string;
  readonly isWrite: boolean;
  readonly signal: AbortSignal;
}

/** Nothing was sent: the bucket rests, because the cloud was called too often. */
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
   * Sends one call in its turn. Rejects with what `send` rejects with, with a `CallPausedError` where nothing
   * was sent, with a `DeadlineExceededError` where no answer came in time, or with the reason of the signal.
   * `send` is called right after the last check, so a gate for writes belongs at its beginning.
   */
  async run<T>(call: ApiCall, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const bucket = this.#bucketOf(call.bucket);
    const work = (): Promise<T> => this.#send(bucket, call, send);
    return bucket.wasThrottledLately() ? bucket.oneAtATime.run(work, call.signal) : work();
  }

  /** How long calls of a bucket are refused from now; 0 where they are not. */
  restsForMs(bucket: string): number {
    return this.#bucketOf(bucket).restsForMs();
  }

  /** The cloud says that few calls are left: the bucket has a quarter of its rate for a minute. */
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
