/**
 * The metrics of the lifecycle controller, declared as data: upstream's two under their names, and
 * what upstream cannot say: how many nodes are believed gone, and whether the brake holds.
 */
import type { HistogramDeclaration, MetricDeclaration, Metrics } from '@tandem/runtime';

export const monitorNodesDurationSeconds: HistogramDeclaration<never> = {
  name: 'cloud_node_lifecycle_controller_monitor_nodes_duration_seconds',
  help: 'How long one pass over the nodes that are not Ready took.',
  stability: 'ALPHA',
  labels: [],
  // Upstream's: from a millisecond to sixteen seconds, doubling.
  buckets: Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power),
};

export const cloudProviderCallsTotal: MetricDeclaration<'operation' | 'result'> = {
  name: 'cloud_node_lifecycle_controller_cloud_provider_calls_total',
  help:
    'Look-ups of single nodes, by result. Upstream makes a call for each of them; here many share ' +
    'one, and tandem_cloud_calls_total counts the calls.',
  stability: 'ALPHA',
  labels: ['operation', 'result'],
};

export const brakeEngaged: MetricDeclaration<never> = {
  name: 'tandem_node_deletion_brake_engaged',
  help: 'Whether no node is deleted because too many are absent at once: 1 or 0.',
  stability: 'ALPHA',
  labels: [],
};

export const deletionCandidates: MetricDeclaration<never> = {
  name: 'tandem_node_deletion_candidates',
  help: 'Nodes that are not Ready and that the cloud last said do not exist.',
  stability: 'ALPHA',
  labels: [],
};

export const deletionsHeld: MetricDeclaration<never> = {
  name: 'tandem_node_deletions_held',
  help: 'Nodes that would have been deleted but for the brake.',
  stability: 'ALPHA',
  labels: [],
};

export const deletionsTotal: MetricDeclaration<'outcome'> = {
  name: 'tandem_node_deletions_total',
  help:
    'Nodes that were to be deleted, by what became of it: deleted, gone already, spared after a ' +
    'live look at them, changed meanwhile, failed, unknown, or would_delete in a dry run.',
  stability: 'ALPHA',
  labels: ['outcome'],
};

export const shutdownTaintsTotal: MetricDeclaration<'action' | 'outcome'> = {
  name: 'tandem_node_shutdown_taints_total',
  help: 'Shutdown taints that were to be added or removed, by what became of it.',
  stability: 'ALPHA',
  labels: ['action', 'outcome'],
};

export type LookupResult = 'success' | 'instance_not_found' | 'error';

export interface LifecycleMetrics {
  passed(durationMs: number): void;
  looked(result: LookupResult): void;
  stands(facts: {
    readonly isEngaged: boolean;
    readonly candidates: number;
    readonly held: number;
  }): void;
  deletion(outcome: string): void;
  taint(action: 'add' | 'remove', outcome: string): void;
}

/** Declared once a process. */
export function lifecycleMetrics(metrics: Metrics): LifecycleMetrics {
  const durations = metrics.histogram(monitorNodesDurationSeconds);
  const calls = metrics.counter(cloudProviderCallsTotal);
  const engaged = metrics.gauge(brakeEngaged);
  const candidateGauge = metrics.gauge(deletionCandidates);
  const heldGauge = metrics.gauge(deletionsHeld);
  const deletions = metrics.counter(deletionsTotal);
  const taints = metrics.counter(shutdownTaintsTotal);
  return {
    passed: (durationMs) => durations.observe(durationMs / 1_000),
    looked: (result) => calls.inc({ operation: 'instance_exists', result }),
    stands({ isEngaged, candidates, held }) {
      engaged.set(isEngaged ? 1 : 0);
      candidateGauge.set(candidates);
      heldGauge.set(held);
    },
    deletion: (outcome) => deletions.inc({ outcome }),
    taint: (action, outcome) => taints.inc({ action, outcome }),
  };
}
