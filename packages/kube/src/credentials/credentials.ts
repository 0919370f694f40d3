/**
 * The contract of credentials: which server to call, how to trust it, and with which identity. An
 * identity is a value. A rotation replaces it, and its holder notices by comparing.
 */
import { CcmError } from '@tandem/runtime';

export interface Credentials {
  /** The address of the API server, without a slash at its end: `https://10.0.0.1:6443`. */
  readonly server: string;
  /** Their origin, for errors. */
  readonly origin?: CredentialsOrigin | undefined;
  /** The current identity. The same object while nothing changed; cheap to call. */
  identity(): Promise<Identity>;
  /** After a server refused an identity: another one, or `undefined` if there is none. */
  renew(refused: Identity): Promise<Identity | undefined>;
}

/** Credentials with a known origin. */
export interface FoundCredentials extends Credentials {
  readonly origin: CredentialsOrigin;
}

/** For error messages about refused credentials. */
export interface CredentialsOrigin {
  /** `the kubeconfig /etc/kubeconfig`. */
  readonly name: string;
  /** What to do when a server refuses them: a whole sentence. */
  readonly remedy: string;
}

export interface Identity {
  /** The same object while nothing in it changed, so that connections can be kept. */
  readonly tls: TlsMaterial;
  /** Sent with every request. Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Everything in PEM. */
export interface TlsMaterial {
  /** The trusted authorities. Default: those of Node.js. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The expected name in the server's certificate, if it is not the host of the address. */
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

/** The server or the identity is unknown. The message says what to do. */
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
