/** Reads the objects of a cluster with the user's own credentials. It never writes. */
import {
  type Answer,
  ApiError,
  createKubeClient,
  type KubeClient,
  type Resource,
} from '@tandem/kube/client';
import { acceptHeader, codecOf, DecodeError, isVersion, parseJson } from '@tandem/kube/codec';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { type FoundCredentials, loadCredentials } from '@tandem/kube/credentials';
import { createTransport, userAgent } from '@tandem/kube/transport';
import { CcmError, createMetrics } from '@tandem/runtime';
import { exitBadInput, exitUnread } from '../exit-codes.ts';
import { version } from '../version.ts';
import { asList, asObject, textAt } from './fields.ts';
import type { LiveSettings } from './options.ts';
import { CommandError, type LivePorts } from './ports.ts';

export interface Cluster {
  readonly credentials: FoundCredentials;
  readonly agent: string;
  /** Returns undefined if there is no such object. */
  find(resource: Resource): Promise<unknown>;
  /** Returns all items of a list as JSON. */
  list(resource: Resource, query: Readonly<Record<string, string>>): Promise<readonly unknown[]>;
  node(name: string): Promise<NodeProjection>;
  nodes(): Promise<readonly NodeProjection[]>;
  close(): Promise<void>;
}

/** The page size, which needs few requests for large clusters and keeps answers below 20 MB. */
const pageSize = '1000';
/** The limit of one request. */
const limitMs = 30_000;

export async function openCluster(settings: LiveSettings, ports: LivePorts): Promise<Cluster> {
  const { kubeconfig, context } = settings;
  const credentials = await loadCredentials({ ...ports, kubeconfig, context }).catch(
    (err: unknown) => {
      if (err instanceof CcmError)
        throw new CommandError(exitBadInput, err.message, { cause: err });
      throw err;
    },
  );
  const agent = userAgent({ program: 'kubectl-nodeip', version });
  const transport = createTransport({
    credentials,
    userAgent: agent,
    serverFrom: credentials.origin.name,
  });
  const { server } = credentials;
  const metrics = createMetrics();
  const api = { server, client: createKubeClient({ ...ports, transport, server, metrics }) };
  const reader = createNodeReader();

  const listPage = (query: Readonly<Record<string, string>>) => {
    const accept = acceptHeader('list', 'protobuf');
    return read(api, { resource: nodes, verb: 'list', query, accept }, ({ headers, body }) => {
      const page = codecOf(headers).readList(body, reader);
      // Any other JSON object would pass for a cluster without nodes.
      if (!isVersion(page.resourceVersion)) throw new DecodeError('The list has no version');
      return page;
    });
  };
  return {
    credentials,
    agent,
    close: () => transport.close(),
    async find(resource) {
      try {
        return await read(api, { resource, verb: 'get' }, asJson);
      } catch (err) {
        if (isMissing(err)) return undefined;
        throw err;
      }
    },
    async list(resource, query) {
      const items: unknown[] = [];
      let token = '';
      do {
        const paged = { ...query, limit: pageSize, ...(token === '' ? {} : { continue: token }) };
        const page = await read(api, { resource, verb: 'list', query: paged }, asJson);
        items.push(...asList(asObject(page)['items']));
        token = textAt(page, 'metadata', 'continue');
      } while (token !== '');
      return items;
    },
    async node(name) {
      try {
        const call = { resource: { ...nodes, name }, verb: 'get' } as const;
        return await read(api, call, (answer) => reader.fromJson(asJson(answer)));
      } catch (err) {
        if (!isMissing(err)) throw err;
        throw new CommandError(
          exitBadInput,
          `There is no node ${JSON.stringify(name)} in the cluster at ${server}. kubectl get nodes lists all nodes.`,
        );
      }
    },
    async nodes() {
      const all: NodeProjection[] = [];
      let token = '';
      do {
        const page = await listPage({
          limit: pageSize,
          ...(token === '' ? {} : { continue: token }),
        });
        for (const node of page.items) all.push(node);
        token = page.continueToken;
      } while (token !== '');
      return all;
    },
  };
}

const nodes: Resource = { group: '', version: 'v1', resource: 'nodes' };

type ReadCall = Pick<Parameters<KubeClient['call']>[0], 'resource' | 'verb' | 'query' | 'accept'>;

/** Fails with a `CommandError` that says what the user can do. */
async function read<T>(
  { client, server }: { readonly client: KubeClient; readonly server: string },
  call: ReadCall,
  decode: (answer: Answer) => T,
): Promise<T> {
  try {
    return decode(await client.call({ ...call, limitMs, retries: 'once-reached' }));
  } catch (err) {
    if (!(err instanceof CcmError)) throw err;
    const message =
      err instanceof DecodeError
        ? `${server} does not answer as an API server does: ${err.message}. Check the server address in the kubeconfig, and that no proxy intercepts requests.`
        : explained(err, call.resource);
    throw new CommandError(exitUnread, message, { cause: err });
  }
}

function explained(err: CcmError, { resource, namespace }: Resource): string {
  if (!(err instanceof ApiError) || err.status.code !== 403) return err.message;
  const place = namespace === undefined ? '' : ` in the namespace ${namespace}`;
  return `${err.status.message}. You need the right to read ${resource}${place}.`;
}

function isMissing(err: unknown): boolean {
  const cause = err instanceof CommandError ? err.cause : err;
  return cause instanceof ApiError && cause.status.code === 404;
}

function asJson({ body }: Answer): unknown {
  return parseJson(body);
}
