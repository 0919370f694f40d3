/**
 * Reads the manager's view from its secure port with the user's own credentials: the token of the kubeconfig, which the
 * API server reviews for the manager, and the client certificate, which the manager accepts if it trusts the authority.
 * If the manager cannot be reached, the answer has the reason, and commands show only what the objects have.
 */
import { readFile } from 'node:fs/promises';
import { isViewPage, type ViewName, type Views } from '@tandem/core/view';
import {
  checkCertificates,
  type Credentials,
  type Identity,
  type TlsMaterial,
} from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { CcmError, errorCodeOf, withDeadline } from '@tandem/runtime';
import { exitBadInput } from '../exit-codes.ts';
import type { Cluster } from './cluster.ts';
import { textAt } from './fields.ts';
import { findLeaderPod } from './leader-pod.ts';
import type { LiveSettings, ManagerChoice } from './options.ts';
import { CommandError, type LivePorts } from './ports.ts';

export type Told<Name extends ViewName> =
  | {
      readonly kind: 'told';
      readonly summary: Views[Name]['summary'];
      readonly items: readonly Views[Name]['item'][];
      /** The time on the manager's clock. */
      readonly nowMs: number;
    }
  /** The manager does not run this part. */
  | { readonly kind: 'off'; readonly problem: string }
  | { readonly kind: 'unreached'; readonly problem: string };

export interface Manager {
  /** How the manager is reached, for messages. */
  readonly via: string;
  /** False with `--no-manager`. */
  readonly isWanted: boolean;
  tell<Name extends ViewName>(
    name: Name,
    query?: Readonly<Record<string, string>>,
  ): Promise<Told<Name>>;
  close(): Promise<void>;
}

/** The limit of one page. */
const limitMs = 15_000;
/** The maximum page size, so that few pages are needed. */
const pageSize = '2000';

export async function openManager(
  cluster: Cluster,
  settings: LiveSettings,
  ports: LivePorts,
): Promise<Manager> {
  const { manager, lease } = settings;
  if (manager.kind === 'none')
    return { ...unreached('--no-manager', 'it was not asked'), isWanted: false };
  if (manager.kind === 'url') return atURL(cluster, manager, ports);
  try {
    const pod = await findLeaderPod(cluster, lease, ports.clock.now());
    if (pod.kind === 'none') return unreached('the leader', pod.problem);
    const { forwardPort } = await import('@tandem/kube/port-forward');
    const { credentials } = cluster;
    const forwarded = await forwardPort({ credentials, ...pod, pod: pod.name, port: manager.port });
    const url = `https://127.0.0.1:${forwarded.localPort}`;
    // The API server guarantees that this is the pod. The manager's certificate may be self-signed.
    const tls = { ca: undefined, isVerified: false };
    const reached = connected(
      cluster,
      { url, tls, via: `pod ${pod.namespace}/${pod.name}` },
      ports,
    );
    return {
      ...reached,
      async tell(name, query) {
        const told = await reached.tell(name, query);
        const problem = forwarded.problem();
        return told.kind === 'unreached' && problem !== undefined ? { ...told, problem } : told;
      },
      async close() {
        await reached.close();
        await forwarded.close();
      },
    };
  } catch (err) {
    if (!(err instanceof CommandError) && !(err instanceof CcmError)) throw err;
    return unreached('the leader', err.message);
  }
}

async function atURL(
  cluster: Cluster,
  { url, caFile, isVerified }: Extract<ManagerChoice, { kind: 'url' }>,
  ports: LivePorts,
): Promise<Manager> {
  const ca = caFile === undefined ? undefined : await readAuthority(caFile);
  return connected(cluster, { url, tls: { ca, isVerified }, via: url }, ports);
}

/** Refuses a file without a certificate. It would trust nothing, and the manager's certificate would seem wrong. */
export async function readAuthority(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((err: unknown) => {
    const why = err instanceof Error ? err.message : String(err);
    throw new CommandError(exitBadInput, `--manager-ca cannot be read: ${why}`, { cause: err });
  });
  try {
    checkCertificates({ text, name: `--manager-ca ${JSON.stringify(file)}` });
  } catch (err) {
    if (!(err instanceof CcmError)) throw err;
    throw new CommandError(exitBadInput, err.message, { cause: err });
  }
  return text;
}

function connected(
  cluster: Cluster,
  end: {
    readonly url: string;
    readonly via: string;
    readonly tls: Pick<TlsMaterial, 'ca' | 'isVerified'>;
  },
  ports: LivePorts,
): Manager {
  const { agent, credentials: own } = cluster;
  const credentials = credentialsFor(own, end.url, end.tls);
  const transport = createTransport({ credentials, userAgent: agent, serverFrom: '--manager' });
  return {
    via: end.via,
    isWanted: true,
    close: () => transport.close(),
    async tell(name, query = {}) {
      try {
        return await readPages({ name, query, transport, ports, credentials: own });
      } catch (err) {
        if (!(err instanceof CcmError)) throw err;
        return { kind: 'unreached', problem: connectionProblem(err, end.url) };
      }
    },
  };
}

