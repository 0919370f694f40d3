/**
 * Plans the pod CIDRs of one node if the cloud assigns them: each instance has its own blocks, and
 * the configuration only says which families a node has and in which order. A node gets all
 * families or none. Several blocks of a family are refused: they are meant for a network plugin,
 * and podCIDRs cannot be changed later. Blocks that two nodes would share, or that overlap a
 * service range, are reported and not written.
 */
import {
  type Cidr,
  compareCidrs,
  containsCidr,
  type Family,
  formatCidr,
  overlaps,
} from '../ip/index.ts';
import { enumerate, quote, quoteIdentifier } from '../node-address/index.ts';
import {
  findDuplicate,
  findMissingOfCloud,
  findOrder,
  findServiceOverlap,
  type PodCIDRFinding,
  type PodCIDRFindingCode,
  podCIDRFindingCodes,
} from './finding.ts';
import type { AllocationNode, PodCIDROutcome, PodCIDRPlan } from './plan.ts';
import { cidrsOf, readPodCIDR } from './pod-cidrs.ts';
import { unusableProblem } from './range-rules.ts';

/** The answer of the cloud about the blocks of the node's instance. */
export type CloudBlocks =
  | { readonly kind: 'found'; readonly blocks: Readonly<Record<Family, readonly string[]>> }
  | { readonly kind: 'absent' | 'notOurs' }
  /** The question failed. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface CloudNode extends AllocationNode {
  readonly providerID: string;
  readonly isInitialised: boolean;
}

export interface CloudPlanInput {
  readonly node: CloudNode;
  /** The primary family first. */
  readonly families: readonly Family[];
  /** Undefined if the cloud has not answered. */
  readonly answer: CloudBlocks | undefined;
  /** Consecutive answers without an instance. */
  readonly misses: number;
  /** Whether the node already has a report that says why it gets no podCIDRs. */
  readonly isWaiting: boolean;
  readonly serviceRanges: readonly Cidr[];
  /** The names of other nodes that have, or are about to get, an overlapping CIDR. */
  readonly sharers: (cidr: Cidr) => readonly string[];
}

export function planPodCIDRsFromCloud(input: CloudPlanInput): PodCIDRPlan {
  const { node, answer } = input;
  if (node.isPaused || answer?.kind === 'notOurs') return nothing();
  const podCIDRs = node.podCIDRs.map(readPodCIDR);
  if (podCIDRs.length === 0 && node.isDeleting) return nothing();
  const duplicate = findDuplicate({ podCIDRs, sharers: input.sharers });
  const found = duplicate === undefined ? [] : [duplicate];
  if (answer?.kind !== 'found') {
    const missing = missingInstance(input);
    if (missing !== undefined) return { findings: [], outcome: missing };
    const undecided = podCIDRs.length > 0 ? aboutPodCIDRs : aboutBlocks;
    return { findings: found, outcome: { kind: 'lookup', undecided } };
  }
  const blocks = blocksOf(answer.blocks);
  if (podCIDRs.length > 0) {
    const { families, serviceRanges } = input;
    const inCloud = families.filter((family) => blocks[family].length > 0);
    const missing = findMissingOfCloud({ podCIDRs, families, inCloud });
    const order = findOrder({ podCIDRs, families, source: '--cluster-cidr' });
    const service = findServiceOverlap({ podCIDRs, serviceRanges });
    const others = [findMismatch(node, blocks), service, missing, order];
    return nothing([...found, ...others.flatMap((finding) => finding ?? [])]);
  }
  return assignment(input, blocks);
}

/**
 * Why a node gets no podCIDRs if the cloud does not know or cannot read its instance. One late or
 * failed answer is normal, so only the second in a row causes a warning. Uninitialised nodes have a
 * warning of the cloud-node-controller.
 */
function missingInstance({
  node,
  answer,
  misses,
  isWaiting,
}: CloudPlanInput): NotAvailable | undefined {
  const needsBlocks = node.podCIDRs.length === 0 && node.isInitialised;
  if (!needsBlocks || misses < 2) return undefined;
  if (answer?.kind === 'absent') return { kind: 'notAvailable', message: absentMessage(node) };
  // A failure does not end an earlier report (P3).
  if (answer?.kind !== 'unknown' || isWaiting) return undefined;
  const failure = quote(answer.reason, failureMax);
  const message = `The cloud lookup for this node failed (${failure}), so this node gets no podCIDRs. The manager retries it.`;
  return { kind: 'notAvailable', message };
}

type NotAvailable = Extract<PodCIDROutcome, { kind: 'notAvailable' }>;

function absentMessage({ name, providerID }: CloudNode): string {
  const [called, advice] =
    providerID === ''
      ? [`named ${quote(name, identifierMax)}`, 'Add the instance under this name, rename it,']
      : [
          `with the providerID ${quoteIdentifier(providerID, identifierMax)}`,
          'Restore the instance',
        ];
  return `The cloud has no instance ${called}, so this node gets no podCIDRs. ${advice} or delete the Node.`;
}

/** The maximum length of a providerID or node name. */
const identifierMax = 128;
/**
 * The maximum length of the cause of a failure. It is long because the reader has no other
 * information.
 */
const failureMax = 256;

