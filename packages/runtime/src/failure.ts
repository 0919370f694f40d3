/**
 * Failures with the two facts that a caller needs: whether a retry makes sense, and whether the call may
 * have changed something. After an `unknown` effect the caller releases no reservation and chooses no new
 * value: it repeats the same value, or reads the outcome back (P3, P7).
 */
export type Retry = 'backoff' | 'never' | { readonly afterMs: number };

export type Effect = 'none' | 'applied' | 'unknown';

export interface FailureFacts {
  /** Stable: callers and documentation use it, never the message. */
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
