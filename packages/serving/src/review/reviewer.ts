/**
 * Asks the API server for a review: a few tries within a time limit, a limit on concurrent reviews, and a log line when
 * reviews begin to fail and when they work again. The log has only the code of a failure, because a message may repeat the
 * request, and the request may contain a token.
 */
import {
  CcmError,
  type Clock,
  errorCodeOf,
  isRecord,
  Limiter,
  type Logger,
  sleep,
  withDeadline,
} from '@tandem/runtime';
import { ApiError, type KubeClient } from '@tandem/kube/client';
import type { ReviewMetrics } from '../serving-metrics.ts';

interface ReviewerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ReviewMetrics;
  /** The use of the reviews, for log messages. */
  readonly purpose: 'authenticate' | 'authorize';
}

/** The API server gave no review. The error carries a code and nothing of the request. */
export class ReviewFailedError extends CcmError {
  constructor(reason: string) {
    super(`the API server returned no review (${reason})`, {
      code: 'ReviewFailed',
      retry: 'backoff',
      effect: 'none',
    });
  }
}

/** The limit of all tries together, as in upstream's client. */
const limitMs = 10_000;

/** The first try notices a connection that broke while idle. The others bridge a restart of the API server. */
const triesMax = 4;
const retryDelayMs = 500;

/** How long reviews must succeed before the log says that they work again. */
const calmMs = 5_000;

/** The maximum number of concurrent reviews, so that many clients do not burden the API server. */
const concurrency = 16;
const waitingMax = 256;

export class Reviewer {
  readonly #options: ReviewerOptions;
  readonly #limiter: Limiter = new Limiter({ concurrency, waitingMax });
  #isFailing = false;
  #lastFailureMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReviewerOptions) {
    this.#options = options;
  }

  /** Returns the `status` of a review with this `spec`. Rejects with `ReviewFailedError`. */
  async review(spec: object): Promise<Readonly<Record<string, unknown>>> {
    const { clock } = this.#options;
    try {
      const status = await withDeadline({ clock, limitMs }, (signal) =>
        this.#limiter.run(() => this.#tryAll(spec, signal), signal),
      );
      this.#worked();
      return status;
    } catch (err) {
      this.#failed(err);
      throw new ReviewFailedError(reasonOf(err));
    }
  }

  async #tryAll(spec: object, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#try(spec, signal);
      } catch (err) {
        const isFinal = !(err instanceof CcmError) || err.retry === 'never' || tries >= triesMax;
        if (isFinal || signal.aborted) throw err;
        await sleep(this.#options.clock, retryDelayMs * tries, signal);
      }
    }
  }

  /** A review changes nothing, so a retry is safe whatever the outcome of the last try. */
  async #try(spec: object, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const { client, clock, metrics, purpose } = this.#options;
    const { resource } = reviews[purpose];
    const startMs = clock.monotonic();
    const ended = (code: string): void => metrics.ended(code, clock.monotonic() - startMs);
    try {
      const call = { verb: 'create', resource, body: { spec }, signal, retries: false } as const;
      const { status, body } = await client.call(call);
      ended(String(status));
      return statusIn(body);
    } catch (err) {
      if (!(err instanceof UnreadableReview)) ended(codeLabel(err));
      throw err;
    }
  }

  #failed(err: unknown): void {
    const { clock, logger, purpose } = this.#options;
    this.#lastFailureMs = clock.monotonic();
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { resource, failing } = reviews[purpose];
    const fields = { resource: resource.resource, reason: reasonOf(err), fix: fixFor(err) };
    logger.warn(fields, failing);
  }

  #worked(): void {
    const { clock, logger, purpose } = this.#options;
    // While some reviews fail and some succeed, the log stays silent.
    const isCalm = clock.monotonic() - this.#lastFailureMs >= calmMs;
    if (!this.#isFailing || !isCalm) return;
    this.#isFailing = false;
    const { resource, again } = reviews[purpose];
    logger.info({ resource: resource.resource }, again);
  }
}

const reviews = {
  authenticate: {
    resource: { group: 'authentication.k8s.io', version: 'v1', resource: 'tokenreviews' },
    failing: 'Cannot authenticate callers of the secure port: the API server returns no reviews',
    again: 'Callers of the secure port can be authenticated again',
  },
  authorize: {
    resource: { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' },
    failing: 'Cannot authorize callers of the secure port: the API server returns no reviews',
    again: 'Callers of the secure port can be authorized again',
  },
} as const;

/** The parser's own error quotes what it read, so it is not kept. */
class UnreadableReview extends CcmError {
  constructor() {
    super('the answer is not a review', {
      code: 'ReviewUnreadable',
      retry: 'never',
      effect: 'none',
    });
  }
}

function statusIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const review: unknown = JSON.parse(new TextDecoder().decode(body));
    if (isRecord(review) && isRecord(review['status'])) return review['status'];
  } catch {
    throw new UnreadableReview();
  }
  throw new UnreadableReview();
}

function reasonOf(err: unknown): string {
  if (err instanceof ApiError) return `${err.code} ${err.status.code}`;
  return errorCodeOf(err) ?? 'unknown error';
}

function fixFor(err: unknown): string | undefined {
  const isForbidden = err instanceof ApiError && err.status.code === 403;
  return isForbidden ? 'Bind the cluster role system:auth-delegator to the manager' : undefined;
}

function codeLabel(err: unknown): string {
  return err instanceof ApiError ? String(err.status.code) : '<error>';
}
