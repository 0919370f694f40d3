/**
 * The settings of node-ipam-controller, from the flags of pod CIDRs and the pools of the file. If it does not run, they
 * are not checked: command lines of other managers have these flags with allocation off.
 */
import { type PodCIDRPool, flagPoolName } from '@tandem/core/allocation';
import type { NodeIpamSettings as AllocatorSettings } from '@tandem/controllers/node-ipam';
import type { AnyFlag, GivenFlags, StartupNote } from '@tandem/cli/flags';
import type { ReadContext } from '../controllers/declaration.ts';
import type { Configuration } from '../config/index.ts';
import {
  allocateNodeCidrs,
  type AllocatorFlags,
  cidrAllocatorType,
  nodeCidrMaskSize,
  nodeCidrMaskSizes,
  readAllocatorFlags,
  serviceClusterIpRange,
} from './flags.ts';
import { allocatorProblems } from './allocator-problems.ts';
import { clusterRanges, sizeFlagsIn } from './block-sizes.ts';

/** Pools are in the order in which they are tried: first those of the file of `--config`, then that of the flag. */
interface NodeIpamSettings extends AllocatorSettings {
  /** The number of nodes that are written in parallel. */
  readonly workers: number;
}

export interface NodeIpamOptions {
  /** The values of the flags, even if the controller does not run. */
  readonly flags: AllocatorFlags;
  /** The settings with which it runs; undefined if it does not run. */
  readonly settings: NodeIpamSettings | undefined;
}

/** Upstream's number of workers. */
const workers = 30;

/** Why the controller does not run without the flag. */
export const idleReason = 'pod CIDRs are allocated only with --allocate-node-cidrs';

export function readNodeIpam(flags: GivenFlags, context: ReadContext): NodeIpamOptions {
  const { isSelected, file, problems, notes, notesWithoutRoutes } = context;
  const given = readAllocatorFlags(flags);
  if (!given.isOn || !isSelected) {
    const reason = given.isOn ? '--controllers does not select node-ipam-controller' : idleReason;
    notes.push(...unusedNotes(flags, given, reason));
    notesWithoutRoutes.push(...unusedRangeNotes(flags, file, reason));
    return { flags: given, settings: undefined };
  }
  problems.push(...allocatorProblems({ flags, given, file }));
  if (given.type === 'CloudAllocator') {
    const reason = 'CloudAllocator takes pod CIDRs of the size that the cloud assigned';
    notes.push(...sizeFlagsIn(given).map((flag) => noEffect(flag, reason)));
  }
  return { flags: given, settings: settingsOf(given, file) };
}

function settingsOf(given: AllocatorFlags, file: Configuration): NodeIpamSettings | undefined {
  const { type: allocator, clusterCIDRs, serviceRanges } = given;
  if (allocator !== 'RangeAllocator' && allocator !== 'CloudAllocator') return undefined;
  const pools = allocator === 'RangeAllocator' ? poolsOf(given, file) : [];
  const ordered = clusterCIDRs.length > 0 ? clusterCIDRs : lastRanges(pools);
  const families = ordered.map(({ network }) => network.family);
  return { allocator, pools, families, serviceRanges, workers };
}

function poolsOf(given: AllocatorFlags, file: Configuration): readonly PodCIDRPool[] {
  const ofFile = file.podCIDRPools.map(({ name, ranges, selector }) => ({
    name,
    ranges: ranges.map(({ cidr, nodeMaskSize }) => ({ cidr, nodeMaskSize })),
    selector,
  }));
  const ranges = clusterRanges(given);
  return ranges.length === 0
    ? ofFile
    : [...ofFile, { name: flagPoolName, ranges, selector: undefined }];
}

function lastRanges(pools: readonly PodCIDRPool[]): AllocatorFlags['clusterCIDRs'] {
  return pools.at(-1)?.ranges.map(({ cidr }) => cidr) ?? [];
}

function unusedNotes(flags: GivenFlags, given: AllocatorFlags, reason: string): StartupNote[] {
  const { IPv4, IPv6 } = nodeCidrMaskSizes;
  const unused = [
    ...(given.isOn ? [allocateNodeCidrs] : []),
    ...[cidrAllocatorType, nodeCidrMaskSize, IPv4, IPv6].filter((flag) => flags.isGiven(flag)),
  ];
  return unused.map((flag) => noEffect(flag, reason));
}

/** Returns the notes about ranges that have no effect. Without allocation, only routes can use them. */
function unusedRangeNotes(
  flags: GivenFlags,
  { podCIDRPools }: Configuration,
  notAllocated: string,
): StartupNote[] {
  const reason = `${notAllocated}, and no routes are managed`;
  const notes: StartupNote[] = [];
  if (flags.isGiven(serviceClusterIpRange)) notes.push(noEffect(serviceClusterIpRange, reason));
  if (podCIDRPools.length > 0) {
    const fields = { field: 'podCIDRPools', reason };
    notes.push({ level: 'warn', message: 'Configuration has no effect', fields });
  }
  return notes;
}

function noEffect({ name }: AnyFlag, reason: string): StartupNote {
  return { level: 'info', message: 'Flag has no effect', fields: { flag: `--${name}`, reason } };
}
