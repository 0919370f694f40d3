/**
 * The flags of pod CIDRs and their values, without checks. node-ipam-controller reads all of them;
 * node-route-controller and the provider read the ranges.
 */
import { type Cidr, type Family, formatCidr } from '@tandem/core/ip';
import {
  bool,
  type DefaultedFlag,
  type Flag,
  type GivenFlags,
  int,
  invalid,
  networkEntries,
  type NetworkEntry,
  networks,
  readable,
  single,
  value,
} from '@tandem/cli/flags';
import type { Configuration } from '../config/index.ts';

export const clusterCidr: Flag<readonly Cidr[]> = {
  name: 'cluster-cidr',
  type: networks,
  help: "Ranges of the cluster's pods: one CIDR, or one of each family separated by a comma, the primary family first. The manager passes them to the provider and, with --allocate-node-cidrs, gives nodes their pod CIDRs from them. Host bits are cut off: 10.244.9.9/16 means 10.244.0.0/16.",
};

export const allocateNodeCidrs: DefaultedFlag<boolean> = {
  name: 'allocate-node-cidrs',
  type: bool,
  byDefault: 'false',
  help: 'Give every node a pod CIDR of each family (spec.podCIDRs). Requires --cluster-cidr, or podCIDRPools in the file of --config. Turn allocation off in kube-controller-manager first: two allocators can give one block to two nodes.',
};

export type AllocatorType = (typeof allocatorTypes)[number];

/** The types that Tandem has, and those that upstream accepts but no longer runs. */
const allocatorTypes = [
  'RangeAllocator',
  'CloudAllocator',
  'IPAMFromCluster',
  'IPAMFromCloud',
] as const;

export const cidrAllocatorType: DefaultedFlag<AllocatorType> = {
  name: 'cidr-allocator-type',
  type: single('type', (text) => {
    const found = allocatorTypes.find((type) => type === text);
    return found === undefined
      ? invalid('is neither RangeAllocator nor CloudAllocator')
      : value(found);
  }),
  byDefault: 'RangeAllocator',
  help: 'Where pod CIDRs come from. RangeAllocator takes blocks from podCIDRPools and --cluster-cidr. CloudAllocator takes the blocks that the cloud has assigned to the instance, and only the order of the families from --cluster-cidr.',
};

export const nodeCidrMaskSize: DefaultedFlag<number> = {
  name: 'node-cidr-mask-size',
  type: int({ min: 0, max: 128 }),
  byDefault: '0',
  help: "Prefix length of a node's pod CIDR if --cluster-cidr has one range. 0 means the default: 24 for IPv4, 64 for IPv6. If --cluster-cidr has two ranges, use --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6.",
};

export const nodeCidrMaskSizes: Readonly<Record<Family, DefaultedFlag<number>>> = {
  IPv4: {
    name: 'node-cidr-mask-size-ipv4',
    type: int({ min: 0, max: 32 }),
    byDefault: '0',
    help: "Prefix length of a node's IPv4 pod CIDR from --cluster-cidr. 0 means the default, 24.",
  },
  IPv6: {
    name: 'node-cidr-mask-size-ipv6',
    type: int({ min: 0, max: 128 }),
    byDefault: '0',
    help: "Prefix length of a node's IPv6 pod CIDR from --cluster-cidr. 0 means the default, 64.",
  },
};

export const serviceClusterIpRange: Flag<readonly Cidr[]> = {
  name: 'service-cluster-ip-range',
  type: networks,
  help: "Ranges of the cluster's Services: one CIDR, or one of each family separated by a comma. Nodes get no pod CIDR that overlaps them.",
};

/** Returns the ranges of `--cluster-cidr` and of the pools in the file of `--config`, without duplicates. */
export function clusterCIDRsOf(
  flags: GivenFlags,
  { podCIDRPools }: Pick<Configuration, 'podCIDRPools'>,
): readonly Cidr[] {
  const ofPools = podCIDRPools.flatMap(({ ranges }) => ranges.map(({ cidr }) => cidr));
  const all = [...(flags.find(clusterCidr) ?? []), ...ofPools];
  return [...new Map(all.map((cidr) => [formatCidr(cidr), cidr])).values()];
}

export interface AllocatorFlags {
  readonly isOn: boolean;
  readonly type: AllocatorType;
  /** In the order of the flag, without faulty entries. If there are faulty ones, it serves only for messages. */
  readonly clusterCIDRs: readonly Cidr[];
  /** The number of ranges in `--cluster-cidr`, including faulty ones. */
  readonly clusterCIDRCount: number;
  /** The entries of `--cluster-cidr` of which only the size can be read. */
  readonly faultyRanges: readonly FaultyRange[];
  readonly serviceRanges: readonly Cidr[];
  readonly serviceRangeCount: number;
  /** `--node-cidr-mask-size`; 0 if it is not given. */
  readonly maskSize: number;
  /** The sizes by family; 0 if not given. */
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

/** Returns the size of an invalid network: `10.244.0.300/16` is invalid, but no /16 has blocks of /8 in any case. */
function faultyRange({ text, cidr }: NetworkEntry): FaultyRange[] {
  const length = /\/(\d{1,3})$/.exec(text)?.[1];
  if (cidr !== undefined || length === undefined) return [];
  const family = text.includes(':') ? 'IPv6' : 'IPv4';
  return [{ text, family, prefixLength: Number(length) }];
}
