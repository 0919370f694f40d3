/** The values of the flags of pod CIDRs, before anything is judged. */
import type { Cidr, Family } from '@tandem/core/ip';
import { type GivenFlags, networkEntries, type NetworkEntry, readable } from '@tandem/cli/flags';
import {
  allocateNodeCidrs,
  type AllocatorType,
  cidrAllocatorType,
  clusterCidr,
  nodeCidrMaskSize,
  nodeCidrMaskSizes,
  serviceClusterIpRange,
} from '../flags/declared/pod-networks.ts';

export interface AllocatorFlags {
  readonly isOn: boolean;
  readonly type: AllocatorType;
  /** In the order of the flag. Of a list that has faulty entries, the others: for complaints only. */
  readonly clusterCIDRs: readonly Cidr[];
  /** How many ranges `--cluster-cidr` has, faulty ones included. */
  readonly clusterCIDRCount: number;
  /** Entries of `--cluster-cidr` that cannot be read, as far as their size can. */
  readonly faultyRanges: readonly FaultyRange[];
  readonly serviceRanges: readonly Cidr[];
  readonly serviceRangeCount: number;
  /** `--node-cidr-mask-size`; 0 where it is not given. */
  readonly maskSize: number;
  /** By family; 0 where it is not given. */
  readonly maskSizes: Readonly<Record<Family, number>>;
}

export interface FaultyRange {
  readonly text: string;
  readonly family: Family;
  readonly prefixLength: number;
}

export function readAllocatorFlags(flags: GivenFlags): AllocatorFlags {
  const clusterEntries = networkEntries(flags.textOf(clusterCidr));
  const serviceEntries = networkEntries(flags.textOf(serviceClusterIpRange));
  return {
    isOn: flags.of(allocateNodeCidrs),
    type: flags.of(cidrAllocatorType),
    clusterCIDRs: readable(clusterEntries),
    clusterCIDRCount: clusterEntries.length,
    faultyRanges: clusterEntries.flatMap(faultyRange),
    serviceRanges: readable(serviceEntries),
    serviceRangeCount: serviceEntries.length,
    maskSize: flags.of(nodeCidrMaskSize),
    maskSizes: {
      IPv4: flags.of(nodeCidrMaskSizes.IPv4),
      IPv6: flags.of(nodeCidrMaskSizes.IPv6),
    },
  };
}

/** `10.244.0.300/16` is no network, and no network of that size has blocks of /8. */
function faultyRange({ text, cidr }: NetworkEntry): FaultyRange[] {
  const length = /\/(\d{1,3})$/.exec(text)?.[1];
  if (cidr !== undefined || length === undefined) return [];
  const family = text.includes(':') ? 'IPv6' : 'IPv4';
  return [{ text, family, prefixLength: Number(length) }];
}
