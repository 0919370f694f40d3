/**
 * A cluster in virtual time whose nodes get pod CIDRs: the embedded API server, and managers that tests start, stop and
 * kill. All code between them is the shipped code. After every write, the fixture checks that no two nodes hold
 * overlapping podCIDRs (I1), that podCIDRs never change once they are set (I3), and that `podCIDR` is the first of
 * them.
 */
import assert from 'node:assert/strict';
import { cidrsOf, readPodCIDR } from '@tandem/core/allocation';
import { type Cidr, type Family, overlaps, parseCidr } from '@tandem/core/ip';
import type { LabelSelector } from '@tandem/core/node-address';
import { createKubeClient } from '@tandem/kube/client';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import type { Leadership } from '@tandem/kube/election';
import { EventRecorder } from '@tandem/kube/events';
import { createInformerMetrics, Informer } from '@tandem/kube/informer';
import type { KubeTransport } from '@tandem/kube/transport';
import { InstanceLookup } from '@tandem/provider/lookup';
import type { Provider } from '@tandem/provider/plug';
import { createLogger, createMetrics, type Metrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import {
  createCluster,
  type EmbeddedCluster,
  type GivenObject,
  putObject,
  type StoredObject,
} from '../../../../test/support/embedded-api.ts';
import { mortal, MortalClock, metricValue } from '../node/manager.fixture.ts';
import type { ManagedRoutes } from '../route/index.ts';
import { NodeIpamController } from './node-ipam-controller.ts';
import type { NodeIpamSettings } from './options.ts';

export interface PoolOrder {
  readonly name?: string;
  /** Each range with its node mask size, such as `10.244.0.0/16 24`. */
  readonly ranges: readonly string[];
  readonly selector?: LabelSelector;
}

export interface IpamManagerOptions {
  readonly pools?: readonly PoolOrder[];
  readonly serviceRanges?: readonly string[];
  readonly mode?: 'write' | 'dryRun';
  /** The term begins with the process, so the first list begins after it. */
  readonly leadership?: Omit<Leadership, 'sinceMs'>;
  readonly workers?: number;
  /** The metrics of an earlier term of the same process. */
  readonly metrics?: Metrics;
  readonly managedRoutes?: Pick<ManagedRoutes, 'listed' | 'clusterCIDRs' | 'families'>;
  /** If set, blocks come from this cloud. */
  readonly cloud?: { readonly provider: Provider; readonly families: readonly Family[] };
  /** Wraps the transport to the API server. */
  readonly wrap?: (transport: KubeTransport) => KubeTransport;
  /** As the election has it. */
  readonly writeGate?: () => Error | undefined;
}

export interface IpamNodeOrder {
  readonly name: string;
  readonly podCIDRs?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly isDeleting?: boolean;
}

export const dualPool: PoolOrder = { ranges: ['10.244.0.0/16 24', 'fd00:10:244::/48 64'] };

export class IpamWorld {
  readonly clock: VirtualClock = virtualClock({ startMs: Date.parse('2026-03-01T12:00:00Z') });
  readonly model: EmbeddedCluster;
  readonly seed: string;
  /** The writes that reached the API server, without events, as `PATCH name`. */
  readonly writes: string[] = [];
  readonly #everHeld = new Map<string, string>();
  #created = 0;

  constructor({ seed = 'ipam' }: { readonly seed?: string } = {}) {
    this.seed = seed;
    this.model = createCluster({ clock: this.clock, random: seededRandom(seed) });
    this.model.store.onChange((collection, { after }) => {
      if (collection === 'nodes' && after !== undefined) this.#check(after);
    });
  }

  /** Set by tests in which another program gives overlapping CIDRs to nodes. */
  toleratesOverlaps = false;

  start(options: IpamManagerOptions = {}): IpamManager {
    return new IpamManager(this, options);
  }

  addNode({ name, podCIDRs = [], labels = {}, annotations = {}, isDeleting }: IpamNodeOrder): void {
    const uid = `uid-${String(++this.#created).padStart(5, '0')}`;
    const now = `${new Date(this.clock.now()).toISOString().slice(0, 19)}Z`;
    putObject(this.model, 'nodes', {
      metadata: {
        name,
        uid,
        labels,
        annotations,
        creationTimestamp: now,
        ...(isDeleting === true ? { deletionTimestamp: now } : {}),
      },
      spec: podCIDRs.length === 0 ? {} : { podCIDR: podCIDRs[0], podCIDRs },
      status: {},
    });
  }

  addNodes(...names: readonly string[]): void {
    for (const name of names) this.addNode({ name });
  }

  removeNode(name: string): void {
    this.model.store.collection('nodes').remove(name);
  }

  /** Changes a node as another program would. */
  change(name: string, change: (node: StoredObject) => GivenObject): void {
    const node = this.model.store.collection('nodes').get(name);
    assert.ok(node !== undefined, `there is no node ${name}`);
    putObject(this.model, 'nodes', change(structuredClone(node)));
  }

  podCIDRs(name: string): readonly string[] {
    const node = this.model.store.collection('nodes').get(name);
    return node === undefined ? [] : podCIDRsOf(node);
  }

  all(): Readonly<Record<string, string>> {
    const nodes = this.model.store.collection('nodes').list();
    return Object.fromEntries(nodes.map((node) => [node.metadata.name, podCIDRsOf(node).join()]));
  }

  /** Returns the events of a reason, or all events, as `node: note`. */
  events(reason?: string): string[] {
    const found = this.model.store
      .collection('events')
      .list()
      .map((event) => JSON.parse(JSON.stringify(event)));
    return found
      .filter((event) => reason === undefined || event.reason === reason)
      .map((event) => {
        return `${event.involvedObject.name}: ${event.message}`;
      });
  }

  #check(object: StoredObject): void {
    const { name, uid } = object.metadata;
    const podCIDRs = podCIDRsOf(object);
    const before = this.#everHeld.get(uid);
    if (before !== undefined) assert.equal(podCIDRs.join(), before, `I3: ${name} changed`);
    if (podCIDRs.length === 0) return;
    this.#everHeld.set(uid, podCIDRs.join());
    assert.equal(JSON.parse(JSON.stringify(object)).spec.podCIDR, podCIDRs[0]);
    if (this.toleratesOverlaps) return;
    for (const other of this.model.store.collection('nodes').list()) {
      if (other.metadata.uid === uid) continue;
      const isShared = valuesOf(podCIDRsOf(other)).some((theirs) =>
        valuesOf(podCIDRs).some((ours) => overlaps(ours, theirs)),
      );
      assert.ok(!isShared, `I1: ${name} and ${other.metadata.name} overlap in ${podCIDRs.join()}`);
    }
  }
}

