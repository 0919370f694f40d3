/**
 * Declares the metrics of the node-ipam-controller: upstream's metrics under upstream's names, including a misspelt
 * one, and metrics that upstream lacks. The number of series grows with the configured ranges, never with the nodes.
 */
import { podCIDRFindingCodes, type RangeCounts } from '@tandem/core/allocation';
import { type Cidr, formatCidr } from '@tandem/core/ip';
import type { Metrics } from '@tandem/runtime';
import type { WriteMetrics } from '../loop/index.ts';

/** Every metric of the controller, in the order of the reference page. */
export const ipamMetricTable = {
  allocationsTotal: {
    name: 'node_ipam_controller_cidrset_cidrs_allocations_total',
    help: 'Number of blocks that were allocated or found on nodes, by range.',
    stability: 'ALPHA',
    labels: ['clusterCIDR'],
  },
  releasesTotal: {
    name: 'node_ipam_controller_cidrset_cidrs_releases_total',
    help: 'Number of blocks that became free, by range.',
    stability: 'ALPHA',
    labels: ['clusterCIDR'],
  },
  /** Keeps upstream's misspelt name, because existing dashboards use it. */
  misspeltMaxCIDRs: {
    name: 'node_ipam_controller_cirdset_max_cidrs',
    help: 'Number of blocks of the range. The name is misspelt as upstream has it.',
    stability: 'ALPHA',
    labels: ['clusterCIDR'],
  },
  /** Upstream has only the misspelt name. */
  maxCIDRs: {
    name: 'node_ipam_controller_cidrset_max_cidrs',
    help: 'Number of blocks of the range.',
    stability: 'ALPHA',
    labels: ['clusterCIDR'],
  },
  usageCIDRs: {
    name: 'node_ipam_controller_cidrset_usage_cidrs',
    help: 'Share of the blocks of the range that cannot be allocated, from 0 to 1.',
    stability: 'ALPHA',
    labels: ['clusterCIDR'],
  },
  allocationTries: {
    name: 'node_ipam_controller_cidrset_allocation_tries_per_request',
    help: 'Number of words of the bitmap that were read to find a free block, by range.',
    stability: 'ALPHA',
    labels: ['clusterCIDR'],
    buckets: [1, 5, 25, 125, 625],
  },
  poolBlocks: {
    name: 'tandem_pod_cidr_blocks',
    help: 'Number of blocks by pool, range and state: free, bound, in_doubt or excluded.',
    stability: 'ALPHA',
    labels: ['pool', 'range', 'state'],
  },
  waitingNodes: {
    name: 'tandem_pod_cidr_waiting_nodes',
    help: 'Number of nodes that wait for pod CIDRs.',
    stability: 'ALPHA',
    labels: [],
  },
  podCIDRProblems: {
    name: 'tandem_pod_cidr_problems',
    help: 'Number of nodes whose podCIDRs have a problem, by code.',
    stability: 'ALPHA',
    labels: ['code'],
  },
  foreignAssignmentsTotal: {
    name: 'tandem_foreign_pod_cidrs_total',
    help: 'Number of nodes that another program gave their podCIDRs while this manager allocates.',
    stability: 'ALPHA',
    labels: [],
  },
  podCIDRWritesTotal: {
    name: 'tandem_pod_cidr_writes_total',
    help: 'Number of writes of podCIDRs, by outcome; would_write in a dry run.',
    stability: 'ALPHA',
    labels: ['outcome'],
  },
  podCIDRWritesAllowed: {
    name: 'tandem_pod_cidr_writes_allowed',
    help: '0 while the API server denies the manager permission to write podCIDRs, 1 otherwise.',
    stability: 'ALPHA',
    labels: [],
  },
} as const;

export interface IpamMetrics extends WriteMetrics {
  /** Publishes the current counts of the ranges. */
  counted(ranges: readonly RangeCounts[]): void;
  /** Records how many words of the bitmap were read to find a block of the range. */
  searched(range: Cidr, words: number): void;
  waiting(nodes: number): void;
  problems(code: string, nodes: number): void;
  foreign(): void;
}

