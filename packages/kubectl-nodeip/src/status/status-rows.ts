/** What `status` shows of each node, from the node itself and, where it is known, from the manager's view of it. */
import { findRequest, nodeIPsOf, readAddresses, stackOf } from '@tandem/core/node-address';
import { isInitialised } from '@tandem/core/node-init';
import type { NodeView } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import type { NodeWarning } from '../live/node-warnings.ts';
import { judgeObjects, type Judgement } from './judge-objects.ts';

export interface StatusRow extends Judgement {
  readonly node: string;
  /** What the node asks for and by what; null where nothing asks. */
  readonly asked: { readonly value: string; readonly source: string } | null;
  /** The node's IPs, the primary one first. None while the node has the uninitialized taint. */
  readonly got: readonly string[];
  readonly stack: string | null;
  /** Null where the node has none. */
  readonly providerID: string | null;
  readonly podCIDRs: readonly string[];
  /** What the cloud lists, and when it was asked; null where the manager did not tell. */
  readonly cloud: { readonly addresses: readonly string[]; readonly asOf: string } | null;
}

export interface StatusFacts {
  /** Undefined where the manager did not tell. Policies of its configuration are then not known. */
  readonly views: ReadonlyMap<string, NodeView> | undefined;
  /** Of nodes without a view. */
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
  // Those that a kubelet reports by itself are not confirmed while the node has the taint.
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
