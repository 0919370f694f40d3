/** What `status` shows of each node, from the node itself and, where it is known, from the manager's view of it. */
import { findRequest, nodeIPsOf, readAddresses, stackOf } from '@tandem/core/node-address';
import { isInitialised, isPaused, type NodeFacts } from '@tandem/core/node-init';
import type { NodeStateName, NodeView } from '@tandem/core/view';
import { recordOf } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';

export interface StatusRow {
  readonly node: string;
  readonly state: NodeStateName;
  /** What the node asks for and by what; null where nothing asks. */
  readonly asked: { readonly value: string; readonly source: string } | null;
  /** The node's IPs, the primary one first. */
  readonly got: readonly string[];
  readonly stack: string | null;
  /** The code of the refusal, or why the node waits; null where there is nothing to say. */
  readonly reason: string | null;
  readonly message: string | null;
  /** Since when the node is refused or waits; null for others. */
  readonly since: string | null;
  /** Null where the node has none. */
  readonly providerID: string | null;
  readonly podCIDRs: readonly string[];
  /** What the cloud lists, and when it was asked; null where the manager did not tell. */
  readonly cloud: { readonly addresses: readonly string[]; readonly asOf: string } | null;
}

/** Without views, policies of the manager's configuration and refusals are not known. */
export function statusRows(
  nodes: readonly NodeProjection[],
  views: ReadonlyMap<string, NodeView> | undefined,
): readonly StatusRow[] {
  return nodes.map((node) => rowOf(node, views?.get(node.uid)));
}

function rowOf(node: NodeProjection, view: NodeView | undefined): StatusRow {
  const addresses = readAddresses(node.addresses);
  const facts = { labels: recordOf(node.labels), annotations: recordOf(node.annotations) };
  const state = stateOf({ ...facts, taints: node.taints }, view);
  const isWaiting = state === 'waiting' || state === 'refused';
  const created = new Date(node.creationTimestampSeconds * 1_000).toISOString();
  return {
    node: node.name,
    state,
    asked: view === undefined ? findRequest(facts, []) : view.request,
    got: nodeIPsOf(addresses).map(({ address }) => address),
    stack: stackOf(addresses),
    reason: view?.standing?.reason ?? null,
    message: view?.standing?.message ?? null,
    since: isWaiting ? (view?.standing?.since ?? created) : null,
    providerID: node.providerID === '' ? null : node.providerID,
    podCIDRs: node.podCIDRs,
    cloud: view?.cloud?.kind === 'found' ? cloudOf(view.cloud) : null,
  };
}

function cloudOf({
  asOf,
  instance,
}: Extract<NonNullable<NodeView['cloud']>, { kind: 'found' }>): StatusRow['cloud'] {
  return { asOf, addresses: instance.addresses.map(({ type, address }) => `${type} ${address}`) };
}

/** As the manager has it, else as far as the node tells. */
export function stateOf(
  node: Pick<NodeFacts, 'annotations' | 'taints'>,
  view: Pick<NodeView, 'state'> | undefined,
): NodeStateName {
  if (view !== undefined) return view.state;
  if (isPaused(node)) return 'paused';
  return isInitialised(node) ? 'initialised' : 'waiting';
}
