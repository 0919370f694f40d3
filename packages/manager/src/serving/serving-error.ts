/**
 * What keeps the secure port from opening. The message names the flag or the file and what to do; it
 * never quotes what is in a file.
 */
import { CcmError } from '@tandem/runtime';

export type ServingErrorCode =
  | 'ServingSettingsInvalid'
  | 'ServingCertificateInvalid'
  | 'ServingAddressUnavailable'
  | 'AuthenticationLookupFailed';

export class ServingError extends CcmError {
  declare readonly code: ServingErrorCode;

  constructor(
    code: ServingErrorCode,
    { problem, fix, cause }: { problem: string; fix: string; cause?: unknown },
  ) {
    super(`${problem} ${fix}`, { code, retry: 'never', effect: 'none', cause });
  }
}
