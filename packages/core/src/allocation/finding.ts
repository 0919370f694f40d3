/**
 * The problems of the podCIDRs that a node has. The API server never lets podCIDRs change, so the
 * remedy is always to delete the Node and let it register again. Each code is also the reason of an
 * event and a label of a metric.
 */
import { type Cidr, containsCidr, type Family, formatCidr, overlaps } from '../ip/index.ts';
import { enumerate, quote } from '../node-address/index.ts';
import type { PodCIDR } from './pod-cidrs.ts';
import { familiesOf, type PodCIDRPool, type PoolRange, poolText } from './pool.ts';

export const podCIDRFindingCodes = [
  'DuplicatePodCIDR',
  'PodCIDROutsidePools',
  'PodCIDRFamilyMissing',
  'PodCIDRFamilyOrder',
  /** The cloud has other blocks for the node than the node shows. */
  'CloudCIDRAllocatorMismatch',
] as const;

export type PodCIDRFindingCode = (typeof podCIDRFindingCodes)[number];

export interface PodCIDRFinding {
  readonly code: PodCIDRFindingCode;
  readonly message: string;
}

export interface FindingInput {
  readonly podCIDRs: readonly PodCIDR[];
  /** The pool that the node would get its blocks from. */
  readonly pool: PodCIDRPool | undefined;
  readonly pools: readonly PodCIDRPool[];
  readonly serviceRanges: readonly Cidr[];
  /** The names of other nodes that show an overlapping CIDR. */
  readonly sharers: (cidr: Cidr) => readonly string[];
}

/** At most one of each code. */
export function findPodCIDRProblems(input: FindingInput): readonly PodCIDRFinding[] {
  const { podCIDRs, pool } = input;
  const order =
    pool && findOrder({ podCIDRs, families: familiesOf(pool), source: `pool ${poolText(pool)}` });
  return [findDuplicate(input), findOutside(input), findMissing(input), order].flatMap(
    (finding) => finding ?? [],
  );
}

const remedy = 'Delete the Node and let its kubelet register it again.';
const outsideRemedy =
  'Check --cluster-cidr and podCIDRPools first. If they are right, delete the Node and let its kubelet register it again.';

/** Names every node that shares addresses with this one, at the first podCIDR that they share. */
export function findDuplicate({
  podCIDRs,
  sharers,
}: Pick<FindingInput, 'podCIDRs' | 'sharers'>): PodCIDRFinding | undefined {
  const named = new Set<string>();
  const shared: string[] = [];
  for (const { text, cidr } of podCIDRs) {
    const names = cidr === undefined ? [] : sharers(cidr).filter((name) => !named.has(name));
    if (names.length === 0) continue;
    for (const name of names) named.add(name);
    const others = `${names.length === 1 ? 'node' : 'nodes'} ${enumerate(names)}`;
    shared.push(
      shared.length === 0
        ? `podCIDR ${quote(text)} overlaps a podCIDR of ${others}`
        : `and ${quote(text)} of ${others}`,
    );
  }
  if (shared.length === 0) return undefined;
  const message = `${shared.join(', ')}: pods of these nodes may get the same address. Delete all but one of these Nodes and let their kubelets register them again.`;
  return { code: 'DuplicatePodCIDR', message };
}

function findOutside({ podCIDRs, pools, serviceRanges }: FindingInput): PodCIDRFinding | undefined {
  const ranges = pools.flatMap((pool) => pool.ranges);
  const reasons: string[] = [];
  const inNoPool: string[] = [];
  for (const { text, cidr } of podCIDRs) {
    if (cidr === undefined) {
      reasons.push(`podCIDR ${quote(text)} is not a CIDR.`);
      continue;
    }
    const reason =
      coverReason({ text, cidr }, ranges) ?? serviceOverlap({ text, cidr }, serviceRanges);
    if (reason !== undefined) reasons.push(reason);
    else if (!ranges.some((range) => containsCidr(range.cidr, cidr))) inNoPool.push(quote(text));
  }
  if (inNoPool.length > 0) reasons.push(noPoolReason(inNoPool, pools));
  if (reasons.length === 0) return undefined;
  return { code: 'PodCIDROutsidePools', message: `${reasons.join(' ')} ${outsideRemedy}` };
}

function coverReason(
  { text, cidr }: { readonly text: string; readonly cidr: Cidr },
  ranges: readonly PoolRange[],
): string | undefined {
  const covered = ranges.find((range) => coversOthers(cidr, range));
  if (covered === undefined) return undefined;
  return `podCIDR ${quote(text)} covers the whole range ${formatCidr(covered.cidr)}, so that no other node gets a block of it.`;
}

