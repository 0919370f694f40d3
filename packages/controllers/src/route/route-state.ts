/** What the node-route-controller remembers of one node, beside what the loop does. */
import {
  noRouteHistory,
  type RoutedInstance,
  type RoutedNode,
  type RouteHistory,
} from '@tandem/core/routes';
import type { NodeProjection } from '@tandem/kube/codec';
import type { NodeRecord } from '../loop/index.ts';

export interface RouteState {
  /** What was tried for its routes since they were last all there. */
  history: RouteHistory;
  /** What the cloud last said about its instance, and for which providerID. */
  instance: { readonly providerID: string; readonly found: RoutedInstance } | undefined;
  /** The node as plans take it, and what of the cache it was made from; the same until either changes. */
  read: { readonly node: NodeProjection; readonly routed: RoutedNode } | undefined;
  /** The condition that this process last wrote, or tried to write. */
  written: NodeProjection['networkUnavailable'];
  /** The last words of the cloud about a route to the node that could not be created. */
  failure: string | undefined;
}

export type RouteNodeRecord = NodeRecord<RouteState>;

export function newState(): RouteState {
  return {
    history: noRouteHistory,
    instance: undefined,
    read: undefined,
    written: undefined,
    failure: undefined,
  };
}

/** Whether the condition of the node is the one that this process wrote, so that it tells nothing new. */
export function isOwnCondition(
  { written }: RouteState,
  { networkUnavailable }: NodeProjection,
): boolean {
  return (
    written !== undefined &&
    written.status === networkUnavailable?.status &&
    written.reason === networkUnavailable.reason
  );
}

/** Whether the verdict of the last plan still fits the node; otherwise its change has asked for another pass. */
export function isAsJudged({ read }: RouteState, node: NodeProjection): boolean {
  if (read === undefined) return false;
  return read.node === node || factsOf(read.node) === factsOf(node);
}

/** All that a verdict rests on. A node that was read live shares nothing with the one in the cache. */
function factsOf(node: NodeProjection): string {
  const { podCIDRs, addresses, providerID, labels, annotations } = node;
  return JSON.stringify([podCIDRs, addresses, providerID, labels, annotations]);
}
