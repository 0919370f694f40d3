/** The end of a manager whose credentials the API server no longer accepts. */
import { type FoundCredentials, refusedMsMax } from '@tandem/kube/credentials';
import { CcmError } from '@tandem/runtime';

export class CredentialsRefusedError extends CcmError {
  constructor({ server, origin }: Pick<FoundCredentials, 'server' | 'origin'>) {
    super(
      `The API server ${server} answered every request with 401 for ${refusedMsMax / 1_000} s: ` +
        `it does not accept the credentials of ${origin.name}. ${origin.remedy}`,
      { code: 'CredentialsRefused', retry: 'never', effect: 'none' },
    );
  }
}
