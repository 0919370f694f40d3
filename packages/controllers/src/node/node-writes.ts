/** The actions of a plan as guarded writes to the node that they were planned for. */
import type { NodeAction, NodeFacts } from '@tandem/core/node-init';
import { addressPatch, conditionPatchAt, nodePatch, type NodeProjection } from '@tandem/kube/node';
import type { PlannedWrite } from '../loop/index.ts';
import type { Planned } from './node-reports.ts';
import { listOf } from './event-text.ts';

/** A node of the cache as the planner sees it. */
export function factsOf(node: NodeProjection): NodeFacts {
  return {
    name: node.name,
    uid: node.uid,
    creationTimestampSeconds: node.creationTimestampSeconds,
    labels: node.labels,
    annotations: node.annotations,
    taints: node.taints,
    providerID: node.providerID,
    addresses: node.addresses,
    podCIDRs: node.podCIDRs,
    networkUnavailable: node.networkUnavailable,
  };
}

export function plannedWrite(
  planned: Planned,
  action: NodeAction,
  { atMs }: { readonly atMs: number },
): PlannedWrite {
  return {
    action: action.kind,
    patch: patchFor(planned, action, atMs),
    describe: () => ({ reason: action.reason(), ...changeOf(planned, action) }),
  };
}

function patchFor(
  { node, facts }: Planned,
  action: NodeAction,
  atMs: number,
): PlannedWrite['patch'] {
  const { name, uid, addresses: present } = facts;
  const seen = { ...facts, taints: node.taints };
  switch (action.kind) {
    case 'writeAddresses':
      return addressPatch({ name, uid, seen: present, addresses: action.addresses });
    case 'writeNetworkCondition':
      return conditionPatchAt({ name, uid, condition: action.condition, atMs });
    case 'writeLabels':
      return nodePatch({ node: seen, labels: action.labels });
    case 'initialise': {
      const { addresses, labels: missing, taintsToRemove, taintsToAdd } = action;
      const wanted = { addresses, taintsToRemove, taintsToAdd, labels: missing };
      return nodePatch({ node: seen, ...wanted, providerID: action.providerID });
    }
  }
}

/** The facts that a dry run logs about the action. */
function changeOf({ node }: Planned, action: NodeAction): Readonly<Record<string, unknown>> {
  switch (action.kind) {
    case 'writeAddresses':
      return { from: listOf(node.addresses), to: listOf(action.addresses) };
    case 'writeNetworkCondition':
      return { condition: `${action.condition.type}=${action.condition.status}` };
    case 'writeLabels':
      return { labels: action.labels };
    case 'initialise':
      return { providerID: action.providerID, labels: action.labels };
  }
}
