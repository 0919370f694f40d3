/** Nodes on a real API server, for tests of patches and events. */
import type { NodeAddress } from '@tandem/core/node-address';
import type { NewTaint, SeenNode } from '@tandem/kube/node';
import { type ApiResponse, type Credentials, requestOk } from '../../control-plane/index.ts';

export const uninitialized: NewTaint = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

export interface Node extends SeenNode {
  readonly podCIDR: string;
  readonly podCIDRs: readonly string[];
  readonly addresses: readonly NodeAddress[];
  readonly conditions: readonly Readonly<Record<'type' | 'status' | 'reason', string>>[];
  readonly resourceVersion: string;
}

interface NewNode {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly NewTaint[];
  readonly providerID?: string;
}

export class Nodes {
  readonly #admin: Credentials;

  constructor(admin: Credentials) {
    this.#admin = admin;
  }

  async create({ name, labels, taints, providerID }: NewNode): Promise<Node> {
    const body = { metadata: { name, labels }, spec: { taints, providerID } };
    return nodeIn(await requestOk(this.#admin, { method: 'POST', path: nodesPath, body }));
  }

  async get(name: string): Promise<Node> {
    return nodeIn(await requestOk(this.#admin, { path: pathOf(name) }));
  }

  async delete(name: string): Promise<void> {
    await requestOk(this.#admin, { method: 'DELETE', path: pathOf(name) });
  }

  /** The write that a kubelet makes every few seconds. */
  async heartbeat(name: string, count: number): Promise<void> {
    const at = new Date(Date.UTC(2026, 0, 1) + count * 1_000).toISOString();
    const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: at, reason: `r${count}` };
    await this.#merge(`${pathOf(name)}/status`, { status: { conditions: [ready] } });
  }

  async setTaints(name: string, taints: readonly NewTaint[]): Promise<void> {
    await this.#merge(pathOf(name), { spec: { taints } });
  }

  async setAddresses(name: string, addresses: readonly NodeAddress[]): Promise<void> {
    await this.#merge(`${pathOf(name)}/status`, { status: { addresses } });
  }

  async #merge(path: string, body: unknown): Promise<void> {
    const contentType = 'application/merge-patch+json';
    await requestOk(this.#admin, { method: 'PATCH', path, contentType, body });
  }
}

function nodeIn({ text }: ApiResponse): Node {
  const { metadata, spec, status } = JSON.parse(text);
  return {
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    labels: metadata.labels ?? {},
    taints: spec.taints ?? [],
    providerID: spec.providerID ?? '',
    podCIDR: spec.podCIDR ?? '',
    podCIDRs: spec.podCIDRs ?? [],
    addresses: status.addresses ?? [],
    conditions: status.conditions ?? [],
  };
}

const nodesPath = '/api/v1/nodes';

function pathOf(name: string): string {
  return `${nodesPath}/${name}`;
}
