/**
 * The metrics of the node-ipam-controller: upstream's under its names, a misspelt one included, and what
 * upstream does not tell. A label grows with the ranges of the configuration, never with nodes.
 */
import type { RangeCounts } from '@tandem/core/allocation';
import { formatCidr } from '@tandem/core/ip';
import type { HistogramDeclaration, MetricDeclaration, Metrics } from '@tandem/runtime';
import type { WriteMetrics } from '../loop/index.ts';

export const allocationsTotal: MetricDeclaration<'clusterCIDR'> = {
  name: 'node_ipam_controller_cidrset_cidrs_allocations_total',
  help: 'Number of blocks that were allocated or found on nodes, by range.',
  stability: 'ALPHA',
  labels: ['clusterCIDR'],
};

export const releasesTotal: MetricDeclaration<'clusterCIDR'> = {
  name: 'node_ipam_controller_cidrset_cidrs_releases_total',
  help: 'Number of blocks that became free, by range.',
  stability: 'ALPHA',
  labels: ['clusterCIDR'],
};

/** Upstream's spelling, which dashboards have. */
export const misspeltMaxCIDRs: MetricDeclaration<'clusterCIDR'> = {
  name: 'node_ipam_controller_cirdset_max_cidrs',
  help: 'Number of blocks of the range. The name is misspelt as upstream has it.',
  stability: 'ALPHA',
  labels: ['clusterCIDR'],
};

export const maxCIDRs: MetricDeclaration<'clusterCIDR'> = {
  name: 'node_ipam_controller_cidrset_max_cidrs',
  help: 'Number of blocks of the range.',
  stability: 'ALPHA',
  labels: ['clusterCIDR'],
};

export const usageCIDRs: MetricDeclaration<'clusterCIDR'> = {
  name: 'node_ipam_controller_cidrset_usage_cidrs',
  help: 'Share of the blocks of the range that cannot be allocated, from 0 to 1.',
  stability: 'ALPHA',
  labels: ['clusterCIDR'],
};

export const allocationTries: HistogramDeclaration<'clusterCIDR'> = {
  name: 'node_ipam_controller_cidrset_allocation_tries_per_request',
  help: 'Number of words of the bitmap that were read to find a free block, by range.',
  stability: 'ALPHA',
  labels: ['clusterCIDR'],
  buckets: [1, 5, 25, 125, 625],
};

export const poolBlocks: MetricDeclaration<'pool' | 'clusterCIDR' | 'state'> = {
  name: 'tandem_pod_cidr_blocks',
  help: 'Number of blocks by pool, range and state: free, bound, in_doubt or excluded.',
  stability: 'ALPHA',
  labels: ['pool', 'clusterCIDR', 'state'],
};

export const waitingNodes: MetricDeclaration<never> = {
  name: 'tandem_pod_cidr_waiting_nodes',
  help: 'Number of nodes that wait for a free block.',
  stability: 'ALPHA',
  labels: [],
};

export const podCIDRProblems: MetricDeclaration<'code'> = {
  name: 'tandem_pod_cidr_problems',
  help: 'Number of nodes whose podCIDRs have a problem, by code.',
  stability: 'ALPHA',
  labels: ['code'],
};

export const foreignAssignmentsTotal: MetricDeclaration<never> = {
  name: 'tandem_foreign_pod_cidrs_total',
  help: 'Number of nodes that another program gave their podCIDRs while this manager allocates.',
  stability: 'ALPHA',
  labels: [],
};

export const podCIDRWritesTotal: MetricDeclaration<'outcome'> = {
  name: 'tandem_pod_cidr_writes_total',
  help: 'Number of writes of podCIDRs, by outcome; would_write in a dry run.',
  stability: 'ALPHA',
  labels: ['outcome'],
};

export const podCIDRWritesAllowed: MetricDeclaration<never> = {
  name: 'tandem_pod_cidr_writes_allowed',
  help: '0 while the API server denies the manager permission to write podCIDRs, 1 otherwise.',
  stability: 'ALPHA',
  labels: [],
};

export interface IpamMetrics extends WriteMetrics {
  /** The state of the ranges, as it is now. */
  counted(ranges: readonly RangeCounts[]): void;
  /** How many words were read to find a block of the range. */
  searched(clusterCIDR: string, words: number): void;
  waiting(nodes: number): void;
  problems(code: string, nodes: number): void;
  foreign(): void;
}

export function ipamMetrics(metrics: Metrics): IpamMetrics {
  const allocations = metrics.counter(allocationsTotal);
  const releases = metrics.counter(releasesTotal);
  const misspeltMax = metrics.gauge(misspeltMaxCIDRs);
  const max = metrics.gauge(maxCIDRs);
  const usage = metrics.gauge(usageCIDRs);
  const tries = metrics.histogram(allocationTries);
  const blocks = metrics.gauge(poolBlocks);
  const waiting = metrics.gauge(waitingNodes);
  const problems = metrics.gauge(podCIDRProblems);
  const foreign = metrics.counter(foreignAssignmentsTotal);
  const writes = metrics.counter(podCIDRWritesTotal);
  const allowed = metrics.gauge(podCIDRWritesAllowed);
  const usedBefore = new Map<string, number>();
  allowed.set(1);
  waiting.set(0);
  return {
    counted(ranges) {
      for (const { pool, range, counts } of ranges) {
        const clusterCIDR = formatCidr(range);
        const { capacity, free, bound, inDoubt, excluded } = counts;
        const used = bound + inDoubt;
        const change = used - (usedBefore.get(clusterCIDR) ?? 0);
        usedBefore.set(clusterCIDR, used);
        if (change > 0) allocations.inc({ clusterCIDR }, change);
        if (change < 0) releases.inc({ clusterCIDR }, -change);
        misspeltMax.set({ clusterCIDR }, capacity);
        max.set({ clusterCIDR }, capacity);
        usage.set({ clusterCIDR }, (capacity - free) / capacity);
        const states = { free, bound, in_doubt: inDoubt, excluded };
        for (const [state, count] of Object.entries(states)) {
          blocks.set({ pool, clusterCIDR, state }, count);
        }
      }
    },
    searched: (clusterCIDR, words) => tries.observe({ clusterCIDR }, words),
    waiting: (nodes) => waiting.set(nodes),
    problems: (code, nodes) => problems.set({ code }, nodes),
    foreign: () => foreign.inc(),
    wrote: (_action, outcome) => writes.inc({ outcome }),
    wouldWrite: () => writes.inc({ outcome: 'would_write' }),
    allowed: (isAllowed) => allowed.set(isAllowed ? 1 : 0),
  };
}
