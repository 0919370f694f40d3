/** Builds the content of `/statusz/pools` from the ledger and the records, in the format of the public view. */
import type { Holding, PodCIDRLedger, PodCIDRPool } from '@tandem/core/allocation';
import { containsCidr, formatCidr } from '@tandem/core/ip';
import type { HolderView, PoolView, View } from '@tandem/core/view';
import type { NodeRecords } from '../loop/index.ts';
import type { IpamNode, IpamState } from './ipam-state.ts';
import type { NodeIpamSettings } from './options.ts';

export interface PoolsViewParts {
  readonly settings: NodeIpamSettings;
  readonly isAllocating: boolean;
  readonly ledger: Pick<PodCIDRLedger, 'counts' | 'holdings'>;
}

export function poolsView(
  { settings, isAllocating, ledger }: PoolsViewParts,
  records: NodeRecords<IpamState>,
): View<'pools'> {
  const { allocator, pools, serviceRanges } = settings;
  const waiting = [...records.values()].filter(({ state }) => state.isWaiting);
  // The ledger of a CloudAllocator has blocks of nodes that must not get them: such a node only waits.
  const holdings = [...ledger.holdings()].filter(({ uid }) => !records.get(uid)?.state.isWaiting);
  return {
    summary: {
      allocator,
      isAllocating,
      pools: poolViews(pools, ledger),
      serviceRanges: serviceRanges.map(formatCidr),
      waiting: waiting.length,
    },
    entries: [
      ...holdings.map((holding) => ({
        key: keyOf(holding),
        item: () => holderOf(holding, pools, records.get(holding.uid)),
      })),
      ...waiting.map((record) => ({ key: keyOf(record), item: () => waitingOf(record) })),
    ],
  };
}

/** Returns the sort key of an entry. The ledger no longer has the names of deleted nodes, so they come last. */
function keyOf({ name, uid }: Pick<Holding, 'name' | 'uid'>): string {
  return `${name === '' ? '~' : name} ${uid}`;
}

function poolViews(
  pools: readonly PodCIDRPool[],
  ledger: PoolsViewParts['ledger'],
): readonly PoolView[] {
  const counts = ledger.counts();
  return pools.map(({ name, selector, ranges }) => ({
    name,
    selector: selector ?? null,
    ranges: ranges.flatMap(({ cidr, nodeMaskSize }) => {
      const counted = counts.find((one) => one.pool === name && one.range === cidr)?.counts;
      if (counted === undefined) return [];
      const { capacity, bound, inDoubt, excluded, free } = counted;
      return [{ cidr: formatCidr(cidr), nodeMaskSize, capacity, bound, inDoubt, excluded, free }];
    }),
  }));
}

function holderOf(
  { name, uid, cidrs, state }: Holding,
  pools: readonly PodCIDRPool[],
  record: IpamNode | undefined,
): HolderView {
  const [first] = cidrs;
  const pool = pools.find(({ ranges }) =>
    ranges.some(({ cidr }) => first !== undefined && containsCidr(cidr, first)),
  );
  return {
    name,
    uid,
    pool: pool?.name ?? null,
    podCIDRs: cidrs.map(formatCidr),
    state,
    problems: problemsOf(record),
  };
}

function problemsOf(record: IpamNode | undefined): HolderView['problems'] {
  return Array.from(record?.state.problems ?? [], ([code, message]) => ({ code, message }));
}

function waitingOf(record: IpamNode): HolderView {
  const { name, uid, report } = record;
  const why = report === undefined ? [] : [{ code: report.reason, message: report.message }];
  const problems = [...why, ...problemsOf(record)];
  return { name, uid, pool: null, podCIDRs: [], state: 'waiting', problems };
}