/** One process: an informer, a recorder and a controller, on a clock that the test can stop. */
export class IpamManager {
  readonly metrics: Metrics;
  readonly log: Record<string, unknown>[] = [];
  readonly controller: NodeIpamController;
  readonly #world: IpamWorld;
  readonly #stopping = new AbortController();
  readonly #clock: MortalClock;
  readonly #recorder: EventRecorder;
  readonly #lookup: InstanceLookup;
  readonly #running: Promise<unknown>;

  constructor(world: IpamWorld, options: IpamManagerOptions) {
    this.#world = world;
    const clock = new MortalClock(world.clock);
    this.#clock = clock;
    this.metrics = options.metrics ?? createMetrics();
    const random = seededRandom(`${world.seed}/manager`);
    const { metrics } = this;
    const write = (line: string): void => void this.log.push(JSON.parse(line));
    const logger = createLogger({ clock, level: 'info', destination: { write } });
    const server = noteWrites(world, world.model.connect());
    const transport = mortal(clock, options.wrap?.(server) ?? server);
    const ports = { clock, random, metrics, logger };
    const { writeGate = () => undefined } = options;
    const client = createKubeClient({ ...ports, transport, writeGate, writeLimitMsMax: 4_400 });
    const nodes = new Informer<NodeProjection>({
      ...ports,
      client,
      metrics: createInformerMetrics(metrics),
      resource: { group: '', version: 'v1', resource: 'nodes' },
      reader: createNodeReader(),
    });
    this.#recorder = new EventRecorder({ ...ports, client, reportingInstance: 'manager' });
    const provider = options.cloud?.provider ?? noCloud;
    this.#lookup = new InstanceLookup({ ...ports, provider });
    this.controller = new NodeIpamController({
      ...ports,
      client,
      nodes,
      lookup: this.#lookup,
      recorder: this.#recorder,
      mode: options.mode ?? 'write',
      workers: options.workers ?? 30,
      managedRoutes: options.managedRoutes,
      leadership: { ...(options.leadership ?? firstLeader), sinceMs: clock.monotonic() },
      settings: settingsOf(options),
    });
    const { signal } = this.#stopping;
    this.#running = Promise.all([
      nodes.run(signal),
      nodes.whenSynced(signal).then(
        () => this.controller.run(signal),
        () => undefined,
      ),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the test stops the manager'));
    this.#lookup.close();
    const ended = Promise.all([this.#running, this.#recorder.stop()]);
    await this.#world.clock.advance(10_000);
    await ended;
  }

  /** Kills the process as SIGKILL does: none of its code runs afterwards. */
  kill(): void {
    this.#clock.isDead = true;
  }

  metric(line: string): Promise<number> {
    return metricValue(this.metrics, line);
  }

  /** Returns `free bound inDoubt excluded` for each range. */
  counts(): string[] {
    const ranges = this.controller.pools()?.ranges ?? [];
    return ranges.map(({ counts: { free, bound, inDoubt, excluded } }) =>
      [free, bound, inDoubt, excluded].join(' '),
    );
  }
}

const firstLeader = { predecessor: 'none', lastWriteMs: 0 } as const;

/** A placeholder: a range allocator never asks the cloud. */
const noCloud: Provider = {
  name: 'none',
  identify: () => undefined,
  lookup: () => Promise.reject(new Error('nobody asks this cloud')),
};

export function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  assert.ok(parsed.kind === 'cidr', text);
  return parsed.cidr;
}

function settingsOf(options: IpamManagerOptions): NodeIpamSettings {
  const { pools = [dualPool], serviceRanges = [], cloud } = options;
  return {
    allocator: cloud === undefined ? 'RangeAllocator' : 'CloudAllocator',
    families: cloud?.families ?? [],
    pools: (cloud === undefined ? pools : []).map(
      ({ name = 'cluster-cidr', ranges, selector }) => ({
        name,
        selector,
        ranges: ranges.map((text) => {
          const [range = '', size = ''] = text.split(' ');
          return { cidr: cidr(range), nodeMaskSize: Number(size) };
        }),
      }),
    ),
    serviceRanges: serviceRanges.map(cidr),
  };
}

function noteWrites(world: IpamWorld, inner: KubeTransport): KubeTransport {
  return {
    send(request) {
      const [path = ''] = request.path.split('?');
      if (request.method !== 'GET' && !path.includes('/events')) {
        world.writes.push(`${request.method} ${path.replace('/api/v1/nodes/', '')}`);
      }
      return inner.send(request);
    },
    close: () => inner.close(),
  };
}

function podCIDRsOf(node: StoredObject): readonly string[] {
  return JSON.parse(JSON.stringify(node)).spec?.podCIDRs ?? [];
}

function valuesOf(podCIDRs: readonly string[]): readonly Cidr[] {
  return cidrsOf(podCIDRs.map(readPodCIDR));
}