/** Returns a message about the manager, because the transport's messages are about an API server and a kubeconfig. */
function connectionProblem(err: CcmError, url: string): string {
  const code = errorCodeOf(err.cause) ?? 'no code';
  switch (err.code) {
    case 'ConnectionFailed':
      return `cannot connect to ${url} (${code}). Check that the manager runs, and that this is its secure port`;
    case 'ServerNotTrusted':
      return `cannot trust the certificate of ${url} (${code}). Name the file of its authority with --manager-ca. A manager without --tls-cert-file makes its own certificate, which --cert-dir keeps in a file`;
    default:
      return err.message;
  }
}

/** Returns the user's credentials for another server, without impersonation, which is only for the API server. */
function credentialsFor(
  own: Credentials,
  server: string,
  trust: Pick<TlsMaterial, 'ca' | 'isVerified'>,
): Credentials {
  const known = new WeakMap<Identity, Identity>();
  const there = (identity: Identity): Identity => {
    const before = known.get(identity);
    if (before !== undefined) return before;
    const { cert, key } = identity.tls;
    const { authorization } = identity.headers;
    const made = {
      tls: { cert, key, ...trust },
      headers: authorization === undefined ? {} : { authorization },
    };
    known.set(identity, made);
    return made;
  };
  return {
    server,
    identity: async () => there(await own.identity()),
    renew: async () => undefined,
  };
}

async function readPages<Name extends ViewName>(of: {
  readonly name: Name;
  readonly query: Readonly<Record<string, string>>;
  readonly transport: KubeTransport;
  readonly ports: LivePorts;
  readonly credentials: Credentials;
}): Promise<Told<Name>> {
  const { name, query, transport, ports, credentials } = of;
  const items: Views[Name]['item'][] = [];
  let token: string | undefined;
  for (;;) {
    const paged = {
      ...query,
      limit: pageSize,
      ...(token === undefined ? {} : { continue: token }),
    };
    const path = `/statusz/${name}?${new URLSearchParams(paged).toString()}`;
    const { status, value, date } = await get(transport, path, ports);
    if (status === 404 && isStatus(value)) return { kind: 'off', problem: messageOf(value) };
    if (status !== 200 || !isViewPage(name, value)) {
      const identity = await credentials.identity();
      return { kind: 'unreached', problem: problemOf({ status, value, name }, identity) };
    }
    for (const item of value.items) items.push(item);
    token = value.metadata.continue;
    if (token === undefined) {
      const nowMs = date === undefined ? Number.NaN : Date.parse(date);
      const { summary } = value;
      return {
        kind: 'told',
        summary,
        items,
        nowMs: Number.isNaN(nowMs) ? ports.clock.now() : nowMs,
      };
    }
  }
}

async function get(
  transport: KubeTransport,
  path: string,
  { clock }: LivePorts,
): Promise<{
  readonly status: number;
  readonly value: unknown;
  readonly date: string | undefined;
}> {
  return withDeadline({ clock, limitMs }, async (signal) => {
    const headers = { accept: 'application/json' };
    const {
      status,
      headers: answered,
      body,
    } = await transport.send({ method: 'GET', path, headers, signal });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    return { status, value: parseOr(text), date: answered['date'] };
  });
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isStatus(value: unknown): boolean {
  return textAt(value, 'kind') === 'Status';
}

function messageOf(value: unknown): string {
  return textAt(value, 'message');
}

function problemOf(
  {
    status,
    value,
    name,
  }: { readonly status: number; readonly value: unknown; readonly name: string },
  { tls, headers }: Identity,
): string {
  const sent = [
    ...(headers['authorization'] === undefined ? [] : ['a token']),
    ...(tls.cert === undefined ? [] : ['a client certificate']),
  ];
  const shown = sent.length === 0 ? 'no credentials that a manager can take' : sent.join(' and ');
  const said = messageOf(value);
  switch (status) {
    case 401:
    case 500:
      return `it did not accept the credentials of the kubeconfig (${shown}): ${said}. It takes tokens that the API server knows, and client certificates of the cluster's client CA`;
    case 403:
      return `${said}. It was asked with ${shown}. You need a ClusterRole with get on the nonResourceURLs /statusz/*`;
    case 503:
      return said;
    default:
      return `it answered ${status} to /statusz/${name}, which this plugin does not understand: another manager, or another version of Tandem`;
  }
}

function unreached(via: string, problem: string): Manager {
  return {
    via,
    isWanted: true,
    tell: async () => ({ kind: 'unreached', problem }),
    close: async () => undefined,
  };
}
