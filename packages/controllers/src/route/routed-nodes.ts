/** All nodes as a plan of routes takes them, with what is known of their instances. */
import { matchesSelector } from '@tandem/core/node-address';
import { isPausing, pausedAnnotation } from '@tandem/core/node-init';
import { internalIPsOf, type RoutedNode } from '@tandem/core/routes';
import { type NodeProjection, recordOf, valueAt } from '@tandem/kube/codec';
import { nodeRefOf, type NodeRecords } from '../loop/index.ts';
import type { RouteControllerOptions } from './options.ts';
import type { RouteNodeRecord, RouteState } from './route-state.ts';

/** Instances are looked up by other controllers every few minutes; what they learnt will do. */
const instanceAgeMs = 600_000;

export class RoutedNodes {
  readonly #options: Pick<RouteControllerOptions, 'lookup' | 'nodes' | 'settings'>;
  readonly #records: Pick<NodeRecords<RouteState>, 'get'>;

  constructor(
    options: Pick<RouteControllerOptions, 'lookup' | 'nodes' | 'settings'>,
    records: Pick<NodeRecords<RouteState>, 'get'>,
  ) {
    this.#options = options;
    this.#records = records;
  }

  /** A failed look-up leaves what was known. */
  read(): Promise<readonly RoutedNode[]> {
    const nodes = [...this.#options.nodes.list()];
    return Promise.all(nodes.map((node) => this.#readNode(node)));
  }

  async #readNode(node: NodeProjection): Promise<RoutedNode> {
    const { lookup } = this.#options;
    const isOurs = node.providerID !== '' && lookup.owns(node);
    const record = this.#records.get(node.uid);
    if (isOurs && record !== undefined && node.podCIDRs.length > 0) {
      await this.#lookUp(record, node);
    }
    const known = record?.state.instance;
    const instance = known?.providerID === node.providerID ? known.found : undefined;
    const facts = { instance, isOurs: isOurs && !lookup.isNotOurs(node) };
    if (record === undefined) return this.#routedNode(node, facts);
    const last = record.state.read;
    const isSame = last?.node === node && last.routed.instance === instance;
    if (isSame && last.routed.isOurs === facts.isOurs) return last.routed;
    const routed = this.#routedNode(node, facts);
    record.state.read = { node, routed };
    return routed;
  }

  #routedNode(node: NodeProjection, facts: Pick<RoutedNode, 'instance' | 'isOurs'>): RoutedNode {
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
    // It never rejects without a signal, and a signal with thousands of listeners is slow.
    const answer = await lookup.ask(nodeRefOf(node), { maxAgeMs: instanceAgeMs });
    const { providerID } = node;
    if (answer.kind === 'found') {
      const { key, podBlocks } = answer.instance;
      const known = record.state.instance;
      const isKnown = known?.providerID === providerID && known.found.key === key;
      if (isKnown && known.found.podBlocks === podBlocks) return;
      record.state.instance = { providerID, found: { key, podBlocks } };
    } else if (answer.kind === 'absent') {
      record.state.instance = undefined;
    }
  }
}
