/**
 * Reads all nodes as the route planner needs them, with their instances and with the Node that holds each instance
 * (P2).
 */
import { matchesSelector } from '@tandem/core/node-address';
import {
  type Claimant,
  findLostClaim,
  isInitialised,
  isPausing,
  pausedAnnotation,
} from '@tandem/core/node-init';
import { internalIPsOf, type RoutedNode } from '@tandem/core/routes';
import type { NodeProjection } from '@tandem/kube/node';
import { nodeRefOf, type NodeRecords } from '../loop/index.ts';
import type { RouteControllerOptions } from './options.ts';
import type { RouteNodeRecord, RouteState } from './route-state.ts';

/**
 * The accepted age of an instance. Other controllers look instances up every few minutes, so their answers are enough.
 */
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

  /** Reads all nodes. If a look-up fails, the node keeps the instance that was found before. */
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
      isSelected: selector === undefined || matchesSelector(selector, node.labels),
      isPaused: isPausing(node.annotations[pausedAnnotation]),
      isDeleting: node.deletionTimestampSeconds !== undefined,
    };
  }

  async #lookUp(record: RouteNodeRecord, node: NodeProjection): Promise<void> {
    const { lookup } = this.#options;
    const { state } = record;
    // Without a signal, `ask` never rejects, and a signal with thousands of listeners would be slow.
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

  /**
   * Returns the accepted age of an instance. A cloud that refused a route to an instance may no longer have the
   * instance, so only answers from after the refusal count.
   */
  #ageMsMax({ refusedAtMs }: RouteState): number {
    if (refusedAtMs === undefined) return instanceAgeMs;
    return Math.min(instanceAgeMs, this.#options.clock.monotonic() - refusedAtMs);
  }
}

/** The part of a routed node that comes from the cloud. */
type CloudFacts = Pick<RoutedNode, 'instance' | 'lookupFailure' | 'isOurs' | 'holder'>;

function isSame(a: CloudFacts, b: CloudFacts): boolean {
  const isSameInstance = a.instance === b.instance && a.lookupFailure === b.lookupFailure;
  return isSameInstance && a.isOurs === b.isOurs && a.holder === b.holder;
}

/** Returns the name of the Node that holds the instance instead of this one; undefined if this Node holds it. */
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
