/**
 * A cluster in virtual time: the embedded API server, the simulated cloud, and managers that a test
 * starts, stops and kills. Everything between them is the shipped code. After every write NodeWorld
 * checks that no node has lost its taint without addresses and providerID (P1).
 */
import assert from 'node:assert/strict';
import type { NodeAddress } from '@tandem/core/node-address';
import { uninitializedTaint } from '@tandem/core/node-init';
import type { Provider } from '@tandem/provider/plug';
import type { VirtualClock } from '@tandem/runtime/testing';
import { putObject, type StoredObject } from '../../../../test/support/embedded-api.ts';
import { type CloudSettings, SimulatedCloud } from '../../../../test/support/simulated-cloud.ts';
import { type EventView, TestCluster } from '../loop/test-cluster.fixture.ts';
import { Manager, type ManagerOptions } from './manager.fixture.ts';

export interface NodeWorldOptions {
  readonly seed?: string;
  readonly cloud?: Partial<CloudSettings>;
  /** Replaces the simulated cloud as the provider. */
  readonly provider?: (cloud: SimulatedCloud, clock: VirtualClock) => Provider;
}

export interface NodeOrder {
  readonly name: string;
  readonly podCIDRs?: readonly string[];
  readonly uid?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly effect: string }[];
  readonly providerID?: string;
  readonly addresses?: readonly NodeAddress[];
  readonly createdAtMs?: number;
}

/** The parts of a node that tests check. */
export interface NodeView {
  readonly uid: string;
  readonly providerID: string;
  /** For example `InternalIP 10.0.0.1`. */
  readonly addresses: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly string[];
  readonly isInitialised: boolean;
}

const tainted: readonly { readonly key: string; readonly effect: string }[] = [
  { key: uninitializedTaint, effect: 'NoSchedule' },
];

export class NodeWorld extends TestCluster {
  readonly cloud: SimulatedCloud;
  readonly provider: Provider;
  #created = 0;

  constructor({ seed = 'world', cloud, provider }: NodeWorldOptions = {}) {
    super(seed);
    const { clock, random } = this;
    this.cloud = new SimulatedCloud({
      clock,
      random,
      ...(cloud === undefined ? {} : { settings: cloud }),
    });
    this.provider = provider?.(this.cloud, clock) ?? this.cloud;
    this.onNode(assertAddressesFirst);
  }

  start(options: ManagerOptions = {}): Manager {
    return new Manager(this, options);
  }

  /** A node as kubelet registers it, with the given changes. */
  addNode(order: NodeOrder): void {
    const { name, annotations = {}, labels = { os: 'linux' }, taints = tainted } = order;
    const number = ++this.#created;
    const createdAtMs = order.createdAtMs ?? this.clock.now();
    putObject(this.model, 'nodes', {
      metadata: {
        name,
        uid: order.uid ?? `uid-${String(number).padStart(5, '0')}`,
        creationTimestamp: `${new Date(createdAtMs).toISOString().slice(0, 19)}Z`,
        labels,
        annotations,
      },
      spec: {
        ...(order.providerID === undefined ? {} : { providerID: order.providerID }),
        ...(taints.length === 0 ? {} : { taints }),
        ...(order.podCIDRs === undefined ? {} : { podCIDRs: order.podCIDRs }),
      },
      status: {
        addresses: order.addresses ?? [{ type: 'Hostname', address: name }],
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-03-01T12:00:00Z' }],
        nodeInfo: { bootID: 'boot-1' },
      },
    });
  }

  /** A node and its instance. */
  addMachine(order: NodeOrder & { readonly cloud?: readonly NodeAddress[] }): void {
    const { name, cloud: addresses } = order;
    this.cloud.create({ name, ...(addresses === undefined ? {} : { addresses }) });
    this.addNode(order);
  }

  /** An initialised node that needs no change, and its instance. */
  addReady(name: string): void {
    const { providerID, addresses } = this.cloud.create({ name });
    const zone = this.cloud.find(name)?.zone ?? '';
    const labels = {
      'beta.kubernetes.io/instance-type': 'sim.large',
      'node.kubernetes.io/instance-type': 'sim.large',
      'failure-domain.beta.kubernetes.io/zone': zone,
      'topology.kubernetes.io/zone': zone,
      'failure-domain.beta.kubernetes.io/region': 'simulation',
      'topology.kubernetes.io/region': 'simulation',
    };
    this.addNode({ name, providerID, addresses, labels, taints: [] });
  }

  annotate(name: string, annotations: Readonly<Record<string, string | null>>): void {
    this.change(name, (node) => {
      const merged: [string, string | null][] = Object.entries({
        ...node.metadata.annotations,
        ...annotations,
      });
      const kept = merged.flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
      return { ...node, metadata: { ...node.metadata, annotations: Object.fromEntries(kept) } };
    });
  }

  /** Replaces all labels of the node. */
  relabel(name: string, labels: Readonly<Record<string, string>>): void {
    this.change(name, (node) => ({ ...node, metadata: { ...node.metadata, labels } }));
  }

  /** A change of a field that no projection reads, such as kubelet makes every few seconds. */
  heartbeat(name: string): void {
    this.change(name, (node) => ({
      ...node,
      status: { ...asRecord(node['status']), heartbeat: this.clock.now() },
    }));
  }

  node(name: string): NodeView {
    return viewOf(this.find(name));
  }

  events(node?: string): EventView[] {
    const events = this.eventViews();
    return node === undefined ? events : events.filter((event) => event.node === node);
  }

  reasons(node: string): string[] {
    return this.events(node).map(({ reason }) => reason);
  }
}

/** Checks P1 on a stored node. */
function assertAddressesFirst(object: StoredObject): void {
  const { isInitialised, addresses, providerID } = viewOf(object);
  if (!isInitialised) return;
  assert.ok(addresses.length > 0, `P1: ${object.metadata.name} has no taint and no address`);
  assert.ok(providerID !== '', `P1: ${object.metadata.name} has no taint and no providerID`);
}

function viewOf(object: StoredObject): NodeView {
  const spec = asRecord(object['spec']);
  const status = asRecord(object['status']);
  const addresses = (status['addresses'] ?? []) as readonly NodeAddress[];
  const taints = ((spec['taints'] ?? []) as readonly { readonly key: string }[]).map(
    ({ key }) => key,
  );
  return {
    uid: object.metadata.uid ?? '',
    providerID: (spec['providerID'] ?? '') as string,
    addresses: addresses.map(({ type, address }) => `${type} ${address}`),
    labels: (object.metadata['labels'] ?? {}) as Readonly<Record<string, string>>,
    taints,
    isInitialised: !taints.includes(uninitializedTaint),
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Readonly<Record<string, unknown>>;
}
