/**
 * The condition NetworkUnavailable, if routes are managed. kube-controller-manager turns True into
 * a taint that keeps pods away. Reasons and messages are upstream's. A condition that a network
 * plugin wrote is never overwritten. False is written only when every route was read back (T5).
 * True is written for a node that is not marked yet only on proof that its routes cannot be
 * created: an incomplete list is no proof (P3).
 */
import { enumerate } from '../node-address/index.ts';
import type { RouteHistory } from './history.ts';
import { type ListedTable, listsNothing } from './listing.ts';
import type { RouteVerdict } from './verdict.ts';

/** The condition of a node. */
export interface NetworkCondition {
  readonly status: string;
  readonly reason: string;
}

/** What to write, and why. */
export interface NetworkConditionWrite {
  readonly condition: {
    readonly type: 'NetworkUnavailable';
    readonly status: 'True' | 'False';
    readonly reason: string;
    readonly message: string;
  };
  readonly why: string;
}

const routeCreated: NetworkConditionWrite['condition'] = {
  type: 'NetworkUnavailable',
  status: 'False',
  reason: 'RouteCreated',
  message: 'RouteController created a route',
};

export const noRouteCreated: NetworkConditionWrite['condition'] = {
  type: 'NetworkUnavailable',
  status: 'True',
  reason: 'NoRouteCreated',
  message: 'RouteController failed to create a route',
};

/**
 * Whether a route controller may write the condition: it is absent, or a route controller wrote it.
 */
export function isRouteCondition(condition: NetworkCondition | undefined): boolean {
  if (condition === undefined) return true;
  return condition.reason === routeCreated.reason || condition.reason === noRouteCreated.reason;
}

export interface NetworkConditionInput {
  /** Undefined if the node has none. */
  readonly condition: NetworkCondition | undefined;
  readonly verdict: RouteVerdict;
  readonly history: RouteHistory;
  /** The list behind the verdict. */
  readonly listing: { readonly asOfMs: number; readonly tables: readonly ListedTable[] };
}

/** Returns the condition to write, if any. */
export function planNetworkCondition(
  input: NetworkConditionInput,
): NetworkConditionWrite | undefined {
  const { condition, verdict, history, listing } = input;
  if (!isRouteCondition(condition)) return undefined;
  // An older list does not show the effect of the last operation.
  if (listing.asOfMs < (history.lastWriteMs ?? listing.asOfMs)) return undefined;
  switch (verdict.kind) {
    case 'leftAlone':
    case 'noPodCIDRs':
      return undefined;
    case 'available': {
      const { status, reason } = routeCreated;
      if (condition?.status === status && condition.reason === reason) return undefined;
      return { condition: routeCreated, why: 'every route that the node needs is there' };
    }
    case 'unavailable':
      if (condition?.status === 'True' || listsNothing(listing.tables)) return undefined;
      if (!isProven(history)) return undefined;
      return { condition: noRouteCreated, why: enumerate(verdict.missing, missingMax) };
  }
}

/** A single failure may be a passing fault. */
const failuresMin = 2;

function isProven({ refusals, failures }: RouteHistory): boolean {
  return refusals > 0 || failures >= failuresMin;
}

/** Short enough for the note of an event with other text. */
const missingMax = 300;

/**
 * The message if routes are no longer managed and nodes are still marked. Tandem does not clear the
 * marks, because another route controller may manage the routes now. Undefined if no node is
 * marked.
 */
export function describeLeftMarked(
  nodes: readonly { readonly name: string; readonly condition: NetworkCondition | undefined }[],
): string | undefined {
  const marked = nodes.filter(
    ({ condition }) =>
      condition?.status === noRouteCreated.status && condition.reason === noRouteCreated.reason,
  );
  if (marked.length === 0) return undefined;
  const names = enumerate(marked.map(({ name }) => name).toSorted());
  return `Routes are not managed, and NetworkUnavailable is still True on ${marked.length} nodes: ${names}. Unless another controller manages routes, clear each with: ${clearCommand}`;
}

const clearCommand = `kubectl patch node NAME --subresource=status -p '${JSON.stringify({
  status: { conditions: [routeCreated] },
})}'`;
