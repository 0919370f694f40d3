/**
 * The reasons why routes could not be listed or changed, as errors with stable codes. Listing has
 * no effect in the cloud. A failed call that changes routes may have had one.
 */
import { printable } from '@tandem/core/node-address';
import { CcmError, DeadlineExceededError, type Effect, fieldOf, type Retry } from '@tandem/runtime';
import { isKeptAsIs, readRetryAfter, retryAfterOf } from '../calls/index.ts';

/**
 * Every code of route tables, with its meaning and remedy. The reference page is generated from
 * this.
 */
export const routeErrorCodes = {
  RouteCallFailed: {
    meaning: 'The provider could not read or change route tables, or the cloud returned an error.',
    retry: ['backoff'],
    effect: ['none', 'unknown'],
    remedy: 'The message quotes the provider. Check its credentials and the status of the cloud.',
  },
  RouteCallTimedOut: {
    meaning: 'The provider did not list or change routes within the deadline of a call.',
    retry: ['backoff'],
    effect: ['none', 'unknown'],
    remedy: 'Check the network and the status of the cloud.',
  },
  RouteCallsThrottled: {
    meaning: 'The cloud throttles calls to its route tables, so the manager waits.',
    retry: ['afterMs'],
    effect: ['none', 'unknown'],
    remedy: 'If it persists, check what else uses the API quota of the account.',
  },
  RouteCallAborted: {
    meaning: 'The program is stopping or no longer leads, so it ended its calls to route tables.',
    retry: ['backoff'],
    effect: ['none', 'unknown'],
    remedy: 'Nothing.',
  },
  RouteWriteForbidden: {
    meaning:
      'This process must not change routes: it no longer leads, or it runs with `--dry-run`.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Nothing.',
  },
  RouteRefused: {
    meaning: 'The cloud refused to change a route, and the provider gave no code of its own.',
    retry: ['backoff', 'afterMs'],
    effect: ['none'],
    remedy: 'The message quotes the cloud.',
  },
  RouteListingMalformed: {
    meaning: 'The list of routes breaks the provider contract. The message says how.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'This is a bug in the provider. Report it to its authors.',
  },
  RouteListingTooOld: {
    meaning: 'The provider listed routes from data that is older than the call.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'This is a bug in the provider. Report it to its authors.',
  },
  RouteOutcomeMalformed: {
    meaning:
      'The outcome of a change to a route breaks the provider contract. The message says how.',
    retry: ['backoff'],
    effect: ['unknown'],
    remedy: 'This is a bug in the provider. Report it to its authors.',
  },
} as const;

export type RouteFailureCode = keyof typeof routeErrorCodes;

export class RouteError extends CcmError {
  constructor(
    code: RouteFailureCode,
    message: string,
    facts: { readonly effect: Effect; readonly retry?: Retry; readonly cause?: unknown },
  ) {
    super(message, { retry: 'backoff', ...facts, code });
  }
}

/** The failed call, and the effect that it may have had. */
export interface FailedCall {
  readonly provider: string;
  readonly operation: 'list' | 'apply';
}

/**
 * Returns the failure of a call or of one of its operations, with the delay that the cloud asked
 * for.
 */
export function readFailure(
  { provider, operation }: FailedCall,
  err: unknown,
  retryAfterMs: unknown = retryAfterOf(err),
): CcmError {
  const effect = operation === 'list' ? 'none' : 'unknown';
  if (err instanceof DeadlineExceededError) {
    const message = `${provider} did not ${inWords[operation]} within ${err.limitMs} ms`;
    return new RouteError('RouteCallTimedOut', message, { effect, cause: err });
  }
  const afterMs = readRetryAfter(retryAfterMs);
  if (err instanceof CcmError && err.effect === effect && isKeptAsIs(err.retry, afterMs)) {
    return err;
  }
  const message = `${provider} could not ${inWords[operation]}: ${wordsOf(err)}`;
  return afterMs === undefined
    ? new RouteError('RouteCallFailed', message, { effect, cause: err })
    : new RouteError('RouteCallsThrottled', message, { effect, retry: { afterMs }, cause: err });
}

const inWords = { list: 'list routes', apply: 'change routes' };

/**
 * Returns the cloud's refusal with its own message and code; undefined if the error says that
 * something may have changed.
 */
export function readRefusal(provider: string, err: Error): CcmError | undefined {
  if (err instanceof CcmError) return err.effect === 'none' ? err : undefined;
  const afterMs = readRetryAfter(retryAfterOf(err));
  return new CcmError(`${provider} refused to change a route: ${wordsOf(err)}`, {
    code: cloudCodeOf(err),
    retry: afterMs === undefined ? 'backoff' : { afterMs },
    effect: 'none',
    cause: err,
  });
}

/** A code from the provider or the cloud. */
type CloudCode = string;

function cloudCodeOf(err: Error): CloudCode {
  const given = fieldOf(err, 'code');
  const unnamed: RouteFailureCode = 'RouteRefused';
  return typeof given === 'string' && codePattern.test(given) ? given : unnamed;
}

/** The codes of clouds, such as `RouteAlreadyExists` and `InvalidRoute.NotFound`. */
const codePattern = /^[A-Za-z][\w.-]{0,99}$/;

/** Long enough for a cloud's sentence, short enough for an event. */
const messageLengthMax = 300;

function wordsOf(err: unknown): string {
  return printable(err instanceof Error ? err.message : 'unknown reason', messageLengthMax);
}
