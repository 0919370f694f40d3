/**
 * Failures of a call without an answer of the server: the deadline passed, or the write gate was shut.
 */
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

/** What the effect of a request is that ended when its deadline passed, with this error. */
export function effectAtDeadline(
  { method }: Pick<ApiRequest, 'method'>,
  { wasHandedOver, err }: { wasHandedOver: boolean; err: unknown },
): Effect {
  const isKnown = !isMutating(method) || !wasHandedOver;
  if (isKnown) return 'none';
  // A transport that knows that nothing was sent says so; its bare abort says nothing.
  return err instanceof CcmError ? err.effect : 'unknown';
}

/** The gate's own error where it has the facts that callers need, else one around it. */
export function notSent({ method, path }: ApiRequest, refusal: Error): CcmError {
  if (refusal instanceof CcmError) return refusal;
  return new CcmError(`${method} ${path} was not sent: ${refusal.message}`, {
    code: 'WriteNotSent',
    retry: 'never',
    effect: 'none',
    cause: refusal,
  });
}
