/** The answers of a look-up: the plug's outcomes, and what callers need to act on them. */
import type { CcmError } from '@tandem/runtime';
import type { Instance, InstanceKey } from '../plug/index.ts';

export type Answer = Known | Unknown;

export type Known = (
  | { readonly kind: 'found'; readonly instance: KnownInstance }
  | { readonly kind: 'absent' }
  /** The node is not ours. The time is that of the question, because the answer depends on the node, not on data. */
  | { readonly kind: 'notOurs' }
) & {
  /**
   * When the provider read the data, on the monotonic clock. The answer includes what happened in the cloud before then,
   * as far as the cloud is consistent.
   */
  readonly asOfMs: number;
};

/** An instance, and the key that the provider derives from its providerID. Two spellings have one key. */
export interface KnownInstance extends Instance {
  readonly key: InstanceKey;
}

/** Tandem removes, deletes or frees nothing because of this answer (P3). `err.retry` says when to ask again. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly err: CcmError;
  /** When the failed call began, or when the question was refused. */
  readonly asOfMs: number;
}

export function unknown(err: CcmError, asOfMs: number): Unknown {
  return { kind: 'unknown', err, asOfMs };
}
