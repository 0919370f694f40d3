/** The flags about the pods' networks and the routes to them. Two controllers and the provider read them. */
import { type Cidr, type Family, formatCidr } from '@tandem/core/ip';
import {
  type AnyFlag,
  bool,
  type DefaultedFlag,
  duration,
  type Flag,
  type GivenFlags,
  honoured,
  int,
  invalid,
  networks,
  single,
  value,
} from '@tandem/cli/flags';
import type { Configuration } from '../../config/index.ts';

export const configureCloudRoutes: DefaultedFlag<boolean> = {
  name: 'configure-cloud-routes',
  type: bool,
  byDefault: 'true',
  support: honoured,
  help: "Give the cloud routes to the nodes' pod CIDRs, where the provider has route tables. Requires --cluster-cidr, or podCIDRPools in the file of --config: only routes inside these ranges are touched.",
};

export const clusterCidr: Flag<readonly Cidr[]> = {
  name: 'cluster-cidr',
  type: networks,
  support: honoured,
  help: "Ranges of the cluster's pods: one CIDR, or one of each family separated by a comma, the primary family first. The manager passes them to the provider and, with --allocate-node-cidrs, gives nodes their pod CIDRs from them. Host bits are cut off: 10.244.9.9/16 means 10.244.0.0/16.",
};

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

export const routeReconciliationPeriod: Flag<number> = {
  name: 'route-reconciliation-period',
  type: duration({ minMs: 1000 }),
  support: honoured,
  help: 'Interval between two full passes over the routes. Default: between 45s and 60s, at random; the upstream default is 10s. Changes of nodes take effect at once, whatever the interval.',
};

export const podNetworkFlags: readonly AnyFlag[] = [
  configureCloudRoutes,
  clusterCidr,
  routeReconciliationPeriod,
];

/** The ranges of `--cluster-cidr` and of the pools of the file of `--config`, each once. */
export function clusterCIDRsOf(
  flags: GivenFlags,
  { podCIDRPools }: Pick<Configuration, 'podCIDRPools'>,
): readonly Cidr[] {
  const ofPools = podCIDRPools.flatMap(({ ranges }) => ranges.map(({ cidr }) => cidr));
  const all = [...(flags.find(clusterCidr) ?? []), ...ofPools];
  return [...new Map(all.map((cidr) => [formatCidr(cidr), cidr])).values()];
}
