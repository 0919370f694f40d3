/**
 * The operations on a route, in the terms of the provider plug, with reasons. The operations of a plan
 * name different destinations of a table. They are safe in any order and in any subset, because clouds
 * execute a batch in any order and any part may fail (T1, T2, T3).
 */
import { formatAddress } from '../ip/index.ts';
import type { ListedRoute } from './listing.ts';
import type { WantedRoute } from './need.ts';

export type RouteOperation =
  | {
      readonly kind: 'create';
      readonly table: string;
      readonly destination: string;
      readonly to: RouteEnd;
    }
  /** `route` is the id of the route that is replaced. */
  | {
      readonly kind: 'replace';
      readonly table: string;
      readonly route: string;
      readonly to: RouteEnd;
    }
  | { readonly kind: 'delete'; readonly table: string; readonly route: string };

/** The node that a route leads to. */
export interface RouteEnd {
  readonly key: string;
  readonly name: string;
  readonly addresses: { readonly IPv4?: string; readonly IPv6?: string };
}

export interface PlannedOperation {
  readonly operation: RouteOperation;
  /** In the canonical spelling. Table and destination identify an operation of a plan. */
  readonly destination: string;
  /** The node that the route is for; undefined if no node needs it. */
  readonly node: { readonly name: string; readonly uid: string } | undefined;
  readonly reason: string;
}

export function createRoute(table: string, want: WantedRoute): PlannedOperation {
  const { text } = want;
  return {
    operation: { kind: 'create', table, destination: text, to: endOf(want) },
    ...about(want),
    reason: `node ${want.node.name} has podCIDR ${text}, and the table has no route to it`,
  };
}

export function replaceRoute(
  table: string,
  want: WantedRoute,
  { route, flaw }: { readonly route: ListedRoute; readonly flaw: string },
): PlannedOperation {
  return {
    operation: { kind: 'replace', table, route: route.id, to: endOf(want) },
    ...about(want),
    reason: `node ${want.node.name} has podCIDR ${want.text}, and the route to it ${flaw}`,
  };
}

export function deleteRoute(
  table: string,
  route: Pick<ListedRoute, 'id'>,
  { destination, reason }: Pick<PlannedOperation, 'destination' | 'reason'>,
): PlannedOperation {
  const operation = { kind: 'delete', table, route: route.id } as const;
  return { operation, destination, node: undefined, reason };
}

function about({
  node: { name, uid },
  text,
}: WantedRoute): Pick<PlannedOperation, 'destination' | 'node'> {
  return { destination: text, node: { name, uid } };
}

function endOf({ node: { name, internalIPs }, key }: WantedRoute): RouteEnd {
  const { IPv4, IPv6 } = internalIPs;
  return {
    key,
    name,
    addresses: {
      ...(IPv4 === undefined ? {} : { IPv4: formatAddress(IPv4) }),
      ...(IPv6 === undefined ? {} : { IPv6: formatAddress(IPv6) }),
    },
  };
}
