/**
 * Plans the route tables from all nodes and all tables: creations, replacements and deletions with
 * their reasons, a verdict on each node's network, and findings for users. Destinations are
 * compared as values.
 *
 * The operations are safe in any order and in any subset. A change that must wait for one of them
 * is left to the next plan, which follows a new list, because routes are judged by what is listed,
 * never by what was sent. Successive plans therefore reach the wanted state and then have nothing
 * to do (T4).
 */
import { assert } from '../assert.ts';
import type { Family } from '../ip/index.ts';
import { type Creation, placeCreations } from './creation.ts';
import { byId, type ListedTable, mayChange } from './listing.ts';
import type { RouteScope } from './need.ts';
import { readNeeds, type RouteNeeds } from './needs.ts';
import type { RoutedNode } from './node.ts';
import { createRoute, type PlannedOperation } from './operation.ts';
import { findTableProblems, type TableFinding } from './table-finding.ts';
import { planTable, type TablePlan } from './table-plan.ts';
import { judgeNode, type NodeRoutes } from './verdict.ts';

export interface RoutePlanInput extends RouteScope {
  /** All nodes of the cluster. */
  readonly nodes: readonly RoutedNode[];
  /** All tables that the cluster uses, as one list showed them. */
  readonly tables: readonly ListedTable[];
}

export interface RoutePlan {
  /** Repairs first, then deletions, then creations. No two of them have the same table and destination. */
  readonly operations: readonly PlannedOperation[];
  /** By UID. */
  readonly nodes: ReadonlyMap<string, NodeRoutes>;
  readonly findings: readonly TableFinding[];
  readonly counts: Readonly<Record<Family, RouteCounts>>;
  /** The state of each wanted destination in each table. */
  readonly tables: readonly Pick<TablePlan, 'table' | 'states'>[];
}

/** In all tables together. */
export interface RouteCounts {
  readonly wanted: number;
  /** The number of wanted routes that are listed, lead to their node and forward. */
  readonly present: number;
}

export function planRoutes({ nodes, tables, ...scope }: RoutePlanInput): RoutePlan {
  const needs = readNeeds(nodes, scope);
  const planned = byId(tables).map((table) => planTable(table, needs, scope));
  const creations = placeCreations(needs, planned);
  const isNow = ({ room }: Creation): boolean => room === 'now';
  const operations = [
    ...planned.flatMap(({ replacements }) => replacements),
    ...planned.flatMap(({ deletions }) => deletions),
    ...creations.filter(isNow).map(({ table, want }) => createRoute(table, want)),
  ];
  const byWant = Map.groupBy(creations, ({ want }) => want);
  const judged = needs.nodes.map((one) => judgeNode(one, { tables: planned, creations: byWant }));
  assertSafe(operations, tables);
  return {
    operations,
    nodes: new Map(judged.map((one) => [one.uid, one])),
    findings: findTableProblems(needs, planned, creations),
    counts: countsOf(needs, planned),
    tables: planned,
  };
}

function countsOf(
  { wants }: RouteNeeds,
  tables: readonly TablePlan[],
): Readonly<Record<Family, RouteCounts>> {
  const counts = { IPv4: { wanted: 0, present: 0 }, IPv6: { wanted: 0, present: 0 } };
  for (const want of wants.values()) {
    const count = counts[want.destination.network.family];
    for (const { states } of tables) {
      count.wanted += 1;
      if (states.get(want)?.kind === 'present') count.present += 1;
    }
  }
  return counts;
}

/** Asserts T3 on every plan, and that the order of the operations does not matter. */
function assertSafe(operations: readonly PlannedOperation[], tables: readonly ListedTable[]): void {
  const byTable = Map.groupBy(operations, ({ operation }) => operation.table);
  for (const { id, routes } of tables) {
    const planned = byTable.get(id);
    if (planned === undefined) continue;
    const destinations = new Set(planned.map(({ destination }) => destination));
    assert(destinations.size === planned.length, 'one operation for each destination');
    const changed = new Set(
      planned.flatMap(({ operation }) => (operation.kind === 'create' ? [] : [operation.route])),
    );
    const isSafe = routes.every((route) => !changed.has(route.id) || mayChange(route));
    assert(isSafe, 'routes of others are not touched');
  }
}
