/** Upstream's flags of node-ipam-controller, for a list of controllers that does not have it. */
import { accepted, type AnyFlag, type FlagGroup, refused } from '../flag.ts';
import { bool, choice, int, networks } from '../values/index.ts';

const noAllocator =
  'Tandem does not allocate pod CIDRs yet; kube-controller-manager or the cloud does';

export const genericWithoutAllocator: readonly AnyFlag[] = [
  {
    name: 'allocate-node-cidrs',
    type: bool,
    byDefault: 'false',
    standing: refused(
      'Tandem does not allocate pod CIDRs yet. Keep --allocate-node-cidrs and --cluster-cidr on kube-controller-manager and remove the flag here',
      'false',
    ),
    help: 'Allocate pod CIDRs to nodes.',
  },
  {
    name: 'cidr-allocator-type',
    type: choice('type', ['RangeAllocator', 'CloudAllocator', 'IPAMFromCluster', 'IPAMFromCloud']),
    byDefault: 'RangeAllocator',
    standing: accepted(noAllocator),
    help: 'Type of allocator for pod CIDRs.',
  },
];

const maskSize = int({ min: 0, max: 128 });

/** Not in upstream's manager, but in those of many clouds that are built from it. */
export const nodeIpamWithoutAllocator: FlagGroup = {
  title: 'Node IPAM controller',
  flags: [
    ...['', '-ipv4', '-ipv6'].map((suffix) => ({
      name: `node-cidr-mask-size${suffix}`,
      type: suffix === '-ipv4' ? int({ min: 0, max: 32 }) : maskSize,
      byDefault: '0',
      standing: accepted(noAllocator),
      help: `Prefix length of a node's ${suffix === '' ? '' : suffix === '-ipv4' ? 'IPv4 ' : 'IPv6 '}pod CIDR.`,
    })),
    {
      name: 'service-cluster-ip-range',
      type: networks,
      standing: accepted(noAllocator),
      help: "Comma-separated networks of the cluster's Services, excluded from pod CIDRs.",
    },
  ],
};
