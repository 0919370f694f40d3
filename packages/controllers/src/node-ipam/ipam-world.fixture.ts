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
import type { Leadership } from '@tandem/kube/election';
import type { KubeTransport } from '@tandem/kube/transport';
import type { Provider } from '@tandem/provider/plug';
import type { CcmError, Metrics } from '@tandem/runtime';
import { putObject, type StoredObject } from '../../../../test/support/embedded-api.ts';
import { TestCluster } from '../loop/test-cluster.fixture.ts';
import { noteRequests, TestManager } from '../loop/test-manager.fixture.ts';
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
  /** The term begins with the process, so the first list is from after its start. */
  readonly leadership?: Omit<Leadership, 'sinceMs'>;
  readonly workers?: number;
  /** The metrics of an earlier term of the same process. */
  readonly metrics?: Metrics;
  readonly managedRoutes?: Pick<ManagedRoutes, 'listed' | 'clusterCIDRs' | 'families'>;
  /** If set, blocks come from this cloud. */
  readonly cloud?: { readonly provider: Provider; readonly families: readonly Family[] };
  /** Wraps the transport to the API server. */
  readonly wrap?: (transport: KubeTransport) => KubeTransport;
  /** The write gate of the election. */
  readonly writeGate?: () => CcmError | undefined;
}

export interface IpamNodeOrder {
  readonly name: string;
  readonly podCIDRs?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly isDeleting?: boolean;
}

export const dualPool: PoolOrder = { ranges: ['10.244.0.0/16 24', 'fd00:10:244::/48 64'] };

export class IpamWorld extends TestCluster {
  readonly #everHeld = new Map<string, string>();
  #created = 0;

  constructor({ seed = 'ipam' }: { readonly seed?: string } = {}) {
    super(seed);
    this.onNode((node) => this.#check(node));
  }

  /** Set by tests in which another program gives overlapping CIDRs to nodes. */
  toleratesOverlaps = false;

  start(options: IpamManagerOptions = {}): IpamManager {
    return new IpamManager(this, options);
  }

  addNode({ name, podCIDRs = [], labels = {}, annotations = {}, isDeleting }: IpamNodeOrder): void {
    const uid = `uid-${String(++this.#created).padStart(5, '0')}`;
    const now = this.timestamp;
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

  podCIDRs(name: string): readonly string[] {
    return this.hasNode(name) ? podCIDRsOf(this.find(name)) : [];
  }

  all(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.nodes().map((node) => [node.metadata.name, podCIDRsOf(node).join()]),
    );
  }

  /** Returns the events of a reason, or all events, as `node: note`. */
  events(reason?: string): string[] {
    return this.eventViews()
      .filter((event) => reason === undefined || event.reason === reason)
      .map(({ node, note }) => `${node}: ${note}`);
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
    for (const other of this.nodes()) {
      if (other.metadata.uid === uid) continue;
      const isShared = valuesOf(podCIDRsOf(other)).some((theirs) =>
        valuesOf(podCIDRs).some((ours) => overlaps(ours, theirs)),
      );
      assert.ok(!isShared, `I1: ${name} and ${other.metadata.name} overlap in ${podCIDRs.join()}`);
    }
  }
}

export class IpamManager extends TestManager {
  readonly controller: NodeIpamController;

  constructor(world: IpamWorld, options: IpamManagerOptions) {
    const server = noteRequests(world, world.model.connect());
    super(world, {
      provider: options.cloud?.provider ?? noCloud,
      transport: options.wrap?.(server) ?? server,
      metrics: options.metrics,
      writeGate: options.writeGate ?? (() => undefined),
      writeLimitMsMax: 4_400,
    });
    const { clock, nodes } = this.parts;
    this.controller = new NodeIpamController({
      ...this.parts,
      mode: options.mode ?? 'write',
      workers: options.workers ?? 30,
      managedRoutes: options.managedRoutes,
      leadership: { ...(options.leadership ?? firstLeader), sinceMs: clock.monotonic() },
      settings: settingsOf(options),
    });
    this.begin((signal) =>
      nodes.whenSynced(signal).then(
        () => this.controller.run(signal),
        () => undefined,
      ),
    );
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
  lookup: () => Promise.reject(new Error('a range allocator asks no cloud')),
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

function podCIDRsOf(node: StoredObject): readonly string[] {
  return JSON.parse(JSON.stringify(node)).spec?.podCIDRs ?? [];
}

function valuesOf(podCIDRs: readonly string[]): readonly Cidr[] {
  return cidrsOf(podCIDRs.map(readPodCIDR));
}
