/**
 * The server and the user of a context. Unsupported features (proxies, legacy authentication providers)
 * are refused by name instead of being ignored.
 */
import { dirname, resolve } from 'node:path';
import type { Cluster, Context, User } from '@kubernetes/client-node';
import { CredentialsError } from './credentials.ts';
import { type ExecSettings, readExecSettings } from './exec-settings.ts';
import { field, type FieldPath, type Fields } from './fields.ts';
import type { Entry, Kubeconfig } from './parse-kubeconfig.ts';
import { checkServerAddress } from './server-address.ts';
import { anonymousSettings, type ConnectionSettings, type Source } from './settings.ts';

export interface Choice {
  /** The files, for errors. */
  readonly files: string;
  /** Another context than the current one. */
  readonly context?: string | undefined;
  /** Another address than the one of the cluster. */
  readonly server?: string | undefined;
}

export function selectContext(kubeconfig: Kubeconfig, choice: Choice): ConnectionSettings {
  const chosen = findContext(kubeconfig, choice);
  const cluster = atServer(choice.server, findNamed(kubeconfig.clusters, chosen, 'cluster'));
  const user =
    chosen.value.user === undefined ? undefined : findNamed(kubeconfig.users, chosen, 'user');
  refuseUnsupported(cluster, user);
  return {
    ...anonymousSettings(
      checkServerAddress(cluster.value.server, {
        where: cluster.path.at('server').text,
        code: 'KubeconfigInvalid',
      }),
    ),
    serverName: text(cluster, 'tls-server-name'),
    isVerified: !cluster.value.skipTLSVerify,
    ca: source(cluster, 'certificate-authority'),
    ...(user === undefined ? {} : userSettings(user, cluster)),
  };
}

/** As in client-go, the expected certificate name does not apply to another address. */
function atServer(server: string | undefined, cluster: Entry<Cluster>): Entry<Cluster> {
  if (server === undefined) return cluster;
  const { 'tls-server-name': _, ...fields } = cluster.fields;
  return { ...cluster, value: { ...cluster.value, server }, fields: { ...fields, server } };
}

type UserSettings = Pick<ConnectionSettings, 'cert' | 'key' | 'token' | 'exec' | 'headers'>;

function userSettings(user: Entry<User>, cluster: Entry<Cluster>): UserSettings {
  return {
    cert: source(user, 'client-certificate'),
    key: source(user, 'client-key'),
    token: tokenSource(user),
    exec: execSettings(user, cluster),
    headers: { ...basicAuthentication(user), ...impersonation(user.fields, user.path) },
  };
}

function findContext(
  { contexts, currentContext }: Kubeconfig,
  { files, context }: Choice,
): Entry<Context> {
  const name = context ?? currentContext;
  const known = listOf(contexts);
  if (name === undefined) {
    throw new CredentialsError('KubeconfigInvalid', {
      problem: `${files} has no current-context.`,
      fix: `Choose one of its contexts (${known}) with \`kubectl config use-context\`.`,
    });
  }
  const found = contexts.get(name);
  if (found !== undefined) return found;
  throw new CredentialsError('KubeconfigInvalid', {
    problem: `${files} has no context "${name}".`,
    fix:
      context === undefined
        ? `Choose one of its contexts (${known}) with \`kubectl config use-context\`.`
        : `Name one of its contexts (${known}).`,
  });
}

function findNamed<T>(
  entries: ReadonlyMap<string, Entry<T>>,
  { value, path }: Entry<Context>,
  kind: 'cluster' | 'user',
): Entry<T> {
  const found = entries.get(value[kind]);
  if (found !== undefined) return found;
  throw new CredentialsError('KubeconfigInvalid', {
    problem: `${path.at(kind).text} names "${value[kind]}", but the kubeconfig has no such ${kind}.`,
    fix: `Add it to ${kind}s, or name an existing one (${listOf(entries)}).`,
  });
}

function listOf(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? 'it has none' : [...entries.keys()].join(', ');
}

function refuseUnsupported(cluster: Entry<Cluster>, user: Entry<User> | undefined): void {
  if (cluster.value.proxyUrl) {
    throw new CredentialsError('KubeconfigInvalid', {
      problem: `${cluster.path.at('proxy-url').text} sets a proxy, which Tandem does not support.`,
      fix: 'Set `server` to an address that Tandem can reach directly.',
    });
  }
  if (user?.value.authProvider) {
    throw new CredentialsError('KubeconfigInvalid', {
      problem: `${user.path.at('auth-provider').text} is a login method that Kubernetes clients no longer support.`,
      fix: 'Use an exec plugin or a token instead.',
    });
  }
  if (cluster.value.skipTLSVerify && source(cluster, 'certificate-authority') !== undefined) {
    throw new CredentialsError('KubeconfigInvalid', {
      problem: `${cluster.path.at('insecure-skip-tls-verify').text} contradicts the certificate authority of the same cluster.`,
      fix: 'Remove one of the two, preferably insecure-skip-tls-verify.',
    });
  }
}

/** Inline data overrides a file, as in client-go. A path is relative to its kubeconfig. */
function source(entry: Entry<unknown>, name: string): Source | undefined {
  const data = text(entry, `${name}-data`);
  if (data !== undefined) {
    const where = entry.path.at(`${name}-data`).text;
    return { kind: 'inline', text: Buffer.from(data, 'base64').toString('utf8'), where };
  }
  return fileSource(entry, name);
}

function fileSource(entry: Entry<unknown>, name: string): Source | undefined {
  const path = text(entry, name);
  if (path === undefined) return undefined;
  const where = entry.path.at(name).text;
  return { kind: 'file', path: resolve(dirname(entry.file), path), where };
}

/** A token file overrides a token, as in client-go: it is the one that rotates. */
function tokenSource(user: Entry<User>): Source | undefined {
  const inline = text(user, 'token');
  const where = user.path.at('token').text;
  return (
    fileSource(user, 'tokenFile') ??
    (inline === undefined ? undefined : { kind: 'inline', text: inline, where })
  );
}

function basicAuthentication(user: Entry<User>): Record<string, string> {
  const name = text(user, 'username');
  if (name === undefined) return {};
  const pair = Buffer.from(`${name}:${text(user, 'password') ?? ''}`, 'utf8');
  return { authorization: `Basic ${pair.toString('base64')}` };
}

function execSettings(user: Entry<User>, cluster: Entry<Cluster>): ExecSettings | undefined {
  const exec = user.fields['exec'];
  if (exec === undefined || exec === null) return undefined;
  const { path, file } = user;
  return readExecSettings(exec, { path: path.at('exec'), file, cluster: cluster.fields });
}

function text({ fields, path }: Entry<unknown>, name: string): string | undefined {
  return field.text(fields[name], path.at(name));
}

/** The impersonation headers, from the `as…` fields of a kubeconfig. */
function impersonation(user: Fields, path: FieldPath): Record<string, string | string[]> {
  const name = field.text(user['as'], path.at('as'));
  const uid = field.text(user['as-uid'], path.at('as-uid'));
  const groups = texts(user['as-groups'], path.at('as-groups'));
  const extra = Object.entries(field.map(user['as-user-extra'], path.at('as-user-extra')));
  return {
    ...(name === undefined ? {} : { 'impersonate-user': name }),
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
        texts(values, path.at(`as-user-extra["${key}"]`)),
      ]),
    ),
  };
}

function texts(value: unknown, path: FieldPath): string[] {
  return field.list(value, path).flatMap((entry) => field.text(entry, path) ?? []);
}
