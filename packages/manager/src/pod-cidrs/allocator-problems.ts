/**
 * Finds problems of the flags of pod CIDRs, and of the pools of the file together with them. It is stricter than upstream
 * where upstream starts and then allocates nothing, or blocks that do not exist. The readers have reported unreadable
 * values; the other values of a list are checked anyway, so that one try shows all problems.
 */
import { type Cidr, formatCidr, overlaps } from '@tandem/core/ip';
import { quote } from '@tandem/core/node-address';
import type { AnyFlag, GivenFlags } from '@tandem/cli/flags';
import {
  type PoolRange,
  coversAllBlocks,
  familiesProblem,
  unusableProblem,
} from '@tandem/core/allocation';
import type { Configuration } from '../config/index.ts';
import {
  type AllocatorFlags,
  cidrAllocatorType,
  clusterCidr,
  serviceClusterIpRange,
} from './flags.ts';
import { blockSizeProblems, clusterRanges } from './block-sizes.ts';

export interface Judged {
  readonly flags: GivenFlags;
  /** The values of the flags. */
  readonly given: AllocatorFlags;
  readonly file: Configuration;
}

export function allocatorProblems(judged: Judged): string[] {
  const { flags, given } = judged;
  const { type } = given;
  const lists = [
    ...listProblems(flags, clusterCidr, [given.clusterCIDRs, given.clusterCIDRCount]),
    ...listProblems(flags, serviceClusterIpRange, [given.serviceRanges, given.serviceRangeCount]),
    ...given.clusterCIDRs.flatMap((cidr) => unusableProblems(cidr)),
  ];
  switch (type) {
    case 'RangeAllocator':
      return [...lists, ...rangeProblems(judged)];
    case 'CloudAllocator':
      return [...lists, ...cloudProblems(judged)];
    case 'IPAMFromCluster':
      return [
        ...lists,
        unsupported(type, 'RangeAllocator to allocate pod CIDRs from --cluster-cidr'),
      ];
    case 'IPAMFromCloud':
      return [...lists, unsupported(type, 'CloudAllocator to take pod CIDRs from the cloud')];
  }
}

function unsupported(type: string, instead: string): string {
  return `--${cidrAllocatorType.name}: ${quote(type)} is not supported, and upstream no longer runs it. Use ${instead}.`;
}

/** The maximum length of quoted values, enough for two ranges. */
const shownMax = 120;

function unusableProblems(cidr: Cidr): string[] {
  const problem = unusableProblem(cidr);
  return problem === undefined ? [] : [`--${clusterCidr.name}: ${problem}`];
}

function listProblems(
  flags: GivenFlags,
  flag: AnyFlag,
  [ranges, count]: readonly [readonly Cidr[], number],
): string[] {
  const problem = familiesProblem(ranges, count);
  const text = flags.isFaulty(flag) ? flags.textOf(flag) : ranges.map(formatCidr).join(',');
  const shown = quote(text, shownMax);
  return problem === undefined
    ? []
    : [`--${flag.name}: ${shown} ${problem}. Pass one range, or one of each family.`];
}

function cloudProblems({ flags, given, file }: Judged): string[] {
  const problems: string[] = [];
  if (given.clusterCIDRs.length === 0 && !flags.isFaulty(clusterCidr)) {
    problems.push(
      '--cidr-allocator-type: CloudAllocator takes the order of the families from --cluster-cidr, which is missing. Pass one range, or one of each family, the primary family first.',
    );
  }
  if (file.podCIDRPools.length > 0) {
    problems.push(
      'podCIDRPools: CloudAllocator takes pod CIDRs from the cloud and from no pool. Remove podCIDRPools from the file of --config, or use --cidr-allocator-type=RangeAllocator.',
    );
  }
  return problems;
}

function rangeProblems(judged: Judged): string[] {
  const { flags, given, file } = judged;
  const hasClusterCIDR = given.clusterCIDRs.length > 0 || flags.isFaulty(clusterCidr);
  const hasPools = file.podCIDRPools.length > 0 || file.problems.length > 0;
  if (!hasClusterCIDR && !hasPools) {
    return [
      '--allocate-node-cidrs: there is no range to allocate from. Pass --cluster-cidr, or list podCIDRPools in the file of --config.',
    ];
  }
  return [
    ...blockSizeProblems(flags, given),
    ...clusterRanges(given).flatMap((range) => coveredProblems(range, given.serviceRanges)),
    ...poolProblems(judged),
  ];
}

function coveredProblems(range: PoolRange, serviceRanges: readonly Cidr[]): string[] {
  return serviceRanges
    .filter((service) => coversAllBlocks(service, range))
    .map(
      (service) =>
        `--${serviceClusterIpRange.name}: ${formatCidr(service)} leaves no block of ${formatCidr(range.cidr)} in --cluster-cidr to nodes. Pass ranges that do not overlap.`,
    );
}

function poolProblems({ given, file }: Judged): string[] {
  const { clusterCIDRs, serviceRanges } = given;
  return file.podCIDRPools
    .flatMap(({ ranges }) => ranges)
    .flatMap((range) => {
      const { place, cidr } = range;
      const shown = `${place}: ${formatCidr(cidr)}`;
      const overlapping = clusterCIDRs.filter((other) => overlaps(other, cidr));
      const covering = serviceRanges.filter((service) => coversAllBlocks(service, range));
      return [
        ...overlapping.map(
          (other) => `${shown} overlaps ${formatCidr(other)} of --cluster-cidr. Use another range.`,
        ),
        ...covering.map(
          (service) =>
            `${shown} has no block outside ${formatCidr(service)} of --service-cluster-ip-range. Use another range.`,
        ),
      ];
    });
}
