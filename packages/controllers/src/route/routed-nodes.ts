/** All nodes as a plan of routes takes them, with what is known of their instances, and who holds each (P2). */
import { matchesSelector } from '@tandem/core/node-address';
import {
  type Claimant,
  findLostClaim,
  isInitialised,
  isPausing,
  pausedAnnotation,
} from '@tandem/core/node-init';
import { internalIPsOf, type RoutedNode } from '@tandem/core/routes';
import { recordOf, valueAt } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';
import { nodeRefOf, type NodeRecords } from '../loop/index.ts';
import type { RouteControllerOptions } from './options.ts';
import type { RouteNodeRecord, RouteState } from './route-state.ts';

/** Instances are looked up by other controllers every few minutes; what they learnt will do. */
const instanceAgeMs = 600_000;

export class RoutedNodes {
  readonly #options: Pick<RouteControllerOptions, 'lookup' | 'nodes' | 'settings' | 'clock'>;
  readonly #records: Pick<NodeRecords<RouteState>, 'get'>;

  constructor(
    options: Pick<RouteControllerOptions, 'lookup' | 'nodes' | 'settings' | 'clock'>,
    records: Pick<NodeRecords<RouteState>, 'get'>,
  ) {
    this.#options = options;
    this.#records = records;
  }

  /** A failed look-up leaves what was known. */
  read(): Promise<readonly RoutedNode[]> {
    const nodes = [...this.#options.nodes.list()];
    const keyOf = ({ providerID }: NodeProjection): string | undefined =>
      providerID === '' ? undefined : this.#options.lookup.identify(providerID);
    const byKey = Map.groupBy(nodes, keyOf);
    return Promise.all(
      nodes.map((node) => {
        const key = keyOf(node);
        const claimants = key === undefined ? [] : (byKey.get(key) ?? []);
        const holder = claimants.length < 2 ? undefined : findHolder(node, claimants);
        return this.#readNode(node, { isOurs: key !== undefined, holder });
      }),
    );
  }

  async #readNode(
    node: NodeProjection,
    { isOurs, holder }: Pick<RoutedNode, 'isOurs' | 'holder'>,
  ): Promise<RoutedNode> {
    const { lookup } = this.#options;
    const record = this.#records.get(node.uid);
    if (isOurs && record !== undefined && node.podCIDRs.length > 0) {
      await this.#lookUp(record, node);
    }
    const known = record?.state.instance;
    const instance = known?.providerID === node.providerID ? known.found : undefined;
    const lookupFailure = instance === undefined ? record?.state.lookupFailure : undefined;
    const isNotOurs = lookup.isNotOurs(node);
    const facts = { instance, lookupFailure, isOurs: isOurs && !isNotOurs, holder };
    if (record === undefined) return this.#routedNode(node, facts);
    const last = record.state.read;
    if (last?.node === node && isSame(last.routed, facts)) return last.routed;
    const routed = this.#routedNode(node, facts);
    record.state.read = { node, routed };
    return routed;
  }

  #routedNode(node: NodeProjection, facts: CloudFacts): RoutedNode {
    const { selector } = this.#options.settings;
    return {
      name: node.name,
      uid: node.uid,
      podCIDRs: node.podCIDRs,
      ...facts,
      internalIPs: internalIPsOf(node.addresses),
      isSelected: selector === undefined || matchesSelector(selector, recordOf(node.labels)),
      isPaused: isPausing(valueAt(node.annotations, pausedAnnotation)),
      isDeleting: node.deletionTimestampSeconds !== undefined,
    };
  }

  async #lookUp(record: RouteNodeRecord, node: NodeProjection): Promise<void> {
    const { lookup } = this.#options;
    const { state } = record;
    // It never rejects without a signal, and a signal with thousands of listeners is slow.
    const answer = await lookup.ask(nodeRefOf(node), { maxAgeMs: this.#ageMsMax(state) });
    state.lookupFailure = answer.kind === 'unknown' ? answer.err.message : undefined;
    if (answer.kind === 'unknown') return;
    state.refusedAtMs = undefined;
    if (answer.kind === 'absent') state.instance = undefined;
    if (answer.kind !== 'found') return;
    const { providerID } = node;
    const { key, podBlocks } = answer.instance;
    const known = state.instance;
    const isKnown = known?.providerID === providerID && known.found.key === key;
    if (isKnown && known.found.podBlocks === podBlocks) return;
    state.instance = { providerID, found: { key, podBlocks } };
  }

  /** A cloud that refuses a route to an instance may no longer have it. What it said before does not count then. */
  #ageMsMax({ refusedAtMs }: RouteState): number {
    if (refusedAtMs === undefined) return instanceAgeMs;
    return Math.min(instanceAgeMs, this.#options.clock.monotonic() - refusedAtMs);
  }
}

/** What a node is to the cloud. */
type CloudFacts = Pick<RoutedNode, 'instance' | 'lookupFailure' | 'isOurs' | 'holder'>;

function isSame(a: CloudFacts, b: CloudFacts): boolean {
  const isSameInstance = a.instance === b.instance && a.lookupFailure === b.lookupFailure;
  return isSameInstance && a.isOurs === b.isOurs && a.holder === b.holder;
}

/** The name of the Node to which this one has lost its instance. */
function findHolder(
  node: NodeProjection,
  claimants: readonly NodeProjection[],
): string | undefined {
  return findLostClaim(claimantOf(node), claimants.map(claimantOf))?.holder.name;
}

function claimantOf(node: NodeProjection): Claimant {
  const { name, uid, creationTimestampSeconds } = node;
  return { name, uid, creationTimestampSeconds, isInitialised: isInitialised(node) };
}
