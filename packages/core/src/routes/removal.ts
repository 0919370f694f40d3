/**
 * Finds the routes to one destination that no live node needs (T2). A route that could still serve
 * a node stays until the list shows the node's own route: a network that contains another one
 * routes that one, too.
 */
import { type Cidr, cidrKey, formatCidr } from '../ip/index.ts';
import { byId, type ListedRoute, mayChange } from './listing.ts';
import { isUndecided, type WantedRoute } from './need.ts';
import type { RouteNeeds } from './needs.ts';
import { leadsTo, type DestinationState } from './destination-state.ts';

/** The routes of a table to one destination. */
export interface RouteGroup {
  readonly destination: Cidr;
  readonly routes: readonly ListedRoute[];
}

export interface Removal {
  /** They may be deleted. */
  readonly routes: readonly ListedRoute[];
  readonly reason: string;
}

export function findRemoval(
  { destination, routes }: RouteGroup,
  needs: RouteNeeds,
  states: ReadonlyMap<WantedRoute, DestinationState>,
): Removal {
  const want = needs.wants.get(cidrKey(destination));
  if (want !== undefined) {
    const state = states.get(want);
    const superfluous = state?.kind === 'present' ? state.superfluous : [];
    const reason = `another route to ${want.text} already leads to its node`;
    return { routes: superfluous, reason };
  }
  const reason = `no node needs a route to ${formatCidr(destination)}`;
  const nearby = needs.on(destination);
  if (nearby.some(isUndecided)) return { routes: [], reason };
  const waiting = nearby.flatMap((need) =>
    need.kind === 'wanted' && states.get(need.want)?.kind !== 'present' ? [need.want] : [],
  );
  const isNeeded = (route: ListedRoute): boolean => waiting.some((one) => leadsTo(route, one));
  return { routes: byId(routes.filter((route) => mayChange(route) && !isNeeded(route))), reason };
}
