/**
 * Where routes are managed, a new node is marked as without a network before its taint goes, so that no pod is
 * scheduled to it before its routes are there. The mark is the condition NetworkUnavailable, from which
 * kube-controller-manager derives a taint. That taint comes with the write that removes the other one: between
 * the two, kube-controller-manager would leave the node without any.
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
  /** Undefined for all. */
  readonly selector: LabelSelector | undefined;
  /** Whether this manager gives nodes their podCIDRs. */
  readonly allocates: boolean;
}

/** As kube-controller-manager derives it from the condition. */
export const networkUnavailableTaint: NodeTaint = {
  key: 'node.kubernetes.io/network-unavailable',
  effect: 'NoSchedule',
};

/** Undefined where the node is not to be marked, or has been. */
export function planMark(
  node: NodeFacts,
  context: {
    readonly instance: CloudInstance;
    /** Those that the node will have. */
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

/** What a node gets in place of the taint that goes. */
export function taintsInPlace(
  node: Pick<NodeFacts, 'networkUnavailable'>,
  mark: NetworkConditionWrite | undefined,
): readonly NodeTaint[] {
  const { networkUnavailable: present } = node;
  const isMarked = mark !== undefined || (present?.status === 'True' && isRouteCondition(present));
  return isMarked ? [networkUnavailableTaint] : [];
}
