/**
 * Runs hundreds of small scenarios with a server that has random faults: connections cut at any byte, 410,
 * silence, lag, garbled bytes, compaction, lagging replicas, restored states, objects deleted and created
 * again. In each, the informer ends equal to the server, its subscriber ends equal to the informer, and no
 * version goes back unless the server's did. A failure names its seed; `runScenario(seed)` replays it.
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { createLogger, createMetrics, type Random, sleep } from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import {
  createCluster,
  type EmbeddedCluster,
  putObject,
  type Snapshot,
} from '../../../../test/support/embedded-api.ts';
import { howToReplay, seedsOf } from '../../../../test/support/seeds.ts';
import { createKubeClient } from '../client/index.ts';
import { createNodeReader, type NodeProjection } from '../node/index.ts';
import {
  drawFaultPlan,
  type FaultKind,
  faultyTransport,
} from '../../../../test/support/api-faults/index.ts';
import {
  type KubeTransport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../transport/index.ts';
import { Informer } from './informer.ts';
import { protobufTransport } from './protobuf-transport.fixture.ts';
import { isOlder } from '../codec/object-reader.ts';

const seeds = seedsOf('informer', 200);
const batch = 40;

describe('an informer of a faulty server', () => {
  for (let first = 0; first < seeds.length; first += batch) {
    const some = seeds.slice(first, first + batch);
    it(`ends equal to the server with the seeds ${some.at(0)} to ${some.at(-1)}`, async () => {
      for (const seed of some) await runScenario(seed);
    });
  }
});

async function runScenario(seed: string): Promise<void> {
  const random = seededRandom(seed);
  const clock = virtualClock({ startMs: Date.parse('2026-03-01T12:00:00Z') });
  const draw = random.fork('world');
  const encoding = draw.next() < 0.5 ? 'json' : 'protobuf';
  const model = createCluster({ clock, random: random.fork('model') });
  const server = new Server(model, clock, draw);
  const faulty = faultyTransport(encoding === 'json' ? server : protobufTransport(server), {
    clock,
    random: random.fork('faults'),
    plan: drawFaultPlan(random.fork('plan'), encoding === 'json' ? faults : protobufFaults),
  });
  const client = createKubeClient({ transport: faulty, clock, random, metrics: createMetrics() });
  const informer = new Informer({
    client,
    clock,
    random,
    logger,
    metrics: createMetrics(),
    resource: { group: '', version: 'v1', resource: 'nodes' },
    reader,
    encoding,
    limits: { pageSize: 1 + Math.floor(draw.next() * 5) },
  });
  const view = new View(server);
  informer.subscribe((change) => view.take(change));
  const stopping = new AbortController();
  const running = informer.run(stopping.signal);
  try {
    await Promise.all([live(server, random.fork('life'), clock), clock.advance(lifeMs)]);
    faulty.heal();
    const isEqual = (): boolean => isDeepStrictEqual(byName(informer.list()), server.nodes());
    for (let waitedMs = 0; waitedMs < healMsMax; waitedMs += 60_000) {
      if (isEqual()) break;
      await clock.advance(60_000);
    }
    assert.deepEqual(byName(informer.list()), server.nodes(), 'the cache differs from the server');
    const held = byName(informer.list()).map(withoutVersion);
    assert.deepEqual(view.objects(), held, 'the subscriber has other objects');
    stopping.abort();
    await running;
    await server.close();
    await clock.advance(0);
  } catch (cause) {
    const faultLog = faulty.injected.map(({ kind, path }) => `${kind} ${path}`).join('\n');
    const file = 'packages/kube/src/informer/informer.faults.slow.test.ts';
    throw new Error(`${howToReplay(seed, file)}\n${encoding}\n${faultLog}`, { cause });
  }
}

/** How long a scenario has changes and faults. */
const lifeMs = 10 * 60_000;

/** A silent watch is closed after 150 seconds. A list and its watch may then lag by a minute each. */
const healMsMax = 10 * 60_000;

const protobufFaults: readonly FaultKind[] = [
  'delay',
  'reset-before',
  'reset-after',
  'gone',
  'too-many-requests',
  'internal-error',
  'unavailable',
  'truncated',
  'silent',
  'lag',
];
/** Not for protobuf, in which a changed byte can give another valid value that no reader can detect. */
const faults: readonly FaultKind[] = [...protobufFaults, 'garbled'];

/** One reader for all scenarios, which share only its strings. */
const reader = createNodeReader();
const logger = createLogger({ clock: virtualClock(), level: 'error' });

/** A server that may have a lagging replica and can restart, also with an older state. */
class Server implements KubeTransport {
  readonly #model: EmbeddedCluster;
  readonly #clock: VirtualClock;
  readonly #hasStreamingList: boolean;
  /** Whether a lagging replica answers lists that may be stale. */
  readonly hasReplica: boolean;
  readonly #snapshots: Snapshot[] = [];
  #connection: KubeTransport;
  #isAway = false;
  /** How often the server was restored to an older state. */
  restores = 0;

