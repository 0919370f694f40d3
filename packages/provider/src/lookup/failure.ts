/**
 * Why an answer is unknown, as errors with stable codes. None of them has an effect in the cloud: a
 * look-up only reads. What a provider throws is wrapped unless it is a `CcmError` already, because a
 * module of somebody else's has its own classes.
 */
import { printable } from '@tandem/core/node-address';
import { CcmError, DeadlineExceededError, type Retry } from '@tandem/runtime';

/** Every code of a look-up, with what it means and what to do; the reference page is made from this. */
export const lookupErrorCodes = {
  CloudCallFailed: {
    meaning: 'The cloud could not be asked, or answered with an error.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'The message has the words of the provider. Check its credentials and its service.',
  },
  CloudCallTimedOut: {
    meaning: 'The cloud gave no answer within the limit of a call.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Look at the network and at the status of the cloud.',
  },
  CloudThrottled: {
    meaning: 'The cloud asks to be left alone for a while, and is.',
    retry: ['afterMs'],
    effect: ['none'],
    remedy: 'When it stays: find out who else uses up the quota of the account.',
  },
  CloudAnswerMissing: {
    meaning: 'The provider answered, and left out a node that it had been asked about.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'This is a mistake in the provider: report it to its authors.',
  },
  CloudAnswerMalformed: {
    meaning: 'The provider answered with something that is no answer; the message says where.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'This is a mistake in the provider: report it to its authors.',
  },
  ForeignProviderID: {
    meaning: 'The providerID of the node is not one of this cloud.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Check `--cloud-provider`, and where the node got its providerID from.',
  },
  LookupClosed: {
    meaning: 'The cloud is not asked any more, because the program ends.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Nothing.',
  },
  TooManyLookups: {
    meaning: 'So many look-ups wait for the cloud already that another one makes no sense.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'The cloud does not keep up. Look at its latency and at how often it throttles.',
  },
} as const;

export type LookupFailureCode = keyof typeof lookupErrorCodes;

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
