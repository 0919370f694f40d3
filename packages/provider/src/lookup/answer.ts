/** What callers of a look-up get: the plug's outcomes, with what they need to act on them. */
import type { CcmError } from '@tandem/runtime';
import type { Instance, InstanceKey } from '../plug/index.ts';

export type Answer = Known | Unknown;

export type Known = (
  | { readonly kind: 'found'; readonly instance: KnownInstance }
  | { readonly kind: 'absent' }
  /** The node is to be left alone. Its time is that of the question: it goes by the node, not by data. */
  | { readonly kind: 'notOurs' }
) & {
  /**
   * How old the data is, on the monotonic clock, by the provider's own word: what happened in the cloud
   * before then is in the answer, as far as the cloud is consistent.
   */
  readonly asOfMs: number;
};

/** An instance and what it is told apart by: the key of its providerID, by the provider's own word. */
export interface KnownInstance extends Instance {
  readonly key: InstanceKey;
}

/** Nothing is removed, deleted or freed because of it (P3). `err.retry` says when to ask again. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly err: CcmError;
  /** When the call that failed began, or when the question was turned away. */
  readonly asOfMs: number;
}

export function unknown(err: CcmError, asOfMs: number): Unknown {
  return { kind: 'unknown', err, asOfMs };
}
