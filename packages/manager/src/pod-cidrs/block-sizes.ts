/** Reads the sizes of nodes' blocks in `--cluster-cidr` from the flags, and finds the problems of these flags. */
import type { Family } from '@tandem/core/ip';
import { quote } from '@tandem/core/node-address';
import type { AnyFlag, DefaultedFlag, GivenFlags } from '@tandem/cli/flags';
import {
  type PoolRange,
  defaultSizeProblem,
  familiesProblem,
  nodeMaskSizeDefaults,
  sizeProblem,
} from '@tandem/core/allocation';
import {
  type AllocatorFlags,
  clusterCidr,
  type FaultyRange,
  nodeCidrMaskSize,
  nodeCidrMaskSizes,
} from './flags.ts';

const families: readonly Family[] = ['IPv4', 'IPv6'];

/** Returns the ranges of `--cluster-cidr` with the sizes of their blocks. */
export function clusterRanges(given: AllocatorFlags): readonly PoolRange[] {
  return given.clusterCIDRs.map((cidr) => ({
    cidr,
    nodeMaskSize: sizeOf(cidr.network.family, given).size,
  }));
}

/** Returns the flags that set a size. */
export function sizeFlagsIn({ maskSize, maskSizes }: AllocatorFlags): readonly AnyFlag[] {
  return [
    ...(maskSize > 0 ? [nodeCidrMaskSize] : []),
    ...families
      .filter((family) => maskSizes[family] > 0)
      .map((family) => nodeCidrMaskSizes[family]),
  ];
}

export function blockSizeProblems(flags: GivenFlags, given: AllocatorFlags): string[] {
  return [
    ...flagProblems(flags, given),
    ...clusterRanges(given).flatMap((range) => rangeProblem(range, flags, given) ?? []),
    ...given.faultyRanges.flatMap((range) => faultyRangeProblem(range, flags, given) ?? []),
  ];
}

interface BlockSize {
  readonly size: number;
  /** The flag that sets the size, or could set it. */
  readonly flag: DefaultedFlag<number>;
  readonly isDefault: boolean;
}

/** Returns the size of a family. `--node-cidr-mask-size` applies only if there is one range. */
function sizeOf(family: Family, given: AllocatorFlags): BlockSize {
  const { clusterCIDRCount, maskSize, maskSizes } = given;
  const flag = nodeCidrMaskSizes[family];
  const size = maskSizes[family];
  if (size > 0) return { size, flag, isDefault: false };
  if (maskSize > 0 && clusterCIDRCount === 1) {
    return { size: maskSize, flag: nodeCidrMaskSize, isDefault: false };
  }
  return { size: nodeMaskSizeDefaults[family], flag, isDefault: true };
}

/** Returns the problems of flags that contradict each other or apply to no range. */
function flagProblems(flags: GivenFlags, given: AllocatorFlags): string[] {
  const { clusterCIDRs, clusterCIDRCount } = given;
  const set = sizeFlagsIn(given);
  if (clusterCIDRCount === 0) {
    return set.map(
      ({ name }) =>
        `--${name}: there is no --cluster-cidr for it. Remove the flag, and set nodeMaskSizes in podCIDRPools.`,
    );
  }
  if (set.includes(nodeCidrMaskSize)) return singleSizeProblems(set, given);
  // A range that cannot be read may be of either family.
  if (flags.isFaulty(clusterCidr)) return [];
  return families
    .filter((family) => given.maskSizes[family] > 0)
    .filter((family) => clusterCIDRs.every(({ network }) => network.family !== family))
    .map(
      (family) =>
        `--${nodeCidrMaskSizes[family].name}: --cluster-cidr has no ${family} range. Add one, or remove the flag.`,
    );
}

/** Returns the problems of `--node-cidr-mask-size`, which is enough for only one range. */
function singleSizeProblems(
  set: readonly AnyFlag[],
  { clusterCIDRs, clusterCIDRCount }: AllocatorFlags,
): string[] {
  const others = set.filter((flag) => flag !== nodeCidrMaskSize).map(({ name }) => `--${name}`);
  const given = `--${nodeCidrMaskSize.name}`;
  if (others.length > 0) {
    return [`${given}: cannot be combined with ${others.join(' and ')}. Remove ${given}.`];
  }
  const isPair = clusterCIDRCount === 2 && familiesProblem(clusterCIDRs) === undefined;
  if (!isPair) return [];
  return [
    `${given}: one size is not enough for the two families of --cluster-cidr. Use --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6.`,
  ];
}

function rangeProblem(
  range: PoolRange,
  flags: GivenFlags,
  given: AllocatorFlags,
): string | undefined {
  const { flag, isDefault } = sizeOf(range.cidr.network.family, given);
  if (flags.isFaulty(flag) || flags.isFaulty(nodeCidrMaskSize)) return undefined;
  const problem = isDefault ? defaultSizeProblem(range, `--${flag.name}`) : sizeProblem(range);
  return problem && `--${isDefault ? clusterCidr.name : flag.name}: ${problem}`;
}

/** Returns a problem if the size is impossible for any range with this prefix length, however it is corrected. */
function faultyRangeProblem(
  { text, family, prefixLength }: FaultyRange,
  flags: GivenFlags,
  given: AllocatorFlags,
): string | undefined {
  const { size, flag, isDefault } = sizeOf(family, given);
  if (isDefault || flags.isFaulty(flag) || size >= prefixLength) return undefined;
  return `--${flag.name}: no range of the size of ${quote(text)} has blocks of /${size}. Use a size of at least ${prefixLength}.`;
}
