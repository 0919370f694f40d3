/** Which ending of a step an error amounts to. */
import { CcmError } from '@tandem/runtime';
import { ApiError, type ApiStatus } from '../client/index.ts';
import { DecodeError } from '../codec/index.ts';
import type { Ending } from './step.ts';

/** Of an error in place of an answer, or of an answer that could not be read. */
export function endingOfError(err: unknown): Ending {
  if (err instanceof ApiError) return endingOfStatus(err.status);
  return err instanceof DecodeError ? 'undecodable' : 'unreachable';
}

/** Of a refusal, inside a stream or in its place. */
export function endingOfStatus({ code, reason, causes }: ApiStatus): Ending {
  const isAhead = causes.some((cause) => cause.reason === 'ResourceVersionTooLarge');
  if (isAhead) return 'ahead';
  if (code === 410 || reason === 'Expired' || reason === 'Gone') return 'expired';
  if (code === 429) return 'throttled';
  return code >= 500 ? 'unreachable' : 'refused';
}

/** A server without streaming lists says 422; one before 1.27 may not know the parameter: 400. */
export function isStreamingRefused(err: unknown): boolean {
  return err instanceof ApiError && [400, 422].includes(err.status.code);
}

/** How long the server asks to wait, if it does. */
export function retryAfterMsOf(err: unknown): number {
  if (!(err instanceof CcmError)) return 0;
  return typeof err.retry === 'object' ? err.retry.afterMs : 0;
}