/** The findings about shown podCIDRs that depend on the cloud. Overlaps do not. */
const aboutPodCIDRs: readonly PodCIDRFindingCode[] = podCIDRFindingCodes.filter(
  (code) => code !== 'DuplicatePodCIDR',
);
/** The findings about a node without podCIDRs that depend on the cloud. */
const aboutBlocks: readonly PodCIDRFindingCode[] = ['DuplicatePodCIDR'];

/**
 * Returns the block of each family for a node of the instance; empty if one of them is not certain.
 */
export function chosenBlocks(
  answer: CloudBlocks | undefined,
  families: readonly Family[],
): readonly Cidr[] {
  if (answer?.kind !== 'found') return [];
  const blocks = blocksOf(answer.blocks);
  if (families.some((family) => blocks[family].length !== 1)) return [];
  return families.flatMap((family) => blocks[family]);
}

type Blocks = Readonly<Record<Family, readonly Cidr[]>>;

function assignment(
  { families, serviceRanges, sharers }: CloudPlanInput,
  blocks: Blocks,
): PodCIDRPlan {
  const missing = families.filter((family) => blocks[family].length === 0);
  if (missing.length > 0) {
    const message = `The cloud lists no ${missing.join(' and no ')} block for the instance of this node, and a node gets all of its families or none. Assign a block to the instance.`;
    return { findings: [], outcome: { kind: 'notAvailable', message } };
  }
  const chosen = families.flatMap((family) => blocks[family]);
  if (chosen.length > families.length) {
    const listed = enumerate(chosen.map(formatCidr));
    const message = `The cloud lists ${listed} for the instance of this node, and a node gets exactly one block of each family. Leave one of each assigned to the instance.`;
    return { findings: [], outcome: { kind: 'notAvailable', message } };
  }
  const problem = unusableMessage(chosen) ?? serviceMessage(chosen, serviceRanges);
  if (problem !== undefined) {
    return { findings: [], outcome: { kind: 'notAvailable', message: problem } };
  }
  const duplicate = findSharedBlock(chosen, sharers);
  if (duplicate !== undefined) return { findings: [duplicate], outcome: { kind: 'heldBack' } };
  const [first, ...others] = chosen.map(formatCidr);
  if (first === undefined) return nothing();
  const reason = 'the node has no podCIDRs, and the cloud lists these blocks for its instance';
  return {
    findings: [],
    outcome: { kind: 'assign', podCIDRs: [first, ...others], reason, searches: [] },
  };
}

function unusableMessage(blocks: readonly Cidr[]): string | undefined {
  const [problem] = blocks.flatMap((block) => unusableProblem(block) ?? []);
  if (problem === undefined) return undefined;
  return `The cloud lists a block for the instance of this node that pods cannot use: ${problem}`;
}

/** No node has these podCIDRs yet, so no addresses are shared as long as Tandem writes none. */
function findSharedBlock(
  blocks: readonly Cidr[],
  sharers: CloudPlanInput['sharers'],
): PodCIDRFinding | undefined {
  const shared = blocks.filter((block) => sharers(block).length > 0);
  if (shared.length === 0) return undefined;
  const names = [...new Set(shared.flatMap(sharers))].toSorted();
  const others = `${names.length === 1 ? 'node' : 'nodes'} ${enumerate(names)}`;
  const overlap = shared.length === 1 ? 'overlaps a block' : 'overlap blocks';
  const message = `The cloud lists ${enumerate(shared.map(formatCidr))} for the instance of this node, which ${overlap} of ${others}, so this node gets no podCIDRs. Assign blocks that do not overlap to the instances.`;
  return { code: 'DuplicatePodCIDR', message };
}

function serviceMessage(
  blocks: readonly Cidr[],
  serviceRanges: readonly Cidr[],
): string | undefined {
  for (const range of serviceRanges) {
    const block = blocks.find((one) => overlaps(one, range));
    if (block === undefined) continue;
    return `The cloud lists ${formatCidr(block)} for the instance of this node, which overlaps the service range ${formatCidr(range)}. Assign another block to the instance.`;
  }
  return undefined;
}

function findMismatch(node: AllocationNode, blocks: Blocks): PodCIDRFinding | undefined {
  const all = [...blocks.IPv4, ...blocks.IPv6];
  const podCIDRs = cidrsOf(node.podCIDRs.map(readPodCIDR));
  if (podCIDRs.every((cidr) => all.some((block) => containsCidr(block, cidr)))) return undefined;
  const listed = all.length === 0 ? 'none' : enumerate(all.map(formatCidr));
  const message = `The node has podCIDRs ${enumerate(node.podCIDRs)}, but the cloud lists ${listed} for its instance. Delete the Node and let its kubelet register it again, or give the instance its blocks back.`;
  return { code: 'CloudCIDRAllocatorMismatch', message };
}

function blocksOf(blocks: Readonly<Record<Family, readonly string[]>>): Blocks {
  const read = (texts: readonly string[]): readonly Cidr[] =>
    cidrsOf(texts.map(readPodCIDR)).toSorted(compareCidrs);
  return { IPv4: read(blocks.IPv4), IPv6: read(blocks.IPv6) };
}

function nothing(findings: readonly PodCIDRFinding[] = []): PodCIDRPlan {
  return { findings, outcome: { kind: 'settled' } };
}
