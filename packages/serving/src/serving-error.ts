/**
 * An error that keeps the secure port from opening. The message names the flag or the file and what to do. It never quotes
 * the contents of a file.
 */
import { CcmError, type Retry } from '@tandem/runtime';

export type ServingErrorCode =
  | 'ServingCertificateInvalid'
  | 'ServingAddressUnavailable'
  | 'AuthenticationLookupFailed';

interface ServingProblem {
  readonly problem: string;
  readonly fix: string;
  /** Left out if the problem stays until an operator fixes it. */
  readonly retry?: Retry;
  readonly cause?: unknown;
}

export class ServingError extends CcmError {
  declare readonly code: ServingErrorCode;

  constructor(code: ServingErrorCode, { problem, fix, retry = 'never', cause }: ServingProblem) {
    super(`${problem} ${fix}`, { code, retry, effect: 'none', cause });
  }
}
