/**
 * Plans one table, without its capacity. Every operation is safe by itself. One that depends on another
 * is left to the next plan, whose list shows whether the other was executed.
 */
import { type Cidr, cidrKey, compareCidrs, type Family, formatCidr } from '../ip/index.ts';
import type { ListedRoute, ListedTable } from './listing.ts';
import type { RouteScope, WantedRoute } from './need.ts';
import type { RouteNeeds } from './needs.ts';
import { isInside } from './node.ts';
import { deleteRoute, type PlannedOperation, replaceRoute } from './operation.ts';
import { findRemoval, type RouteGroup } from './removal.ts';
import { type DestinationState, stateOf } from './destination-state.ts';

export interface TablePlan {
  readonly table: ListedTable;
  /** The state of each destination that is wanted, or that several nodes share. */
  readonly states: ReadonlyMap<WantedRoute, DestinationState>;
  readonly replacements: readonly PlannedOperation[];
  readonly deletions: readonly PlannedOperation[];
  /** The families of the deleted routes. */
  readonly freed: readonly Family[];
  /** Destinations with more than one route. */
  readonly duplicates: readonly string[];
}

export function planTable(table: ListedTable, needs: RouteNeeds, scope: RouteScope): TablePlan {
  const groups = groupsOf(table, scope);
  const states = new Map<WantedRoute, DestinationState>();
  const replacements: PlannedOperation[] = [];
  /**
   * The groups with only the route that they need. There are thousands of them, and they need no
   * plan.
   */
  const settled = new Set<RouteGroup>();
  for (const [key, want] of needs.wants) {
    const group = groups.get(key);
    const state = stateOf(group?.routes ?? noRoutes, want);
    states.set(want, state);
    if (state.kind === 'wrong') replacements.push(replaceRoute(table.id, want, state));
    if (state.kind === 'present' && group?.routes.length === 1) settled.add(group);
  }
  for (const want of needs.shared) {
    states.set(want, stateOf(groups.get(cidrKey(want.destination))?.routes ?? noRoutes, want));
  }
  const open = [...groups.values()].filter((group) => !settled.has(group));
  return { table, states, replacements, ...planRemovals(table, open, { needs, states }) };
}

const noRoutes: readonly ListedRoute[] = [];

function planRemovals(
  table: ListedTable,
  groups: readonly RouteGroup[],
  { needs, states }: { readonly needs: RouteNeeds; readonly states: TablePlan['states'] },
): Pick<TablePlan, 'deletions' | 'freed' | 'duplicates'> {
  const deletions: PlannedOperation[] = [];
  const freed: Family[] = [];
  const duplicates: string[] = [];
  for (const group of groups.toSorted(byDestination)) {
    const { routes, reason } = findRemoval(group, needs, states);
    const destination = formatCidr(group.destination);
    // A batch has one operation for each destination, so that the cloud may choose their order.
    const [first] = routes;
    if (first !== undefined) {
      deletions.push(deleteRoute(table.id, first, { destination, reason }));
      freed.push(group.destination.network.family);
    }
    if (group.routes.length > 1) duplicates.push(destination);
  }
  return { deletions, freed, duplicates };
}

/** The routes that a plan decides about, by `cidrKey` of their destination. */
function groupsOf({ routes }: ListedTable, scope: RouteScope): ReadonlyMap<string, RouteGroup> {
  const groups = new Map<string, RouteGroup & { readonly routes: ListedRoute[] }>();
  for (const route of routes) {
    const { destination } = route;
    if (destination === undefined || !isInScope(destination, scope)) continue;
    const key = cidrKey(destination);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { destination, routes: [route] });
    else group.routes.push(route);
  }
  return groups;
}

/** Whether a plan decides about routes to the destination (T3). */
export function isInScope(destination: Cidr, { clusterCIDRs, families }: RouteScope): boolean {
  return families.includes(destination.network.family) && isInside(clusterCIDRs, destination);
}

/** Sorts the groups, so that the plan does not depend on the order of the cloud's list. */
function byDestination(a: RouteGroup, b: RouteGroup): number {
  return compareCidrs(a.destination, b.destination);
}
