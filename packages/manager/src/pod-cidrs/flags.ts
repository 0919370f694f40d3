/**
 * Upstream's flags of the allocator of pod CIDRs. `--cluster-cidr` is not among them: it is about the cluster,
 * and providers read it too.
 */
import type { Cidr, Family } from '@tandem/core/ip';
import {
  bool,
  type DefaultedFlag,
  type Flag,
  honoured,
  int,
  invalid,
  networks,
  single,
  value,
} from '@tandem/cli/flags';

export const allocateNodeCidrs: DefaultedFlag<boolean> = {
  name: 'allocate-node-cidrs',
  type: bool,
  byDefault: 'false',
  support: honoured,
  help: 'Give every node a pod CIDR of each family (spec.podCIDRs). Requires --cluster-cidr, or podCIDRPools in the file of --config. Turn allocation off in kube-controller-manager first: two allocators can give one block to two nodes.',
};

export type AllocatorType = (typeof allocatorTypes)[number];

/** Those that Tandem has, and those that upstream only has by name. */
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
  support: honoured,
  help: 'Where pod CIDRs come from. RangeAllocator takes blocks from podCIDRPools and --cluster-cidr. CloudAllocator takes the blocks that the cloud has assigned to the instance, and only the order of the families from --cluster-cidr.',
};

export const nodeCidrMaskSize: DefaultedFlag<number> = {
  name: 'node-cidr-mask-size',
  type: int({ min: 0, max: 128 }),
  byDefault: '0',
  support: honoured,
  help: "Prefix length of a node's pod CIDR if --cluster-cidr has one range. 0 means the default: 24 for IPv4, 64 for IPv6. If --cluster-cidr has two ranges, use --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6.",
};

export const nodeCidrMaskSizes: Readonly<Record<Family, DefaultedFlag<number>>> = {
  IPv4: {
    name: 'node-cidr-mask-size-ipv4',
    type: int({ min: 0, max: 32 }),
    byDefault: '0',
    support: honoured,
    help: "Prefix length of a node's IPv4 pod CIDR from --cluster-cidr. 0 means the default, 24.",
  },
  IPv6: {
    name: 'node-cidr-mask-size-ipv6',
    type: int({ min: 0, max: 128 }),
    byDefault: '0',
    support: honoured,
    help: "Prefix length of a node's IPv6 pod CIDR from --cluster-cidr. 0 means the default, 64.",
  },
};

export const serviceClusterIpRange: Flag<readonly Cidr[]> = {
  name: 'service-cluster-ip-range',
  type: networks,
  support: honoured,
  help: "Ranges of the cluster's Services: one CIDR, or one of each family separated by a comma. Nodes get no pod CIDR that overlaps them.",
};
