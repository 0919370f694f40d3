/**
 * Failures with the two facts that a caller needs: whether trying again makes sense, and whether the
 * call may have changed something. After an `unknown` effect nothing that was reserved is released
 * and nothing is chosen anew: the same value is repeated, or the outcome is read back (P3, P7).
 */
export type Retry = 'backoff' | 'never' | { readonly afterMs: number };

export type Effect = 'none' | 'applied' | 'unknown';

export interface FailureFacts {
  /** Stable: callers and documentation go by it, never by the message. */
  readonly code: string;
  readonly retry: Retry;
  readonly effect: Effect;
  readonly cause?: unknown;
}

export class CcmError extends Error {
  readonly code: string;
  readonly retry: Retry;
  readonly effect: Effect;

  constructor(message: string, { code, retry, effect, cause }: FailureFacts) {
    super(message, cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.code = code;
    this.retry = retry;
    this.effect = effect;
  }
}
