/**
 * A small model of an API server behind the transport port, for tests in virtual time: nodes, leases,
 * events and config maps as JSON; versions, optimistic concurrency, JSON and merge patches, preconditions,
 * paged lists, watches with bookmarks and streaming lists, compaction, restored states, and replicas that
 * lag. What it does not know it refuses with 501, so that no test rests on something invented.
 */
import { type Clock, type Ids, type Random, seededIds, sleep } from '@tandem/runtime';
import {
  type KubeTransport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@tandem/kube/transport';
import { readRoute, type Route } from './route.ts';
import { type Refused, refusals, statusOf } from './status.ts';
import { type Snapshot, Store, type StoredObject } from './store.ts';
import { watchLines } from './watch.ts';
import {
  createObject,
  deleteObject,
  isStored,
  patchObject,
  updateObject,
  type Written,
} from './writes.ts';

export interface ApiModel {
  readonly store: Store;
  /** A way in, as one API server process gives it. */
  connect(options?: ConnectOptions): KubeTransport;
}

export interface ConnectOptions {
  /** How long an answer takes. */
  readonly latencyMs?: number;
  /** Whether streaming lists are known, as from 1.34 on. */
  readonly hasStreamingList?: boolean;
  /** A state that reads are answered from instead of the newest: a replica that lags. */
  readonly staleView?: () => Snapshot | undefined;
}

export function apiModel(ports: { readonly clock: Clock; readonly random: Random }): ApiModel {
  const store = new Store();
  const ids = seededIds(ports.random.fork('uids'));
  return {
    store,
    connect: (options = {}) => new ModelTransport({ store, ids, clock: ports.clock }, options),
  };
}

class ModelTransport implements KubeTransport {
  readonly #world: { readonly store: Store; readonly ids: Ids; readonly clock: Clock };
  readonly #options: ConnectOptions;
  readonly #closing = new AbortController();

  constructor(world: { store: Store; ids: Ids; clock: Clock }, options: ConnectOptions) {
    this.#world = world;
    this.#options = options;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal.throwIfAborted();
    const refused = request.refuseAtSocket?.();
    if (refused !== undefined) throw refused;
    const { latencyMs = 1 } = this.#options;
    // Half of the time passes on the way there; an abort after that leaves the effect in place.
    await sleep(this.#world.clock, latencyMs / 2, request.signal);
    const response = this.#answer(request);
    await sleep(this.#world.clock, latencyMs / 2, request.signal);
    return response;
  }

  async close(): Promise<void> {
    this.#closing.abort(
      new TransportError('The connection was closed', {
        code: 'ConnectionLost',
        retry: 'backoff',
        effect: 'unknown',
      }),
    );
  }

  #answer(request: TransportRequest): TransportResponse {
    const route = readRoute(request.path);
    if (route === undefined) {
      return refusal({
        code: 501,
        reason: 'NotImplemented',
        message: `the API model does not know ${request.path}`,
      });
    }
    if (request.method === 'GET') return this.#read(route, request.signal);
    const body = parseBody(request.body);
    const written = this.#write(route, request, body);
    return written.kind === 'refused'
      ? refusal(written.refused)
      : json(written.code, written.object);
  }

  #write(route: Route, { method, headers }: TransportRequest, body: unknown): Written {
    switch (method) {
      case 'POST':
        if (!isStored(body)) break;
        return createObject(this.#world, route, body);
      case 'PUT':
        if (!isStored(body)) break;
        return updateObject(this.#world, route, body);
      case 'PATCH':
        return patchObject(this.#world, route, {
          contentType: headers['content-type'] ?? '',
          patch: body,
        });
      case 'DELETE':
        return deleteObject(this.#world, route, body);
      case 'GET':
        break;
    }
    return {
      kind: 'refused',
      refused: refusals.badRequest('the body is not an object with a name'),
    };
  }

  #read(route: Route, signal: AbortSignal): TransportResponse {
    const { store, clock } = this.#world;
    if (route.name !== undefined) {
      const object = store.find(route.collection, route.name);
      return object === undefined ? refusal(refusals.notFound(route.name)) : json(200, object);
    }
    const isWatch = ['true', '1'].includes(route.query.get('watch') ?? '');
    if (!isWatch) return this.#list(route);
    if (route.query.has('sendInitialEvents') && this.#options.hasStreamingList === false) {
      return refusal(refusals.noStreamingList());
    }
    const until = AbortSignal.any([signal, this.#closing.signal]);
    return stream(watchLines({ store, clock, route, signal: until }));
  }

  #list(route: Route): TransportResponse {
    const { store } = this.#world;
    const token = route.query.get('continue');
    if (token !== null) return nextPage(store, route, token);
    const asked = route.query.get('resourceVersion') ?? '';
    const stale = asked === '' ? undefined : this.#options.staleView?.();
    const version = stale?.version ?? store.version;
    if (Number(asked) > version) return refusal(refusals.versionTooLarge());
    const items =
      stale === undefined
        ? store.list(route.collection)
        : [...(stale.collections.get(route.collection)?.values() ?? [])];
    return page(store, route, { items, version, offset: 0 });
  }
}

/** A continue token names the version of its list, and expires when that is compacted away. */
function nextPage(store: Store, route: Route, token: string): TransportResponse {
  const [version = Number.NaN, offset = Number.NaN] = token.split('/').map(Number);
  if (!Number.isInteger(version) || !Number.isInteger(offset)) {
    return refusal(refusals.badRequest('continue key is not valid'));
  }
  const items = store.pinned(route.collection, version);
  if (items === undefined) return refusal(refusals.expired());
  return page(store, route, { items, version, offset });
}

/** All pages of one list are of one version, whatever changes between them. */
function page(
  store: Store,
  route: Route,
  list: {
    readonly items: readonly StoredObject[];
    readonly version: number;
    readonly offset: number;
  },
): TransportResponse {
  const { items, version, offset } = list;
  const end = offset + (Number(route.query.get('limit') ?? '0') || items.length);
  const hasMore = end < items.length;
  if (hasMore) store.pin(route.collection, version, items);
  return json(200, {
    kind: `${route.kind}List`,
    apiVersion: route.apiVersion,
    metadata: {
      resourceVersion: String(version),
      ...(hasMore ? { continue: `${version}/${end}` } : {}),
    },
    items: items.slice(offset, end),
  });
}

function refusal(refused: Refused): TransportResponse {
  const response = json(refused.code, statusOf(refused));
  if (refused.retryAfterSeconds === undefined) return response;
  return {
    ...response,
    headers: { ...response.headers, 'retry-after': String(refused.retryAfterSeconds) },
  };
}

function json(status: number, value: object): TransportResponse {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return { status, headers: { 'content-type': 'application/json' }, body: once(body) };
}

function stream(body: AsyncIterable<Uint8Array>): TransportResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

function parseBody(body: string | Uint8Array | undefined): unknown {
  if (body === undefined) return undefined;
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}
