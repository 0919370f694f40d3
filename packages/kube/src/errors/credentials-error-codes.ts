/** Of finding out whom to talk to and as whom. */
import type { CredentialsErrorCode } from '../credentials/index.ts';
import type { ErrorNote } from './error-note.ts';

/** They may pass: files are written anew while the program runs. */
const facts = { retry: ['backoff'], effect: ['none'] } as const;

export const credentialsErrorCodes: Readonly<Record<CredentialsErrorCode, ErrorNote>> = {
  KubeconfigMissing: {
    ...facts,
    meaning: 'There is no kubeconfig where one was named, or none anywhere and this is no pod.',
    remedy:
      'Name one with `--kubeconfig` or `KUBECONFIG`, and check that this program may read it.',
  },
  KubeconfigInvalid: {
    ...facts,
    meaning: 'A kubeconfig cannot be used; the message names the file and the field.',
    remedy: 'Mend the field; `kubectl config view` shows what it should look like.',
  },
  ServerAddressInvalid: {
    ...facts,
    meaning: 'The value of `--master` is not the address of a server.',
    remedy: 'Write it as `https://HOST:PORT`; plain HTTP is taken only for this machine itself.',
  },
  CertificateInvalid: {
    ...facts,
    meaning:
      'A certificate or key is missing, unreadable, or does not belong to the one beside it.',
    remedy: 'Write the file or field that the message names anew, in PEM form.',
  },
  TokenInvalid: {
    ...facts,
    meaning: 'A token, or the file that holds it, is missing or is not one line without blanks.',
    remedy: 'Write the file or field that the message names anew.',
  },
  ExecPluginFailed: {
    ...facts,
    meaning:
      'The exec credential plug-in of the kubeconfig failed, hung, or answered with nonsense.',
    remedy: 'Run the command that the message names by hand, and see what it says.',
  },
};
