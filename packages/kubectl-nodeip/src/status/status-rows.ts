/** Builds the rows of `status` from each node and, if there is one, the manager's view of it. */
import { findRequest, nodeIPsOf, readAddresses, stackOf } from '@tandem/core/node-address';
import { isInitialised } from '@tandem/core/node-init';
import type { NodeView } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import type { NodeWarning } from '../live/node-warnings.ts';
import { judgeObjects, type Judgement } from './judge-objects.ts';

export interface StatusRow extends Judgement {
  readonly node: string;
  /** The request of the node and its source; null if it has none. */
  readonly asked: { readonly value: string; readonly source: string } | null;
  /** The node's IPs, the primary one first. Empty while the node has the uninitialized taint. */
  readonly got: readonly string[];
  readonly stack: string | null;
  /** Null if the node has none. */
  readonly providerID: string | null;
  readonly podCIDRs: readonly string[];
  /** The cloud's addresses and their age; null without the manager's view. */
  readonly cloud: { readonly addresses: readonly string[]; readonly asOf: string } | null;
}

export interface StatusFacts {
  /** Undefined without the manager's view. The policies of its configuration are then unknown. */
  readonly views: ReadonlyMap<string, NodeView> | undefined;
  /** The warnings of nodes without a view. */
  readonly warnings: readonly NodeWarning[];
}

export function statusRows(
  nodes: readonly NodeProjection[],
  { views, warnings }: StatusFacts,
): readonly StatusRow[] {
  const byNode = Map.groupBy(warnings, ({ uid }) => uid);
  return nodes.map((node) => rowOf(node, views?.get(node.uid), byNode.get(node.uid) ?? []));
}

function rowOf(
  node: NodeProjection,
  view: NodeView | undefined,
  warnings: readonly NodeWarning[],
): StatusRow {
  // Addresses that a kubelet reports are not confirmed while the node has the taint.
  const addresses = isInitialised(node) ? readAddresses(node.addresses) : [];
  const { asked, state, reason, message, since } =
    view === undefined ? fromObjects(node, warnings) : fromView(view, node);
  return {
    node: node.name,
    state,
    asked,
    got: nodeIPsOf(addresses).map(({ address }) => address),
    stack: stackOf(addresses),
    reason,
    message,
    since,
    providerID: node.providerID === '' ? null : node.providerID,
    podCIDRs: node.podCIDRs,
    cloud: view?.cloud?.kind === 'found' ? cloudOf(view.cloud) : null,
  };
}

type Known = Pick<StatusRow, 'asked'> & Judgement;

function fromObjects(node: NodeProjection, warnings: readonly NodeWarning[]): Known {
  return { asked: findRequest(node, []), ...judgeObjects(node, warnings) };
}

function fromView({ state, standing, request }: NodeView, node: NodeProjection): Known {
  const isWaiting = state === 'waiting' || state === 'refused';
  const created = new Date(node.creationTimestampSeconds * 1_000).toISOString();
  return {
    asked: request,
    state,
    reason: standing?.reason ?? null,
    message: standing?.message ?? null,
    since: isWaiting ? (standing?.since ?? created) : null,
  };
}

function cloudOf({
  asOf,
  instance,
}: Extract<NonNullable<NodeView['cloud']>, { kind: 'found' }>): StatusRow['cloud'] {
  return { asOf, addresses: instance.addresses.map(({ type, address }) => `${type} ${address}`) };
}