export function ipamMetrics(metrics: Metrics): IpamMetrics {
  const allocations = metrics.counter(ipamMetricTable.allocationsTotal);
  const releases = metrics.counter(ipamMetricTable.releasesTotal);
  const misspeltMax = metrics.gauge(ipamMetricTable.misspeltMaxCIDRs);
  const max = metrics.gauge(ipamMetricTable.maxCIDRs);
  const usage = metrics.gauge(ipamMetricTable.usageCIDRs);
  const tries = metrics.histogram(ipamMetricTable.allocationTries);
  const blocks = metrics.gauge(ipamMetricTable.poolBlocks);
  const waiting = metrics.gauge(ipamMetricTable.waitingNodes);
  const problems = metrics.gauge(ipamMetricTable.podCIDRProblems);
  const foreign = metrics.counter(ipamMetricTable.foreignAssignmentsTotal);
  const writes = metrics.counter(ipamMetricTable.podCIDRWritesTotal);
  const allowed = metrics.gauge(ipamMetricTable.podCIDRWritesAllowed);
  allowed.set(1);
  waiting.set(0);
  // Gauges outlive a term of leadership. This term has found no problems yet, so the values of the last one must go.
  for (const code of podCIDRFindingCodes) problems.set({ code }, 0);
  /** Looks up the series of a range. The caller keeps them, because every allocation updates them. */
  const seriesOf = ({ pool, range }: RangeCounts): RangeSeries => {
    const clusterCIDR = formatCidr(range);
    const own = { clusterCIDR };
    const inState = (state: string) => onChange(blocks.labels({ pool, range: clusterCIDR, state }));
    return {
      allocations: allocations.labels(own),
      releases: releases.labels(own),
      tries: tries.labels(own),
      max: [onChange(misspeltMax.labels(own)), onChange(max.labels(own))],
      usage: onChange(usage.labels(own)),
      free: inState('free'),
      bound: inState('bound'),
      inDoubt: inState('in_doubt'),
      excluded: inState('excluded'),
      used: 0,
    };
  };
  const byRange = new Map<Cidr, RangeSeries>();
  return {
    counted(ranges) {
      for (const one of ranges) {
        const series = byRange.get(one.range) ?? seriesOf(one);
        byRange.set(one.range, series);
        setCounts(series, one.counts);
      }
    },
    searched: (range, words) => byRange.get(range)?.tries.observe(words),
    waiting: (nodes) => waiting.set(nodes),
    problems: (code, nodes) => problems.set({ code }, nodes),
    foreign: () => foreign.inc(),
    wrote: (_action, outcome) => writes.inc({ outcome }),
    wouldWrite: () => writes.inc({ outcome: 'would_write' }),
    allowed: (isAllowed) => allowed.set(isAllowed ? 1 : 0),
  };
}

interface RangeSeries {
  readonly allocations: Series<'inc'>;
  readonly releases: Series<'inc'>;
  readonly tries: Series<'observe'>;
  readonly max: readonly Series<'set'>[];
  readonly usage: Series<'set'>;
  readonly free: Series<'set'>;
  readonly bound: Series<'set'>;
  readonly inDoubt: Series<'set'>;
  readonly excluded: Series<'set'>;
  /** The number of blocks that were bound or in doubt at the last count. */
  used: number;
}

type Series<Verb extends string> = { readonly [Name in Verb]: (value: number) => void };

/** Wraps a gauge so that only a new value reaches it: an allocation leaves most counts of a range unchanged. */
function onChange(gauge: Series<'set'>): Series<'set'> {
  let last: number | undefined;
  return {
    set(value) {
      if (value === last) return;
      last = value;
      gauge.set(value);
    },
  };
}

function setCounts(series: RangeSeries, counts: RangeCounts['counts']): void {
  const { capacity, free, bound, inDoubt, excluded } = counts;
  const change = bound + inDoubt - series.used;
  series.used += change;
  if (change > 0) series.allocations.inc(change);
  if (change < 0) series.releases.inc(-change);
  for (const max of series.max) max.set(capacity);
  series.usage.set((capacity - free) / capacity);
  series.free.set(free);
  series.bound.set(bound);
  series.inDoubt.set(inDoubt);
  series.excluded.set(excluded);
}
