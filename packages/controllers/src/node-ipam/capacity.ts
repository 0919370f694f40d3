/**
 * Logs at start how many nodes fit into each pool, and warns if a pool has more nodes than that. A pool that is too
 * small never stops the manager: an exhausted pool must not prevent a restart.
 */
import {
  cidrsOf,
  findPool,
  type PodCIDRPool,
  type RangeCounts,
  readPodCIDR,
} from '@tandem/core/allocation';
import { containsCidr, formatCidr } from '@tandem/core/ip';
import type { NodeProjection } from '@tandem/kube/node';
import type { Logger } from '@tandem/runtime';

export interface CapacityOptions {
  readonly pools: readonly PodCIDRPool[];
  readonly ranges: readonly RangeCounts[];
  readonly nodes: Iterable<NodeProjection>;
  readonly logger: Logger;
}

export function sayCapacity({ pools, ranges, nodes, logger }: CapacityOptions): void {
  const counted = countByPool(pools, nodes);
  for (const pool of pools) {
    const own = ranges.filter((range) => range.pool === pool.name);
    const perRange = own.map(({ range, counts }) => ({
      range: formatCidr(range),
      nodes: counts.capacity - counts.excluded,
    }));
    const fit = Math.min(...perRange.map((one) => one.nodes));
    const existing = counted.get(pool) ?? 0;
    const text = perRange.map((one) => `${one.range}: ${one.nodes}`).join(', ');
    const facts = { pool: pool.name, nodesPerRange: text, nodesThatFit: fit, nodes: existing };
    if (fit < existing) logger.warn(facts, 'Pool of pod CIDRs is too small for its nodes');
    else logger.info(facts, 'Pool of pod CIDRs');
  }
}

function countByPool(
  pools: readonly PodCIDRPool[],
  nodes: Iterable<NodeProjection>,
): ReadonlyMap<PodCIDRPool, number> {
  const counts = new Map<PodCIDRPool, number>();
  for (const node of nodes) {
    for (const pool of poolsOf(pools, node)) counts.set(pool, (counts.get(pool) ?? 0) + 1);
  }
  return counts;
}

/**
 * Returns the pools that a node takes blocks from: the pools that contain its podCIDRs, whatever its labels are now. A
 * node without podCIDRs counts for the pool that selects it.
 */
function poolsOf(
  pools: readonly PodCIDRPool[],
  { podCIDRs, labels }: NodeProjection,
): readonly PodCIDRPool[] {
  if (podCIDRs.length === 0) return [findPool(pools, labels) ?? []].flat();
  const held = cidrsOf(podCIDRs.map(readPodCIDR));
  return pools.filter(({ ranges }) =>
    ranges.some((range) => held.some((cidr) => containsCidr(range.cidr, cidr))),
  );
}
