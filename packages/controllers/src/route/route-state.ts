/** What the node-route-controller remembers of one node, beside what the loop does. */
import { enumerate } from '@tandem/core/node-address';
import {
  noRouteHistory,
  type PlannedOperation,
  type RoutedInstance,
  type RoutedNode,
  type RouteHistory,
} from '@tandem/core/routes';
import type { NodeProjection } from '@tandem/kube/node';
import type { OperationResult } from '@tandem/provider/routes';
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
  /** Why the instance could not be looked up the last time; undefined where the cloud has answered. */
  lookupFailure: string | undefined;
  /** When the cloud last refused a route to the node, as long as the instance was not looked up since. */
  refusedAtMs: number | undefined;
  /** What the cloud last said about each change of a route to the node that failed, by table and destination. */
  failures: ReadonlyMap<string, RouteFailure>;
}

/** A change of a route that failed. */
export interface RouteFailure {
  readonly kind: 'create' | 'replace' | 'delete';
  readonly table: string;
  readonly destination: string;
  /** The cloud's own words, which may have ids and times in them, and the code that stays the same. */
  readonly message: string;
  readonly code: string;
}

export type RouteNodeRecord = NodeRecord<RouteState>;

export function newState(): RouteState {
  return {
    history: noRouteHistory,
    instance: undefined,
    read: undefined,
    written: undefined,
    lookupFailure: undefined,
    refusedAtMs: undefined,
    failures: new Map(),
  };
}

/** What failed, after one more change of a route to the node. */
export function withResult(
  failures: RouteState['failures'],
  { operation: { kind, table }, destination }: PlannedOperation,
  result: OperationResult,
): RouteState['failures'] {
  const key = JSON.stringify([table, destination]);
  if (result.kind === 'applied' && !failures.has(key)) return failures;
  const others = [...failures].filter(([other]) => other !== key);
  if (result.kind === 'applied') return new Map(others);
  const { message, code } = result.err;
  return new Map([...others, [key, { kind, table, destination, message, code }]]);
}

/** What makes failures the same as before although their words may differ. */
export function failureIdentity(failures: RouteState['failures']): string {
  const parts = Array.from(failures.values(), ({ kind, table, destination, code }) =>
    JSON.stringify([kind, table, destination, code]),
  );
  return parts.toSorted().join();
}

/** One sentence for all that failed in the same way in a table. */
export function failureWords(failures: RouteState['failures']): string {
  const alike = Map.groupBy(failures.values(), ({ kind, table, message }) =>
    JSON.stringify([kind, table, message]),
  );
  const sentences = [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, table, message } = first;
    const to = enumerate(group.map(({ destination }) => destination).toSorted());
    const routes = group.length === 1 ? 'route' : 'routes';
    return `Could not ${kind} the ${routes} to ${to} in table ${table}: ${message}`;
  });
  return sentences.join(' ');
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
