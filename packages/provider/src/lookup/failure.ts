/**
 * Why an answer is unknown, as errors with stable codes. None of them has an effect in the cloud: a
 * look-up only reads. What a provider throws is wrapped unless it is a `CcmError` already, because a
 * module of somebody else's has its own classes.
 */
import { printable } from '@tandem/core/node-address';
import { CcmError, DeadlineExceededError, type Retry } from '@tandem/runtime';

export type LookupFailureCode =
  | 'CloudCallFailed'
  | 'CloudCallTimedOut'
  | 'CloudThrottled'
  | 'CloudAnswerMissing'
  | 'CloudAnswerMalformed'
  | 'ForeignProviderID'
  | 'LookupClosed'
  | 'TooManyLookups';

export class LookupError extends CcmError {
  constructor(
    code: LookupFailureCode,
    message: string,
    facts: { readonly retry?: Retry; readonly cause?: unknown } = {},
  ) {
    super(message, { retry: 'backoff', ...facts, code, effect: 'none' });
  }
}

/** Longer waits than this are shortened: a cloud that says "a day" would stop everything for a day. */
export const retryAfterMsMax = 600_000;

/** Long enough for a cloud's sentence, short enough for an event. */
const messageLengthMax = 300;

/** The failure of a call, or of one of its answers, with the wait that the cloud asked for. */
export function readFailure(
  provider: string,
  err: unknown,
  retryAfterMs: unknown = retryAfterOf(err),
): CcmError {
  if (err instanceof DeadlineExceededError) {
    const message = `${provider} gave no answer within ${err.limitMs} ms`;
    return new LookupError('CloudCallTimedOut', message, { cause: err });
  }
  const afterMs = readRetryAfter(retryAfterMs);
  if (err instanceof CcmError && isKept(err.retry, afterMs)) return err;
  const text = err instanceof Error ? err.message : 'it did not say why';
  const message = `${provider} could not look it up: ${printable(text, messageLengthMax)}`;
  return afterMs === undefined
    ? new LookupError('CloudCallFailed', message, { cause: err })
    : new LookupError('CloudThrottled', message, { retry: { afterMs }, cause: err });
}

/** An error of ours goes on as it is, unless it says that asking again is of no use: it always is. */
function isKept(retry: Retry, afterMs: number | undefined): boolean {
  if (retry === 'never') return false;
  return retry === 'backoff' ? afterMs === undefined : retry.afterMs === afterMs;
}

function readRetryAfter(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value > 0)) return undefined;
  return Math.min(value, retryAfterMsMax);
}

/** `retryAfterMs` as answers have it, or `retry: { afterMs }` as a `CcmError` has it, whatever the class. */
function retryAfterOf(err: unknown): unknown {
  return fieldOf(err, 'retryAfterMs') ?? fieldOf(fieldOf(err, 'retry'), 'afterMs');
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
