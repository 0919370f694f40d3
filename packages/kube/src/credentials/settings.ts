/**
 * What a kubeconfig or a service account amounts to: one server and one user, with every value
 * bound to the path it was written in, so that whatever is wrong with it can be named.
 */
import type { CredentialsOrigin } from './credentials.ts';
import type { ExecSettings } from './exec-settings.ts';

export interface ConnectionSettings {
  readonly origin: CredentialsOrigin;
  readonly server: string;
  readonly serverName: string | undefined;
  readonly isVerified: boolean;
  readonly ca: Source | undefined;
  readonly cert: Source | undefined;
  readonly key: Source | undefined;
  readonly token: Source | undefined;
  readonly exec: ExecSettings | undefined;
  /** Headers that never change: basic authentication, impersonation. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** A server, without a user identity. */
export function anonymousSettings(server: string): ConnectionSettings {
  return {
    origin: {
      name: '--master, which brings no credentials',
      remedy: 'Give --kubeconfig as well.',
    },
    server,
    serverName: undefined,
    isVerified: true,
    ca: undefined,
    cert: undefined,
    key: undefined,
    token: undefined,
    exec: undefined,
    headers: {},
  };
}

/** A text, given inline or by a file that may be replaced at any time. */
export type Source = (
  | { readonly kind: 'inline'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
) & {
  /** Where it was written, for people: `users["jane"].client-certificate in /etc/kubeconfig`. */
  readonly where: string;
};
