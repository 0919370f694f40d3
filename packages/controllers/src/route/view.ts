/** Builds the content of `/statusz/routes` from the last list and its plan, in the format of the public view. */
import { cidrKey, formatAddress, formatCidr } from '@tandem/core/ip';
import {
  type DestinationState,
  isInScope,
  type ListedRoute,
  type ListedTable,
  type ListedTarget,
  type PlannedOperation,
  type RoutePlan,
  type RouteScope,
  type WantedRoute,
} from '@tandem/core/routes';
import type { RoutesSummary, RouteView, TargetView, View, ViewEntry } from '@tandem/core/view';
import type { RouteNodeRecord } from './route-state.ts';
import type { SeenRoutes } from './status.ts';

export interface RoutesViewParts extends RouteScope {
  readonly failedLists: number;
  /** Added to a monotonic time, this gives a wall-clock time. */
  readonly wallOffsetMs: number;
}

/** The maximum number of nodes in the summary. The events of all nodes that lack a route are on the nodes. */
const lackingMax = 100;

export function routesView(
  parts: RoutesViewParts,
  seen: SeenRoutes | undefined,
  records: Iterable<RouteNodeRecord>,
): View<'routes'> {
  if (seen === undefined) return { summary: summaryOf(parts, undefined), entries: [] };
  const byKey = new Map<string, string>();
  for (const { name, state } of records) {
    if (state.instance !== undefined) byKey.set(state.instance.found.key, name);
  }
  const { operations, tables } = seen.plan;
  const planned = new Map(operations.map((one) => [operationKey(one), one]));
  const nodeOf = (key: string): string | null => byKey.get(key) ?? null;
  return {
    summary: summaryOf(parts, seen),
    entries: tables.flatMap((table) => tableEntries(table, { scope: parts, planned, nodeOf })),
  };
}

interface EntryParts {
  readonly scope: RouteScope;
  readonly planned: ReadonlyMap<string, PlannedOperation>;
  readonly nodeOf: (instanceKey: string) => string | null;
}

/** Lists the routes that nodes need, and then the other routes in the cluster's ranges. */
function tableEntries(
  { table, states }: RoutePlan['tables'][number],
  parts: EntryParts,
): ViewEntry<RouteView>[] {
  const listed = Map.groupBy(
    table.routes.filter(
      ({ destination }) => destination !== undefined && isInScope(destination, parts.scope),
    ),
    ({ destination, text }) => (destination === undefined ? text : cidrKey(destination)),
  );
  const wanted = new Set<string>();
  const entries: ViewEntry<RouteView>[] = [];
  for (const [want, state] of states) {
    const key = cidrKey(want.destination);
    wanted.add(key);
    const routes = listed.get(key) ?? [];
    entries.push({
      // Nodes that share a destination have one entry each.
      key: `${table.id} ${want.text} ${want.node.name}`,
      item: () => wantedView({ table, want, state, routes }, parts),
    });
  }
  for (const [key, routes] of listed) {
    if (wanted.has(key)) continue;
    for (const route of routes) {
      entries.push({
        key: `${table.id} ${route.text} ${route.id}`,
        item: () => unwantedView(table, route, parts),
      });
    }
  }
  return entries;
}

function wantedView(
  of: {
    readonly table: ListedTable;
    readonly want: WantedRoute;
    readonly state: DestinationState;
    readonly routes: readonly ListedRoute[];
  },
  { planned, nodeOf }: EntryParts,
): RouteView {
  const { table, want, state, routes } = of;
  const operation = planned.get(`${table.id} ${want.text}`);
  const route = state.kind === 'wrong' ? state.route : routes[0];
  return {
    table: table.id,
    destination: want.text,
    node: want.node.name,
    state: state.kind,
    reason: state.kind === 'unknown' ? state.why : (operation?.reason ?? ''),
    target: route === undefined ? null : targetView(route.target, nodeOf),
    ours: route?.ours ?? false,
    planned: operation?.operation.kind ?? null,
  };
}

function unwantedView(
  table: ListedTable,
  route: ListedRoute,
  { planned, nodeOf }: EntryParts,
): RouteView {
  const destination = route.destination === undefined ? route.text : formatCidr(route.destination);
  const operation = planned.get(`${table.id} ${destination}`);
  return {
    table: table.id,
    destination,
    node: null,
    state: 'unwanted',
    reason: route.target.kind === 'unknown' ? route.target.why : (operation?.reason ?? ''),
    target: targetView(route.target, nodeOf),
    ours: route.ours,
    planned: operation?.operation.kind ?? null,
  };
}

function operationKey({ operation, destination }: PlannedOperation): string {
  return `${operation.table} ${destination}`;
}

function targetView(target: ListedTarget, nodeOf: EntryParts['nodeOf']): TargetView {
  switch (target.kind) {
    case 'instance':
      return { kind: 'instance', node: nodeOf(target.key), ready: target.ready };
    case 'address':
      return { kind: 'address', address: formatAddress(target.address) };
    case 'blackhole':
    case 'other':
    case 'unknown':
      return { kind: target.kind };
  }
}

function summaryOf(parts: RoutesViewParts, seen: SeenRoutes | undefined): RoutesSummary {
  const { clusterCIDRs, families, failedLists, wallOffsetMs } = parts;
  const nothing = { wanted: 0, present: 0 };
  const lacking = [...(seen?.plan.nodes.values() ?? [])].flatMap(({ name, verdict, findings }) =>
    verdict.kind === 'unavailable' ? [{ node: name, missing: verdict.missing, findings }] : [],
  );
  return {
    asOf: seen === undefined ? null : new Date(seen.asOfMs + wallOffsetMs).toISOString(),
    failedLists,
    clusterCIDRs: clusterCIDRs.map(formatCidr),
    families,
    tables: (seen?.tables ?? []).map(({ id, routes, capacity = null }) => ({
      id,
      routes: routes.length,
      capacity,
    })),
    counts: seen?.plan.counts ?? { IPv4: nothing, IPv6: nothing },
    findings: (seen?.plan.findings ?? []).map(({ code, message }) => ({ code, message })),
    lacking: lacking.slice(0, lackingMax),
    lackingCount: lacking.length,
  };
}
