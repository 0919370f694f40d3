/**
 * What the pod CIDRs of a world have to be once nothing goes wrong any more (I6): who waits although there are
 * blocks, who is not told what is wrong with its pod CIDRs, and what the manager has to say about its pools.
 * Worked out from the stored nodes alone, block by block.
 */
import type { Store } from '@tandem/devcluster/store';
import { type AllocationPlan, blockLengths, type PlannedPool } from '../plan/index.ts';
import { contains, doOverlap, type NaiveCidr, naiveCidr } from './naive-cidr.ts';
import { poolOf } from './pod-cidr-law.ts';
import { nodeOf, podCIDRsOf, type StoredNode } from './stored-node.ts';

interface PodCIDRState {
  readonly store: Store;
  readonly plan: AllocationPlan;
  readonly hasWarned: (uid: string, reason: string) => boolean;
  /** The destinations of routes of managers that lead to no node that has them. */
  readonly strays: readonly string[];
}

export interface PodCIDRVerdict {
  /** What is not as it should be, one sentence each. */
  readonly differences: readonly string[];
  /** `pool range state` and how many blocks are in it. */
  readonly blocks: ReadonlyMap<string, number>;
  /**
   * `pool range` of those with a route to a node that is gone and that stays because pod CIDRs of others overlap it
   * (T2). What that node had is in doubt for as long (I7), so how many blocks are is not known here.
   */
  readonly disputed: ReadonlySet<string>;
  /** How many nodes have a problem, by code. */
  readonly problems: ReadonlyMap<string, number>;
  readonly waiting: number;
}

/** Looks at every node and every block of the world. */
export function judgePodCIDRs(state: PodCIDRState): PodCIDRVerdict {
  const { store, plan, hasWarned } = state;
  const nodes = store
    .collection('nodes')
    .list()
    .flatMap((object) => nodeOf(object) ?? []);
  const holders = nodes.map(holderOf);
  const blocks = new Map(plan.pools.flatMap((pool) => blocksOf(pool, { plan, holders })));
  const disputed = disputedRanges(state);
  const problems = new Map<string, number>();
  const differences: string[] = [];
  let waiting = 0;
  for (const holder of holders) {
    const { name, uid } = holder.node.metadata;
    const codes = codesOf(holder, { plan, holders });
    for (const code of codes) problems.set(code, (problems.get(code) ?? 0) + 1);
    const isWaiting = holder.cidrs.length === 0;
    if (isWaiting) waiting++;
    const pool = poolOf(plan, holder.node);
    const isServable = pool.ranges.every(({ cidr }) => blocks.get(`${pool.name} ${cidr} free`));
    // It may wait for a block of a node that is gone and still routed.
    if (isWaiting && pool.ranges.some(({ cidr }) => disputed.has(`${pool.name} ${cidr}`))) continue;
    if (isWaiting && isServable) {
      differences.push(`${name} has no podCIDRs, and ${pool.name} has free blocks (I9)`);
    }
    const due = isWaiting && !isServable ? ['CIDRNotAvailable'] : codes;
    const untold = due.find((code) => !hasWarned(uid, code));
    if (untold !== undefined) differences.push(`${name} has no Warning event ${untold} (P6)`);
  }
  return { differences, blocks, disputed, problems, waiting };
}

function disputedRanges({ plan, strays }: PodCIDRState): ReadonlySet<string> {
  const isOn = ({ cidr }: { readonly cidr: string }): boolean =>
    strays.some((stray) => doOverlap(naiveCidr(cidr), naiveCidr(stray)));
  return new Set(
    plan.pools.flatMap(({ name, ranges }) =>
      ranges.filter(isOn).map(({ cidr }) => `${name} ${cidr}`),
    ),
  );
}

interface Holder {
  readonly node: StoredNode;
  readonly cidrs: readonly NaiveCidr[];
}

interface Others {
  readonly plan: AllocationPlan;
  readonly holders: readonly Holder[];
}

function holderOf(node: StoredNode): Holder {
  return { node, cidrs: podCIDRsOf(node).map(naiveCidr) };
}

/** What is wrong with the pod CIDRs that the node has. */
function codesOf({ node, cidrs }: Holder, { plan, holders }: Others): readonly string[] {
  if (cidrs.length === 0) return [];
  const others = holders.filter((other) => other.node !== node).flatMap((other) => other.cidrs);
  const ranges = plan.pools.flatMap((pool) => pool.ranges.map(({ cidr }) => naiveCidr(cidr)));
  const services = plan.serviceRanges.map(naiveCidr);
  const isDuplicate = cidrs.some((cidr) => others.some((other) => doOverlap(cidr, other)));
  const isOutside = cidrs.some(
    (cidr) =>
      services.some((service) => doOverlap(service, cidr)) ||
      !ranges.some((range) => contains(range, cidr)),
  );
  const isMissing = poolOf(plan, node).ranges.some(
    ({ family }) => !cidrs.some((cidr) => cidr.family === family),
  );
  return [
    ...(isDuplicate ? ['DuplicatePodCIDR'] : []),
    ...(isOutside ? ['PodCIDROutsidePools'] : []),
    ...(isMissing ? ['PodCIDRFamilyMissing'] : []),
  ];
}

/** How many blocks of each range are in which state. */
function blocksOf(pool: PlannedPool, { plan, holders }: Others): readonly [string, number][] {
  const services = plan.serviceRanges.map(naiveCidr);
  const held = holders.flatMap(({ cidrs }) => cidrs);
  return pool.ranges.flatMap((range): [string, number][] => {
    const counts = { free: 0, bound: 0, in_doubt: 0, excluded: 0 };
    for (const block of eachBlock(naiveCidr(range.cidr))) {
      if (services.some((service) => doOverlap(service, block))) counts.excluded++;
      else if (held.some((cidr) => doOverlap(cidr, block))) counts.bound++;
      else counts.free++;
    }
    return Object.entries(counts).map(([state, count]) => [
      `${pool.name} ${range.cidr} ${state}`,
      count,
    ]);
  });
}

function* eachBlock({ family, first, last }: NaiveCidr): Generator<NaiveCidr> {
  const bits = family === 'IPv4' ? 32 : 128;
  const size = 2n ** BigInt(bits - blockLengths[family]);
  for (let at = first; at <= last; at += size) yield { family, first: at, last: at + size - 1n };
}