  constructor(model: EmbeddedCluster, clock: VirtualClock, random: Random) {
    this.#model = model;
    this.#clock = clock;
    this.#hasStreamingList = random.next() < 0.7;
    this.hasReplica = random.next() < 0.5;
    this.#connection = this.#connect();
  }

  get store(): EmbeddedCluster['store'] {
    return this.#model.store;
  }

  nodes(): NodeProjection[] {
    return byName(
      this.store
        .collection('nodes')
        .list()
        .map((node) => reader.fromJson(node)),
    );
  }

  remember(): void {
    this.#snapshots.push(this.store.snapshot());
  }

  /** Goes away for a while, and returns with its last state or an older one. */
  async restart(random: Random): Promise<void> {
    this.#isAway = true;
    await this.#connection.close();
    const older = this.#snapshots[Math.floor(random.next() * this.#snapshots.length)];
    if (older !== undefined && random.next() < 0.5) {
      this.restores += 1;
      this.store.restore(older);
      this.#snapshots.length = 0;
    }
    await sleep(this.#clock, 2_000 + random.next() * 10_000);
    this.#connection = this.#connect();
    this.#isAway = false;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#isAway) throw lost('none');
    const connection = this.#connection;
    const response = await connection.send(request);
    // An answer that was on its way when the server went down never arrives.
    if (connection !== this.#connection || this.#isAway) throw lost('unknown');
    return response;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #connect(): KubeTransport {
    const hasStreamingList = this.#hasStreamingList;
    const staleVersion = (): number | undefined =>
      this.hasReplica ? this.#snapshots.at(-1)?.version : undefined;
    return this.#model.connect({ hasStreamingList, staleVersion });
  }
}

function lost(effect: 'none' | 'unknown'): TransportError {
  return new TransportError('The server is away', {
    code: 'ConnectionLost',
    retry: 'backoff',
    effect,
  });
}

/** Changes nodes, compacts and snapshots the store, and restarts the server. */
async function live(server: Server, random: Random, clock: VirtualClock): Promise<void> {
  const operations = 20 + Math.floor(random.next() * 60);
  for (let count = 0; count < operations; count += 1) {
    await sleep(clock, random.next() * (lifeMs / operations));
    const name = `node-${Math.floor(random.next() * 8)}`;
    const dice = random.next();
    if (dice < 0.3) changeNode(server, name, { labels: { at: String(count) } });
    else if (dice < 0.5) changeNode(server, name, {});
    else if (dice < 0.65) server.store.collection('nodes').remove(name);
    else if (dice < 0.85) {
      server.store.collection('nodes').remove(name);
      changeNode(server, name, { uid: `${name}-${count}` });
    } else if (dice < 0.9) server.store.compact();
    else if (dice < 0.95) server.remember();
    else await server.restart(random);
  }
}

function changeNode(server: Server, name: string, metadata: object): void {
  const before = server.store.collection('nodes').get(name);
  const created = { name, uid: `uid-${name}`, creationTimestamp: '2026-03-01T12:00:00Z' };
  putObject(server, 'nodes', {
    metadata: { ...(before?.metadata ?? created), ...metadata },
    spec: { providerID: `static:///${name}` },
  });
}

/** The objects that a subscriber derives from changes alone. */
class View {
  readonly #server: Server;
  readonly #objects = new Map<string, NodeProjection>();

  constructor(server: Server) {
    this.#server = server;
  }

  take(change: Parameters<Parameters<Informer<NodeProjection>['subscribe']>[0]>[0]): void {
    const object = change.kind === 'updated' ? change.after : change.object;
    const known = this.#objects.get(object.name);
    if (change.kind === 'added') assert.equal(known, undefined, 'a node was added twice');
    else assert.equal(known?.uid, object.uid, 'an unknown node was changed');
    if (change.kind === 'deleted') this.#objects.delete(object.name);
    else {
      if (change.kind === 'updated') this.#checkOrder(change.before, change.after);
      this.#objects.set(object.name, object);
    }
  }

  /** Without versions, because the informer does not report an update that changes only the version. */
  objects(): object[] {
    return byName(this.#objects.values()).map(withoutVersion);
  }

  #checkOrder(before: NodeProjection, after: NodeProjection): void {
    const wentBack = isOlder(after.resourceVersion, before.resourceVersion);
    assert.ok(!wentBack || this.#server.restores > 0, 'a version went back');
  }
}

function byName(nodes: Iterable<NodeProjection>): NodeProjection[] {
  return [...nodes].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function withoutVersion(node: NodeProjection): object {
  return { ...node, resourceVersion: '' };
}
