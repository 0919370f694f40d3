/**
 * The metrics of the cloud-node-controller: upstream's two under their names, and some that
 * upstream has only in its log. The number of label values never grows with the number of nodes.
 */
import type { Metrics } from '@tandem/runtime';

/** Every metric of the controller, in the order of the reference page. */
export const nodeMetricTable = {
  taintRemovalDelaySeconds: {
    name: 'node_controller_cloud_provider_taint_removal_delay_seconds',
    help: 'Number of seconds after node creation when NodeController removed the cloud-provider taint of a single node.',
    stability: 'ALPHA',
    labels: [],
    buckets: [1, 4, 16, 64, 256, 1024],
  },
  initialSyncDelaySeconds: {
    name: 'node_controller_initial_node_sync_delay_seconds',
    help: 'Number of seconds after node creation when NodeController finished the initial synchronization of a single node.',
    stability: 'ALPHA',
    labels: [],
    buckets: [1, 4, 16, 64, 256, 1024],
  },
  uninitializedNodes: {
    name: 'tandem_uninitialized_nodes',
    help: 'Number of nodes with the uninitialized taint, by reason: a refusal code, paused, not_ours or pending.',
    stability: 'ALPHA',
    labels: ['reason'],
  },
  oldestUninitializedSeconds: {
    name: 'tandem_oldest_uninitialized_node_age_seconds',
    help: 'Age of the oldest node with the uninitialized taint, by reason.',
    stability: 'ALPHA',
    labels: ['reason'],
  },
  refusedNodes: {
    name: 'tandem_refused_nodes',
    help: 'Number of nodes that are refused, or whose node-IP request is refused, by refusal code.',
    stability: 'ALPHA',
    labels: ['code'],
  },
  refusalsTotal: {
    name: 'tandem_refusals_total',
    help: 'Number of refusals of nodes and of node-IP requests, counted when they begin, by refusal code.',
    stability: 'ALPHA',
    labels: ['code'],
  },
  addressChangesTotal: {
    name: 'tandem_node_address_changes_total',
    help: 'Number of address changes of initialised nodes.',
    stability: 'ALPHA',
    labels: [],
  },
  writesTotal: {
    name: 'tandem_node_writes_total',
    help: 'Number of writes to nodes, by action and outcome.',
    stability: 'ALPHA',
    labels: ['action', 'outcome'],
  },
  writesAllowed: {
    name: 'tandem_node_writes_allowed',
    help: '0 while the API server denies the manager permission to write to nodes, 1 otherwise.',
    stability: 'ALPHA',
    labels: [],
  },
  dryRunWritesTotal: {
    name: 'tandem_dry_run_writes_total',
    help: 'Number of writes that a dry run planned and did not send, by action.',
    stability: 'ALPHA',
    labels: ['action'],
  },
} as const;

/** Reports to the metrics of the controller. */
export interface NodeMetrics {
  initialised(ageSeconds: number): void;
  synced(ageSeconds: number): void;
  refused(code: string): void;
  addressesChanged(): void;
  wrote(action: string, outcome: string): void;
  wouldWrite(action: string): void;
  allowed(isAllowed: boolean): void;
  /** Sets the counts of waiting and refused nodes. Reasons that are missing drop to zero. */
  counted(counts: NodeCounts): void;
}

export interface NodeCounts {
  readonly uninitialised: ReadonlyMap<
    string,
    { readonly nodes: number; readonly ageSeconds: number }
  >;
  readonly refused: ReadonlyMap<string, number>;
}

export function nodeMetrics(metrics: Metrics): NodeMetrics {
  const taintRemovals = metrics.histogram(nodeMetricTable.taintRemovalDelaySeconds);
  const syncs = metrics.histogram(nodeMetricTable.initialSyncDelaySeconds);
  const uninitialised = metrics.gauge(nodeMetricTable.uninitializedNodes);
  const ages = metrics.gauge(nodeMetricTable.oldestUninitializedSeconds);
  const refused = metrics.gauge(nodeMetricTable.refusedNodes);
  const refusals = metrics.counter(nodeMetricTable.refusalsTotal);
  const changes = metrics.counter(nodeMetricTable.addressChangesTotal);
  const writes = metrics.counter(nodeMetricTable.writesTotal);
  const dryWrites = metrics.counter(nodeMetricTable.dryRunWritesTotal);
  const allowed = metrics.gauge(nodeMetricTable.writesAllowed);
  allowed.set(1);
  const reasons = new Set<string>();
  const codes = new Set<string>();
  return {
    initialised: (ageSeconds) => taintRemovals.observe(ageSeconds),
    synced: (ageSeconds) => syncs.observe(ageSeconds),
    refused: (code) => refusals.inc({ code }),
    addressesChanged: () => changes.inc(),
    wrote: (action, outcome) => writes.inc({ action, outcome }),
    wouldWrite: (action) => dryWrites.inc({ action }),
    allowed: (isAllowed) => allowed.set(isAllowed ? 1 : 0),
    counted(counts) {
      for (const reason of counts.uninitialised.keys()) reasons.add(reason);
      for (const code of counts.refused.keys()) codes.add(code);
      for (const reason of reasons) {
        const count = counts.uninitialised.get(reason);
        uninitialised.set({ reason }, count?.nodes ?? 0);
        ages.set({ reason }, count?.ageSeconds ?? 0);
      }
      for (const code of codes) refused.set({ code }, counts.refused.get(code) ?? 0);
    },
  };
}
