/** Failures of a call that got no answer: its deadline passed, or the write gate was closed. */
import { CcmError, type Effect } from '@tandem/runtime';
import { type ApiRequest, isMutating } from './request.ts';

/** A call whose deadline passed. The effect of a write that reached the transport is unknown. */
export class CallTimedOutError extends CcmError {
  readonly limitMs: number;

  constructor(
    { method, path }: Pick<ApiRequest, 'method' | 'path'>,
    facts: { limitMs: number; server: string; effect: Effect; cause: unknown },
  ) {
    const { limitMs, server, effect, cause } = facts;
    super(`${method} ${path}: no answer from ${server} within ${Math.round(limitMs)} ms`, {
      code: 'CallTimedOut',
      retry: 'backoff',
      effect,
      cause,
    });
    this.limitMs = limitMs;
  }
}

/** The effect of a request that ended with this error when its deadline passed. */
export function effectAtDeadline(
  { method }: Pick<ApiRequest, 'method'>,
  { wasHandedOver, err }: { wasHandedOver: boolean; err: unknown },
): Effect {
  const isKnown = !isMutating(method) || !wasHandedOver;
  if (isKnown) return 'none';
  // A transport that knows that it sent nothing says so. A plain abort says nothing.
  return err instanceof CcmError ? err.effect : 'unknown';
}

/** The gate's own error if it is a `CcmError`, else a `CcmError` around it. */
export function notSent({ method, path }: ApiRequest, refusal: Error): CcmError {
  if (refusal instanceof CcmError) return refusal;
  return new CcmError(`${method} ${path} was not sent: ${refusal.message}`, {
    code: 'WriteNotSent',
    retry: 'never',
    effect: 'none',
    cause: refusal,
  });
}
