/** Checks P4 with the manager's pools: podCIDRs lie in a pool, and a node has all families of its pool or none. */
import {
  findPodCIDRProblems,
  findPool,
  type PodCIDRPool,
  readPodCIDR,
} from '@tandem/core/allocation';
import type { HolderView, PoolsSummary } from '@tandem/core/view';
import { readNetworks } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import { asTheMessageSays, type Breach, breach, type BreachName } from './breach.ts';

export function checkPodCIDRs(
  nodes: readonly NodeProjection[],
  { summary, items }: { readonly summary: PoolsSummary; readonly items: readonly HolderView[] },
): readonly Breach[] {
  // This allocator has no pools, and only the manager knows for which families the cloud assigns blocks.
  if (summary.allocator === 'CloudAllocator') {
    const found = items.flatMap(({ name, problems }) => breachesOf(name, problems));
    return found.map((one) => ({ ...one, remedy: asTheMessageSays }));
  }
  const pools = readPools(summary);
  const serviceRanges = readNetworks(summary.serviceRanges);
  if (pools === undefined || serviceRanges === undefined) return [];
  return nodes.flatMap(({ name, labels, podCIDRs: texts }) => {
    if (texts.length === 0) return [];
    const pool = findPool(pools, labels);
    const podCIDRs = texts.map(readPodCIDR);
    // `checkNodes` finds overlaps for all nodes at once.
    const sharers = (): readonly string[] => [];
    return breachesOf(name, findPodCIDRProblems({ podCIDRs, pool, pools, serviceRanges, sharers }));
  });
}

function breachesOf(node: string, problems: HolderView['problems']): readonly Breach[] {
  return problems.flatMap(({ code, message }) => {
    const known = codes.get(code);
    return known === undefined ? [] : [breach(known, node, message)];
  });
}

/** The codes that are breaches. Another order of families is none, because the node works. */
const codes: ReadonlyMap<string, BreachName> = new Map<string, BreachName>([
  ['PodCIDROutsidePools', 'PodCIDROutsidePools'],
  ['PodCIDRFamilyMissing', 'PodCIDRFamilyMissing'],
]);

/** Returns undefined if a range is not a valid network. */
function readPools({ pools }: PoolsSummary): readonly PodCIDRPool[] | undefined {
  const read = pools.flatMap(({ name, selector, ranges }) => {
    const networks = readNetworks(ranges.map(({ cidr }) => cidr));
    if (networks === undefined) return [];
    return [
      {
        name,
        ...(selector === null ? {} : { selector }),
        ranges: networks.map((cidr, at) => ({ cidr, nodeMaskSize: ranges[at]?.nodeMaskSize ?? 0 })),
      },
    ];
  });
  return read.length === pools.length ? read : undefined;
}
