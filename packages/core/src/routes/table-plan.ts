/**
 * What is to be done in one table, its capacity aside. Every operation is safe by itself, whatever becomes of
 * the others. One that has to wait for another is left to the next plan, which follows a list that shows
 * whether the other was carried out.
 */
import { type Cidr, compareCidrs, type Family, formatCidr } from '../ip/index.ts';
import type { ListedRoute, ListedTable } from './listing.ts';
import type { RouteScope, WantedRoute } from './need.ts';
import type { RouteNeeds } from './needs.ts';
import { isInside } from './node.ts';
import { deleteRoute, type PlannedOperation, replaceRoute } from './operation.ts';
import { findRemoval, type RouteGroup } from './removal.ts';
import { type RouteState, stateOf } from './route-state.ts';

export interface TablePlan {
  readonly table: ListedTable;
  /** How each destination stands that is wanted, or that several nodes share. */
  readonly states: ReadonlyMap<WantedRoute, RouteState>;
  readonly replacements: readonly PlannedOperation[];
  readonly deletions: readonly PlannedOperation[];
  /** The families of the routes that are deleted. */
  readonly freed: readonly Family[];
  /** Destinations with more than one route. */
  readonly duplicates: readonly string[];
}

export function planTable(table: ListedTable, needs: RouteNeeds, scope: RouteScope): TablePlan {
  const groups = groupsOf(table, scope);
  const states = new Map<WantedRoute, RouteState>();
  for (const want of [...needs.wants.values(), ...needs.shared]) {
    states.set(want, stateOf(groups.get(want.text)?.routes ?? [], want));
  }
  const replacements = [...needs.wants.values()].flatMap((want) => {
    const state = states.get(want);
    return state?.kind === 'wrong' ? [replaceRoute(table.id, want, state)] : [];
  });
  const deletions: PlannedOperation[] = [];
  const freed: Family[] = [];
  const duplicates: string[] = [];
  for (const group of [...groups.values()].toSorted(byDestination)) {
    const { text: destination } = group;
    const { routes, reason } = findRemoval(group, needs, states);
    // A batch has one operation for each destination, so that the cloud may choose their order.
    const [first] = routes;
    if (first !== undefined) {
      deletions.push(deleteRoute(table.id, first, { destination, reason }));
      freed.push(group.destination.network.family);
    }
    if (group.routes.length > 1) duplicates.push(destination);
  }
  return { table, states, replacements, deletions, freed, duplicates };
}

/** The routes that a plan decides about, by the canonical spelling of their destination. */
function groupsOf({ routes }: ListedTable, scope: RouteScope): ReadonlyMap<string, RouteGroup> {
  const groups = new Map<string, RouteGroup & { readonly routes: ListedRoute[] }>();
  for (const route of routes) {
    const { destination } = route;
    if (destination === undefined || !isInScope(destination, scope)) continue;
    const text = formatCidr(destination);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { destination, text, routes: [route] });
    else group.routes.push(route);
  }
  return groups;
}

/** Whether a plan decides about routes to the destination (T3). */
export function isInScope(destination: Cidr, { clusterCIDRs, families }: RouteScope): boolean {
  return families.includes(destination.network.family) && isInside(clusterCIDRs, destination);
}

/** The order in which a cloud lists its routes decides nothing. */
function byDestination(a: RouteGroup, b: RouteGroup): number {
  return compareCidrs(a.destination, b.destination);
}
