/**
 * The metrics of the node-route-controller: upstream's counter of passes with what became of them, and what
 * upstream does not tell. A label grows with tables and families, never with nodes.
 */
import type { RoutePlan } from '@tandem/core/routes';
import type { MetricDeclaration, Metrics } from '@tandem/runtime';
import type { WriteMetrics } from '../loop/index.ts';

export const routeSyncTotal: MetricDeclaration<'outcome' | 'trigger'> = {
  name: 'route_controller_route_sync_total',
  help: 'Number of passes over the routes, by outcome (changed, noop, error) and trigger (periodic, node_change).',
  stability: 'ALPHA',
  labels: ['outcome', 'trigger'],
};

export const routesWanted: MetricDeclaration<'family'> = {
  name: 'tandem_routes_wanted',
  help: 'Number of routes that nodes need, in all tables together, by family.',
  stability: 'ALPHA',
  labels: ['family'],
};

export const routesPresent: MetricDeclaration<'family'> = {
  name: 'tandem_routes_present',
  help: 'Number of routes that nodes need and that are listed, lead to their node and forward, by family.',
  stability: 'ALPHA',
  labels: ['family'],
};

export const unroutedNodes: MetricDeclaration<never> = {
  name: 'tandem_unrouted_nodes',
  help: 'Number of nodes that lack a route to one of their pod CIDRs.',
  stability: 'ALPHA',
  labels: [],
};

export const conditionWritesTotal: MetricDeclaration<'outcome'> = {
  name: 'tandem_network_condition_writes_total',
  help: 'Number of writes of the condition NetworkUnavailable, by outcome; would_write in a dry run.',
  stability: 'ALPHA',
  labels: ['outcome'],
};

export const conditionWritesAllowed: MetricDeclaration<never> = {
  name: 'tandem_network_condition_writes_allowed',
  help: '0 while the API server denies the manager permission to write conditions, 1 otherwise.',
  stability: 'ALPHA',
  labels: [],
};

export type PassTrigger = 'periodic' | 'node_change';
export type PassOutcome = 'changed' | 'noop' | 'error';

export interface RouteControllerMetrics extends WriteMetrics {
  passed(outcome: PassOutcome, trigger: PassTrigger): void;
  planned(plan: RoutePlan): void;
}

export function routeControllerMetrics(metrics: Metrics): RouteControllerMetrics {
  const syncs = metrics.counter(routeSyncTotal);
  const wanted = metrics.gauge(routesWanted);
  const present = metrics.gauge(routesPresent);
  const unrouted = metrics.gauge(unroutedNodes);
  const writes = metrics.counter(conditionWritesTotal);
  const allowed = metrics.gauge(conditionWritesAllowed);
  allowed.set(1);
  return {
    passed: (outcome, trigger) => syncs.inc({ outcome, trigger }),
    planned({ counts, nodes }) {
      for (const family of ['IPv4', 'IPv6'] as const) {
        wanted.set({ family }, counts[family].wanted);
        present.set({ family }, counts[family].present);
      }
      const lacking = [...nodes.values()].filter(({ verdict }) => verdict.kind === 'unavailable');
      unrouted.set(lacking.length);
    },
    wrote: (_action, outcome) => writes.inc({ outcome }),
    wouldWrite: () => writes.inc({ outcome: 'would_write' }),
    allowed: (isAllowed) => allowed.set(isAllowed ? 1 : 0),
  };
}
