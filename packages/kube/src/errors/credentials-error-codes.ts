/** Of finding out whom to talk to and as whom. */
import type { CredentialsErrorCode } from '../credentials/index.ts';
import type { ErrorNote } from './error-codes.ts';

/** These may pass: credential files are rewritten while the program runs. */
const facts = { retry: ['backoff'], effect: ['none'] } as const;

export const credentialsErrorCodes: Readonly<Record<CredentialsErrorCode, ErrorNote>> = {
  KubeconfigMissing: {
    ...facts,
    meaning:
      'The kubeconfig does not exist or cannot be read, or none is set and the program does not run in a pod.',
    remedy:
      'Set `--kubeconfig`, and check the path and the permissions of the file. The manager does not ' +
      'read `KUBECONFIG` or `~/.kube/config`, so that it never works on a cluster by accident.',
  },
  KubeconfigInvalid: {
    ...facts,
    meaning: 'A kubeconfig is invalid. The message names the file and the field.',
    remedy: 'Fix the field. `kubectl config view` shows the expected form.',
  },
  ServerAddressInvalid: {
    ...facts,
    meaning: 'The value of `--master` is not a valid server address.',
    remedy:
      'Write it as `https://HOST:PORT`. Plain HTTP works only for localhost and loopback addresses.',
  },
  ServerAddressChanged: {
    ...facts,
    meaning: 'The API server refused the credentials, and the kubeconfig now names another server.',
    remedy:
      'Restart the program to use the new address, or restore the old address with new credentials.',
  },
  CertificateInvalid: {
    ...facts,
    meaning: 'A certificate or key is missing or unreadable, or the two do not match.',
    remedy: 'Replace the file or field that the message names. It must be PEM.',
  },
  TokenInvalid: {
    ...facts,
    meaning: 'A token or its file is missing, or the token is not one line without spaces.',
    remedy: 'Replace the file or field that the message names.',
  },
  ExecPluginFailed: {
    ...facts,
    meaning: 'The exec plugin of the kubeconfig failed, hung, or returned an invalid answer.',
    remedy: 'Run the command that the message names by hand, and check its output.',
  },
};
