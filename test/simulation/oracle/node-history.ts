/**
 * What each Node was as far as routes go, and between which versions of the store. A manager's cache may be behind,
 * so a write of its is judged by all that the Node was since the version that its cache had reached.
 */
import type { PodFamily } from '../plan/index.ts';
import { type NaiveCidr, naiveCidr } from './naive-cidr.ts';
import { podCIDRsOf, rankOf, type StoredNode } from './stored-node.ts';

export interface NodeState {
  readonly uid: string;
  readonly name: string;
  /** Of the machine that the Node says it is; empty where it says nothing yet. */
  readonly providerID: string;
  readonly cidrs: readonly NaiveCidr[];
  /** The first InternalIP of each family. */
  readonly hops: Readonly<Partial<Record<PodFamily, string>>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly isPaused: boolean;
  /** Of several Nodes that say they are one machine, the one with the lowest holds it. */
  readonly rank: string;
}

interface PastState {
  readonly state: NodeState;
  /** The versions from and until which it was so; the second one no longer counts. */
  readonly fromVersion: number;
  readonly untilVersion: number;
}

/** So far. */
const now = Number.POSITIVE_INFINITY;

export class NodeHistory {
  readonly #pasts = new Map<string, PastState[]>();

  changed(before: StoredNode | undefined, after: StoredNode, fromVersion: number): void {
    if (before !== undefined && isSame(before, after)) return;
    const { uid } = after.metadata;
    this.gone(uid, fromVersion);
    const pasts = this.#pasts.get(uid) ?? [];
    pasts.push({ state: nodeStateOf(after), fromVersion, untilVersion: now });
    this.#pasts.set(uid, pasts);
  }

  /** It is no longer what it was. */
  gone(uid: string, untilVersion: number): void {
    const last = this.#pasts.get(uid)?.pop();
    if (last !== undefined) this.#pasts.get(uid)?.push({ ...last, untilVersion });
  }

  /** Whether some Node was such at this version or later. */
  wasSince(version: number, isSuch: (state: NodeState) => boolean): boolean {
    for (const pasts of this.#pasts.values()) {
      for (const { state, untilVersion } of pasts) {
        if (untilVersion > version && isSuch(state)) return true;
      }
    }
    return false;
  }

  /** A Node that has been such all the time since this version, and is it now. */
  findLasting(version: number, isSuch: (state: NodeState) => boolean): NodeState | undefined {
    for (const pasts of this.#pasts.values()) {
      const last = pasts.at(-1);
      if (last === undefined || last.untilVersion !== now || !isSuch(last.state)) continue;
      const since = pasts.filter(({ untilVersion }) => untilVersion > version);
      const isAll = since.every(({ state }) => isSuch(state));
      if (isAll && (since[0]?.fromVersion ?? now) <= version) return last.state;
    }
    return undefined;
  }
}

export function nodeStateOf(node: StoredNode): NodeState {
  const { metadata, spec, status } = node;
  const hops: Partial<Record<PodFamily, string>> = {};
  for (const { type, address } of status.addresses ?? []) {
    if (type === 'InternalIP') hops[address.includes(':') ? 'IPv6' : 'IPv4'] ??= address;
  }
  return {
    uid: metadata.uid,
    name: metadata.name,
    providerID: spec.providerID ?? '',
    cidrs: podCIDRsOf(node).map(naiveCidr),
    hops,
    labels: metadata.labels ?? {},
    isPaused: metadata.annotations?.['tandem.dev/paused'] === 'true',
    rank: rankOf(node),
  };
}

function isSame(before: StoredNode, after: StoredNode): boolean {
  return (
    before.spec.providerID === after.spec.providerID &&
    before.spec.podCIDRs === after.spec.podCIDRs &&
    before.spec.taints === after.spec.taints &&
    before.status.addresses === after.status.addresses &&
    before.metadata.labels === after.metadata.labels &&
    before.metadata.annotations === after.metadata.annotations
  );
}
