/**
 * The metrics of the lifecycle controller, declared as data: upstream's two under their names, and
 * metrics that upstream lacks: the number of absent nodes, and whether the brake is engaged.
 */
import type { Metrics } from '@tandem/runtime';
import type { WriteMetrics } from '../loop/index.ts';

/** Every metric of the controller, in the order of the reference page. */
export const lifecycleMetricTable = {
  monitorNodesDurationSeconds: {
    name: 'cloud_node_lifecycle_controller_monitor_nodes_duration_seconds',
    help: 'Duration of one pass over the nodes that are not Ready.',
    stability: 'ALPHA',
    labels: [],
    // Upstream's buckets: from a millisecond to sixteen seconds, doubling.
    buckets: [
      0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096,
      8.192, 16.384,
    ],
  },
  cloudProviderCallsTotal: {
    name: 'cloud_node_lifecycle_controller_cloud_provider_calls_total',
    help: 'Number of node look-ups, by result. Upstream makes one call for each; Tandem batches them, and tandem_cloud_calls_total counts the calls.',
    stability: 'ALPHA',
    labels: ['operation', 'result'],
  },
  brakeEngaged: {
    name: 'tandem_node_deletion_brake_engaged',
    help: '1 while the deletion brake holds all deletions because too many nodes are absent, 0 otherwise.',
    stability: 'ALPHA',
    labels: [],
  },
  deletionCandidates: {
    name: 'tandem_node_deletion_candidates',
    help: 'Number of nodes that are not Ready and that the cloud last reported as absent.',
    stability: 'ALPHA',
    labels: [],
  },
  deletionsHeld: {
    name: 'tandem_node_deletions_held',
    help: 'Number of nodes whose deletion the brake holds.',
    stability: 'ALPHA',
    labels: [],
  },
  deletionsTotal: {
    name: 'tandem_node_deletions_total',
    help: 'Number of attempted node deletions, by outcome: deleted, gone (already), spared (after reading the node again), changed (in between), failed, unknown, or would_delete in a dry run.',
    stability: 'ALPHA',
    labels: ['outcome'],
  },
  shutdownTaintsTotal: {
    name: 'tandem_node_shutdown_taints_total',
    help: 'Number of attempts to add or remove the shutdown taint, by outcome.',
    stability: 'ALPHA',
    labels: ['action', 'outcome'],
  },
} as const;

export type LookupResult = 'success' | 'instance_not_found' | 'not_ours' | 'error';

export interface LifecycleMetrics extends WriteMetrics {
  passed(durationMs: number): void;
  looked(result: LookupResult): void;
  counted(facts: {
    readonly isEngaged: boolean;
    readonly candidates: number;
    readonly held: number;
  }): void;
  deletion(outcome: string): void;
}

/** Declared once a process. */
export function lifecycleMetrics(metrics: Metrics): LifecycleMetrics {
  const durations = metrics.histogram(lifecycleMetricTable.monitorNodesDurationSeconds);
  const calls = metrics.counter(lifecycleMetricTable.cloudProviderCallsTotal);
  const engaged = metrics.gauge(lifecycleMetricTable.brakeEngaged);
  const candidateGauge = metrics.gauge(lifecycleMetricTable.deletionCandidates);
  const heldGauge = metrics.gauge(lifecycleMetricTable.deletionsHeld);
  const deletions = metrics.counter(lifecycleMetricTable.deletionsTotal);
  const taints = metrics.counter(lifecycleMetricTable.shutdownTaintsTotal);
  return {
    passed: (durationMs) => durations.observe(durationMs / 1_000),
    looked: (result) => calls.inc({ operation: 'instance_exists', result }),
    counted({ isEngaged, candidates, held }) {
      engaged.set(isEngaged ? 1 : 0);
      candidateGauge.set(candidates);
      heldGauge.set(held);
    },
    deletion: (outcome) => deletions.inc({ outcome }),
    wrote: (action, outcome) => taints.inc({ action: verbs[action] ?? action, outcome }),
    wouldWrite: (action) => taints.inc({ action: verbs[action] ?? action, outcome: 'would_write' }),
    // The cloud-node-controller sets the gauge of allowed writes.
    allowed: () => {},
  };
}

/** The names of the shutdown taint's actions in the metric. */
const verbs: Readonly<Record<string, string>> = {
  addShutdownTaint: 'add',
  removeShutdownTaint: 'remove',
};
