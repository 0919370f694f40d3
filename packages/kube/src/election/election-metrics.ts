/** The metrics of an election, under the names and labels of Kubernetes' own components. */
import type { Metrics } from '@tandem/runtime';

export const electionMetricTable = {
  masterStatus: {
    name: 'leader_election_master_status',
    help: "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    stability: 'ALPHA',
    labels: ['name'],
  },
  slowPathTotal: {
    name: 'leader_election_slowpath_total',
    help: "Total number of slow path exercised in renewing leader leases. 'name' is the string used to identify the lease. Please make sure to group by name.",
    stability: 'ALPHA',
    labels: ['name'],
  },
} as const;

export interface ElectionMetrics {
  setLeading(isLeading: boolean): void;
  countSlowPath(): void;
}

/** Two elections may share a registry, each with its own Lease. */
export function electionMetrics(metrics: Metrics, name: string): ElectionMetrics {
  const status = metrics.gauge(electionMetricTable.masterStatus);
  const slowPaths = metrics.counter(electionMetricTable.slowPathTotal);
  return {
    setLeading: (isLeading) => status.set({ name }, isLeading ? 1 : 0),
    countSlowPath: () => slowPaths.inc({ name }),
  };
}