/** Whether the CIDR has all addresses of a range and is more than its only block. */
function coversOthers(cidr: Cidr, range: PoolRange): boolean {
  return containsCidr(cidr, range.cidr) && cidr.prefixLength < range.nodeMaskSize;
}

function noPoolReason(quoted: readonly string[], pools: readonly PodCIDRPool[]): string {
  const which =
    quoted.length === 1
      ? `podCIDR ${quoted.join('')} is in no pool.`
      : `podCIDRs ${quoted.join(' and ')} are in no pool.`;
  const named = enumerate(pools.map(poolText), poolsMax);
  return `${which} ${pools.length === 1 ? 'The only pool is' : 'The pools are'} ${named}.`;
}

/** Finds podCIDRs in a service range if the cloud assigns the blocks. There are no pools then. */
export function findServiceOverlap({
  podCIDRs,
  serviceRanges,
}: Pick<FindingInput, 'podCIDRs' | 'serviceRanges'>): PodCIDRFinding | undefined {
  const found = podCIDRs.flatMap((podCIDR) => serviceOverlap(podCIDR, serviceRanges) ?? []);
  if (found.length === 0) return undefined;
  const message = `${found.join(' ')} Assign another block to the instance, then delete the Node and let its kubelet register it again.`;
  return { code: 'PodCIDROutsidePools', message };
}

function serviceOverlap(
  { text, cidr }: PodCIDR,
  serviceRanges: readonly Cidr[],
): string | undefined {
  const service = serviceRanges.find((range) => cidr !== undefined && overlaps(range, cidr));
  if (service === undefined) return undefined;
  return `podCIDR ${quote(text)} overlaps the service range ${formatCidr(service)}.`;
}

/** Room for three dual-stack pools. */
const poolsMax = 200;

function findMissing({ podCIDRs, pool }: FindingInput): PodCIDRFinding | undefined {
  if (pool === undefined) return undefined;
  const missing = missingFamilies(podCIDRs, familiesOf(pool));
  if (missing.length === 0) return undefined;
  return {
    code: 'PodCIDRFamilyMissing',
    message: `${lacks(missing)}, but the pool ${poolText(pool)} has ${have(missing)}. ${remedy}`,
  };
}

/**
 * The same if the cloud assigns the blocks. Without a block in the cloud, the new Node would get no
 * podCIDRs.
 */
export function findMissingOfCloud({
  podCIDRs,
  families,
  inCloud,
}: CloudFamilies): PodCIDRFinding | undefined {
  const missing = missingFamilies(podCIDRs, families);
  if (missing.length === 0) return undefined;
  const unassigned = missing.filter((family) => !inCloud.includes(family));
  const what = `${lacks(missing)}, but --cluster-cidr has ${have(missing)}.`;
  const message =
    unassigned.length === 0
      ? `${what} ${remedy}`
      : `${what} Assign an ${unassigned.join(' and an ')} block to the instance first, then delete the Node and let its kubelet register it again.`;
  return { code: 'PodCIDRFamilyMissing', message };
}

interface CloudFamilies {
  readonly podCIDRs: readonly PodCIDR[];
  /** The families that a node has. */
  readonly families: readonly Family[];
  /** The families that the cloud lists blocks of. */
  readonly inCloud: readonly Family[];
}

function missingFamilies(
  podCIDRs: readonly PodCIDR[],
  families: readonly Family[],
): readonly Family[] {
  const present = new Set(podCIDRs.map(({ cidr }) => cidr?.network.family));
  return families.filter((family) => !present.has(family));
}

function lacks(families: readonly Family[]): string {
  return `podCIDRs has no ${families.join(' and no ')} CIDR`;
}

/**
 * The node has the families of its source in another order. It works, but its pods differ from
 * other pods.
 */
export function findOrder({ podCIDRs, families, source }: OrderInput): PodCIDRFinding | undefined {
  const [wanted] = families;
  const shown = podCIDRs.flatMap(({ cidr }) => cidr?.network.family ?? []);
  const [first] = shown;
  if (wanted === undefined || first === undefined || first === wanted) return undefined;
  if (!families.includes(first) || !shown.includes(wanted)) return undefined;
  const message = `podCIDRs has ${first} first, but ${source} has ${wanted} first. The node keeps its order, and its pods have ${first} as their primary family. To change that, delete the Node and let its kubelet register it again.`;
  return { code: 'PodCIDRFamilyOrder', message };
}

interface OrderInput {
  readonly podCIDRs: readonly PodCIDR[];
  /** The primary family first. */
  readonly families: readonly Family[];
  /** The pool or flag that has the families in this order. */
  readonly source: string;
}

function have(families: readonly Family[]): string {
  return families.length === 1 ? 'that family' : 'both families';
}
