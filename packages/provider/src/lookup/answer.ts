/** What callers of a look-up get: the plug's three outcomes, with what they need to act on them. */
import type { CcmError } from '@tandem/runtime';
import type { Instance } from '../plug/index.ts';

export type Answer = Known | Unknown;

export type Known = (
  | { readonly kind: 'found'; readonly instance: Instance }
  | { readonly kind: 'absent' }
) & {
  /**
   * When the call that brought it began, on the monotonic clock: what happened in the cloud before
   * then is in the answer, as far as the cloud is consistent.
   */
  readonly askedAtMs: number;
};

/** Nothing is removed, deleted or freed because of it (P3). `err.retry` says when to ask again. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly err: CcmError;
}

export function unknown(err: CcmError): Unknown {
  return { kind: 'unknown', err };
}
