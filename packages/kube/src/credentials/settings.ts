/**
 * The contents of a kubeconfig or a service account: one server and one user. Every value keeps its
 * origin for errors.
 */
import { readFile } from 'node:fs/promises';
import { errorCodeOf } from '@tandem/runtime';
import {
  CredentialsError,
  type CredentialsErrorCode,
  type CredentialsOrigin,
} from './credentials.ts';
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

/** A value, inline or in a file that may be replaced at any time. */
export type Source = (
  | { readonly kind: 'inline'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
) & {
  /** Its origin, for errors: `users["jane"].client-certificate in /etc/kubeconfig`. */
  readonly where: string;
};

/** Reads the text now. The error names the file and the field that names the file. */
export async function readSource(source: Source, code: CredentialsErrorCode): Promise<string> {
  if (source.kind === 'inline') return source.text;
  try {
    return await readFile(source.path, 'utf8');
  } catch (err) {
    throw new CredentialsError(code, {
      problem: `The file ${source.path}, named by ${source.where}, cannot be read (${reasonOf(err)}).`,
      fix: 'Check the path and the permissions of the file.',
      cause: err,
    });
  }
}

/** The name of a source for errors: the field, and the file if there is one. */
export function nameOf(source: Source): string {
  return source.kind === 'file' ? `The file ${source.path} (${source.where})` : source.where;
}

export function reasonOf(err: unknown): string {
  return errorCodeOf(err) ?? 'unknown reason';
}
