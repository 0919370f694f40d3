/** The state that the node-route-controller keeps for one node, in addition to the state of the loop. */
import { enumerate } from '@tandem/core/node-address';
import { isInitialised } from '@tandem/core/node-init';
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
  /** The attempts to change the node's routes since all of them were last there. */
  history: RouteHistory;
  /** The instance that the cloud last returned, and the providerID that it was found for. */
  instance: { readonly providerID: string; readonly found: RoutedInstance } | undefined;
  /**
   * The last input for the planner, and the cached node that it was built from. The next pass uses it again if neither
   * the node nor its instance changed.
   */
  read: { readonly node: NodeProjection; readonly routed: RoutedNode } | undefined;
  /** The condition that this process last wrote or tried to write. */
  written: NodeProjection['networkUnavailable'];
  /** Why the last look-up of the instance failed; undefined if the cloud answered. */
  lookupFailure: string | undefined;
  /**
   * When the cloud last refused a route to the node; undefined once the cloud answered another look-up of the instance.
   */
  refusedAtMs: number | undefined;
  /** The last error of every failed change of a route to the node, by table and destination. */
  failures: ReadonlyMap<string, RouteFailure>;
}

/** A change of a route that failed. */
export interface RouteFailure {
  readonly kind: 'create' | 'replace' | 'delete';
  readonly table: string;
  readonly destination: string;
  /** The cloud's own message, which may contain ids and times. The code stays the same. */
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

/** Returns the failures after the result of one more change of a route to the node. */
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

/** Returns a text that stays the same while the same changes fail with the same codes, whatever the messages are. */
export function failureIdentity(failures: RouteState['failures']): string {
  const parts = Array.from(failures.values(), ({ kind, table, destination, code }) =>
    JSON.stringify([kind, table, destination, code]),
  );
  return parts.toSorted().join();
}

/** Describes the failures, with one sentence for all changes that failed in the same way in a table. */
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
    return sentenceOf(`Could not ${kind} the ${routes} to ${to} in table ${table}: ${message}`);
  });
  return sentences.join(' ');
}

/** Ends a text with a full stop, unless the words of the cloud at its end are a sentence or were cut. */
export function sentenceOf(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Returns whether the node's condition is the one that this process wrote, and so brings no news. */
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

/**
 * Returns whether the node was initialised when the last pass read it. The node in the cache may have lost its taint and
 * got its addresses since then, while the verdict of the pass still says that it has none.
 */
export function wasInitialised({ read }: RouteState): boolean {
  return read !== undefined && isInitialised(read.node);
}

/**
 * Returns whether the verdict of the last plan still fits the node. If not, the change of the node has asked for
 * another pass.
 */
export function isAsJudged({ read }: RouteState, node: NodeProjection): boolean {
  if (read === undefined) return false;
  return read.node === node || factsOf(read.node) === factsOf(node);
}

/**
 * Returns everything that a verdict depends on, as text: a node that was read live shares no objects with the cached
 * one.
 */
function factsOf(node: NodeProjection): string {
  const { podCIDRs, addresses, providerID, labels, annotations } = node;
  return JSON.stringify([podCIDRs, addresses, providerID, labels, annotations]);
}
