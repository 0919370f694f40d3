/**
 * Declares the metrics of the node-route-controller: upstream's counter of passes, with the outcome as a label, and
 * metrics that upstream lacks. The number of series grows with tables and families, never with nodes.
 */
import { type ListedTable, quotasOf, type RoutePlan } from '@tandem/core/routes';
import type { Metrics } from '@tandem/runtime';
import type { WriteMetrics } from '../loop/index.ts';

/** Every metric of the controller, in the order of the reference page. */
export const routeMetricTable = {
  routeSyncTotal: {
    name: 'route_controller_route_sync_total',
    help: 'Number of passes over the routes, by outcome (changed, noop, error) and trigger: node_change where nodes changed since the last pass, otherwise periodic. Retries, and the pass that reads back what was changed, are periodic.',
    stability: 'ALPHA',
    labels: ['outcome', 'trigger'],
  },
  routesWanted: {
    name: 'tandem_routes_wanted',
    help: 'Number of routes that nodes need, in all tables together, by family.',
    stability: 'ALPHA',
    labels: ['family'],
  },
  routesPresent: {
    name: 'tandem_routes_present',
    help: 'Number of routes that nodes need and that are listed, lead to their node and forward, by family.',
    stability: 'ALPHA',
    labels: ['family'],
  },
  unroutedNodes: {
    name: 'tandem_unrouted_nodes',
    help: 'Number of nodes that lack a route to one of their pod CIDRs.',
    stability: 'ALPHA',
    labels: [],
  },
  routeTableUsage: {
    name: 'tandem_route_table_usage_ratio',
    help: 'Share of the capacity of a route table that is used, from 0 to 1, by table and family. The family is "all" where the limit is of both together. Tables without a known limit are left out.',
    stability: 'ALPHA',
    labels: ['table', 'family'],
  },
  conditionWritesTotal: {
    name: 'tandem_network_condition_writes_total',
    help: 'Number of writes of the condition NetworkUnavailable, by outcome; would_write in a dry run.',
    stability: 'ALPHA',
    labels: ['outcome'],
  },
  conditionWritesAllowed: {
    name: 'tandem_network_condition_writes_allowed',
    help: '0 while the API server denies the manager permission to write conditions, 1 otherwise.',
    stability: 'ALPHA',
    labels: [],
  },
} as const;

export type PassTrigger = 'periodic' | 'node_change';
export type PassOutcome = 'changed' | 'noop' | 'error';

export interface RouteControllerMetrics extends WriteMetrics {
  passed(outcome: PassOutcome, trigger: PassTrigger): void;
  planned(plan: RoutePlan, tables: readonly ListedTable[]): void;
}

export function routeControllerMetrics(metrics: Metrics): RouteControllerMetrics {
  const syncs = metrics.counter(routeMetricTable.routeSyncTotal);
  const wanted = metrics.gauge(routeMetricTable.routesWanted);
  const present = metrics.gauge(routeMetricTable.routesPresent);
  const unrouted = metrics.gauge(routeMetricTable.unroutedNodes);
  const usage = metrics.gauge(routeMetricTable.routeTableUsage);
  const writes = metrics.counter(routeMetricTable.conditionWritesTotal);
  const allowed = metrics.gauge(routeMetricTable.conditionWritesAllowed);
  allowed.set(1);
  return {
    passed: (outcome, trigger) => syncs.inc({ outcome, trigger }),
    planned({ counts, nodes }, tables) {
      for (const family of ['IPv4', 'IPv6'] as const) {
        wanted.set({ family }, counts[family].wanted);
        present.set({ family }, counts[family].present);
      }
      const lacking = [...nodes.values()].filter(({ verdict }) => verdict.kind === 'unavailable');
      unrouted.set(lacking.length);
      // This also removes the series of tables that no longer exist.
      usage.remove();
      for (const table of tables) {
        for (const { family = 'all', used, capacity } of quotasOf(table)) {
          usage.set({ table: table.id, family }, capacity === 0 ? 1 : used / capacity);
        }
      }
    },
    wrote: (_action, outcome) => writes.inc({ outcome }),
    wouldWrite: () => writes.inc({ outcome: 'would_write' }),
    allowed: (isAllowed) => allowed.set(isAllowed ? 1 : 0),
  };
}
