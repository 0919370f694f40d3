/**
 * The reasons for unknown answers, as errors with stable codes. A look-up only reads, so none of them has an effect
 * in the cloud. An error of a provider is wrapped unless it is a `CcmError` already, because other people's providers
 * have error classes of their own.
 */
import { printable } from '@tandem/core/node-address';
import { CcmError, DeadlineExceededError, type Retry } from '@tandem/runtime';
import { isKeptAsIs, readRetryAfter, retryAfterOf } from '../calls/index.ts';

/** Every code of a look-up, its meaning and the fix. The reference page is generated from this table. */
export const lookupErrorCodes = {
  CloudCallFailed: {
    meaning: 'The provider could not reach the cloud, or the cloud answered with an error.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'The message quotes the provider. Check its credentials and the status of the cloud.',
  },
  CloudCallTimedOut: {
    meaning: 'The provider did not answer within the deadline of a call.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Check the network and the status of the cloud.',
  },
  CloudThrottled: {
    meaning:
      'The cloud throttles requests or keeps failing, so the manager waits before it asks again.',
    retry: ['afterMs'],
    effect: ['none'],
    remedy:
      'If it persists, check its cause in the log, and what else uses the API quota of the account.',
  },
  CloudAnswerMissing: {
    meaning: 'The provider answered, but left out a node that the manager asked about.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'This is a bug in the provider. Report it to its authors.',
  },
  CloudAnswerMalformed: {
    meaning: 'The answer of the provider breaks the provider contract. The message says how.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'This is a bug in the provider. Report it to its authors.',
  },
  CloudAnswerTooOld: {
    meaning: 'The provider answered with data older than the manager allowed.',
    retry: ['backoff'],
    effect: ['none'],
    remedy:
      'If it persists, the provider cannot read its source or ignores `maxAgeMs`. Check its log, or report it to its authors.',
  },
  ForeignProviderID: {
    meaning: 'The providerID of the node belongs to another cloud.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Check `--cloud-provider`, and which component set the providerID of the node.',
  },
  LookupClosed: {
    meaning: 'The program is stopping, so it no longer asks the cloud.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Nothing.',
  },
  TooManyLookups: {
    meaning: 'Too many lookups are already waiting for the cloud.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'The cloud cannot keep up. Check its latency and how often it throttles.',
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

/** Long enough for a cloud's message, short enough for an event. */
const messageLengthMax = 300;

/** Returns the failure of a call or of one answer, with the wait that the cloud asked for. */
export function readFailure(
  provider: string,
  err: unknown,
  retryAfterMs: unknown = retryAfterOf(err),
): CcmError {
  if (err instanceof DeadlineExceededError) {
    const message = `${provider} did not answer within ${err.limitMs} ms`;
    return new LookupError('CloudCallTimedOut', message, { cause: err });
  }
  const afterMs = readRetryAfter(retryAfterMs);
  if (err instanceof CcmError && isKeptAsIs(err.retry, afterMs)) return err;
  const text = err instanceof Error ? err.message : 'unknown reason';
  const message = `Lookup by ${provider} failed: ${printable(text, messageLengthMax)}`;
  return afterMs === undefined
    ? new LookupError('CloudCallFailed', message, { cause: err })
    : new LookupError('CloudThrottled', message, { retry: { afterMs }, cause: err });
}
