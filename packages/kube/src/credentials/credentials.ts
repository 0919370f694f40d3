/**
 * The contract of credentials: which server to talk to, how to trust it, and as whom. An identity is
 * a value. When a token or a certificate rotates, a new value replaces it, and the holder of the old one
 * notices by comparing.
 */
import { CcmError } from '@tandem/runtime';

export interface Credentials {
  /** The address of the API server, without a slash at its end: `https://10.0.0.1:6443`. */
  readonly server: string;
  /** Where they were found, for errors. */
  readonly origin?: CredentialsOrigin | undefined;
  /** Whom we are now. The same object for as long as nothing changed; cheap to ask for. */
  identity(): Promise<Identity>;
  /** The same without waiting, where it is known whom we are; a source may be unable to tell. */
  current?(): Identity | undefined;
  /** After a server refused an identity: another one, or `undefined` when there is no other. */
  renew(refused: Identity): Promise<Identity | undefined>;
}

/** Credentials of which it is known where they were found. */
export interface FoundCredentials extends Credentials {
  readonly origin: CredentialsOrigin;
}

/** For people whose credentials are refused. */
export interface CredentialsOrigin {
  /** `the kubeconfig /etc/kubeconfig`. */
  readonly name: string;
  /** What to do when a server accepts them no more: a whole sentence. */
  readonly remedy: string;
}

export interface Identity {
  /** The same object for as long as nothing in it changed, so that connections can be kept. */
  readonly tls: TlsMaterial;
  /** Sent with every request. Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Everything in PEM. */
export interface TlsMaterial {
  /** The authorities to trust; those that Node.js knows when left out. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name to expect in the server's certificate, where it is not the host of the address. */
  readonly serverName?: string | undefined;
  /** False only where a kubeconfig says `insecure-skip-tls-verify`. */
  readonly isVerified: boolean;
}

export type CredentialsErrorCode =
  | 'KubeconfigMissing'
  | 'KubeconfigInvalid'
  | 'ServerAddressInvalid'
  | 'ServerAddressChanged'
  | 'CertificateInvalid'
  | 'TokenInvalid'
  | 'ExecPluginFailed';

/** What keeps us from knowing whom to talk to or who we are. The message says what to do. */
export class CredentialsError extends CcmError {
  declare readonly code: CredentialsErrorCode;

  constructor(
    code: CredentialsErrorCode,
    { problem, fix, cause }: { problem: string; fix: string; cause?: unknown },
  ) {
    super(`${problem} ${fix}`, { code, retry: 'backoff', effect: 'none', cause });
  }
}

/**
 * How long the program keeps running while the server answers every request with 401. Long enough for a
 * rotation to finish, short enough for an operator to notice.
 */
export const refusedMsMax = 60_000;
