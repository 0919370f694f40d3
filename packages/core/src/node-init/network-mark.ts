/**
 * If routes are managed, a new node is marked as without a network before its taint is removed, so
 * that no pod is scheduled to it before its routes exist. The mark is the condition
 * NetworkUnavailable, from which kube-controller-manager derives a taint. Tandem adds that taint in
 * the write that removes the other one, because kube-controller-manager would add it too late.
 */
import { type LabelSelector, matchesSelector, type NodeAddress } from '../node-address/index.ts';
import {
  internalIPsOf,
  isRouteCondition,
  type NetworkConditionWrite,
  planFirstNetworkCondition,
  type RouteScope,
} from '../routes/index.ts';
import type { CloudInstance } from './cloud-answer.ts';
import type { NodeFacts, NodeTaint } from './node.ts';

/** Which nodes get routes. */
export interface RouteRules extends RouteScope {
  /** Undefined for all nodes. */
  readonly selector: LabelSelector | undefined;
  /** Whether this manager gives nodes their podCIDRs. */
  readonly allocates: boolean;
}

/** The taint that kube-controller-manager derives from the condition. */
export const networkUnavailableTaint: NodeTaint = {
  key: 'node.kubernetes.io/network-unavailable',
  effect: 'NoSchedule',
};

/** Returns the mark; undefined if the node needs none or has one. */
export function planMark(
  node: NodeFacts,
  context: {
    readonly instance: CloudInstance;
    /** The addresses that the node will have. */
    readonly addresses: readonly NodeAddress[];
    readonly rules: RouteRules;
  },
): NetworkConditionWrite | undefined {
  const { instance, addresses, rules } = context;
  const { name, uid, podCIDRs, labels } = node;
  const { selector } = rules;
  return planFirstNetworkCondition({
    ...rules,
    condition: node.networkUnavailable,
    node: {
      name,
      uid,
      podCIDRs,
      instance: { key: instance.providerID, podBlocks: instance.podBlocks },
      internalIPs: internalIPsOf(addresses),
      isOurs: true,
      holder: undefined,
      isSelected: selector === undefined || matchesSelector(selector, labels),
      isPaused: false,
      isDeleting: false,
    },
  });
}

/** Returns the taints that a node gets in place of the removed one. */
export function taintsInPlace(
  node: Pick<NodeFacts, 'networkUnavailable'>,
  mark: NetworkConditionWrite | undefined,
): readonly NodeTaint[] {
  const { networkUnavailable: present } = node;
  const isMarked = mark !== undefined || (present?.status === 'True' && isRouteCondition(present));
  return isMarked ? [networkUnavailableTaint] : [];
}
