/** The values of the flags of pod CIDRs, before anything is judged. */
import type { Cidr, Family } from '@tandem/core/ip';
import { clusterCidr } from '../flags/declared/pod-networks.ts';
import type { GivenFlags } from '../flags/given-flags.ts';
import {
  allocateNodeCidrs,
  type AllocatorType,
  cidrAllocatorType,
  nodeCidrMaskSize,
  nodeCidrMaskSizes,
  serviceClusterIpRange,
} from './flags.ts';

export interface AllocatorFlags {
  readonly isOn: boolean;
  readonly type: AllocatorType;
  /** In the order of the flag. */
  readonly clusterCIDRs: readonly Cidr[];
  readonly serviceRanges: readonly Cidr[];
  /** `--node-cidr-mask-size`; 0 where it is not given. */
  readonly maskSize: number;
  /** By family; 0 where it is not given. */
  readonly maskSizes: Readonly<Record<Family, number>>;
}

export function readAllocatorFlags(flags: GivenFlags): AllocatorFlags {
  return {
    isOn: flags.of(allocateNodeCidrs),
    type: flags.of(cidrAllocatorType),
    clusterCIDRs: flags.find(clusterCidr) ?? [],
    serviceRanges: flags.find(serviceClusterIpRange) ?? [],
    maskSize: flags.of(nodeCidrMaskSize),
    maskSizes: {
      IPv4: flags.of(nodeCidrMaskSizes.IPv4),
      IPv6: flags.of(nodeCidrMaskSizes.IPv6),
    },
  };
}
