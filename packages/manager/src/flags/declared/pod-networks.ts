/** The flags of pod CIDRs and of routes to them, neither of which Tandem gives out yet. */
import { accepted, type AnyFlag, type DefaultedFlag, type FlagGroup, refused } from '../flag.ts';
import { bool, choice, duration, int, networks } from '../values/index.ts';

const noAllocator =
  'Tandem does not allocate pod CIDRs yet, so that they come from kube-controller-manager or the cloud';

export const configureCloudRoutes: DefaultedFlag<boolean> = {
  name: 'configure-cloud-routes',
  type: bool,
  byDefault: 'true',
  standing: accepted(
    "Tandem sets no routes yet: run upstream's node-route-controller beside it where you need them",
    'false',
  ),
  help: "Whether routes for the nodes' pod CIDRs are set in the cloud. With false, nothing is said about routes at the start.",
};

const allocateNodeCidrs: DefaultedFlag<boolean> = {
  name: 'allocate-node-cidrs',
  type: bool,
  byDefault: 'false',
  standing: refused(
    'Tandem does not allocate pod CIDRs yet: keep --allocate-node-cidrs and --cluster-cidr with kube-controller-manager and leave the flag out here',
    'false',
  ),
  help: 'Whether pod CIDRs are allocated to nodes.',
};

export const podNetworkFlags: readonly AnyFlag[] = [
  configureCloudRoutes,
  allocateNodeCidrs,
  {
    name: 'cidr-allocator-type',
    type: choice('type', ['RangeAllocator', 'CloudAllocator', 'IPAMFromCluster', 'IPAMFromCloud']),
    byDefault: 'RangeAllocator',
    standing: accepted(noAllocator),
    help: 'Where pod CIDRs come from.',
  },
  {
    name: 'cluster-cidr',
    type: networks,
    standing: accepted(noAllocator),
    help: "The networks of the cluster's pods, with commas.",
  },
  {
    name: 'route-reconciliation-period',
    type: duration(),
    byDefault: '10s',
    standing: accepted('Tandem sets no routes yet'),
    help: 'The time between two passes over the routes.',
  },
];

const maskSize = int({ min: 0, max: 128 });

/** Not in upstream's manager, but in those of many clouds that are built from it. */
export const nodeIpam: FlagGroup = {
  title: 'Node IPAM controller',
  flags: [
    ...['', '-ipv4', '-ipv6'].map((suffix) => ({
      name: `node-cidr-mask-size${suffix}`,
      type: suffix === '-ipv4' ? int({ min: 0, max: 32 }) : maskSize,
      byDefault: '0',
      standing: accepted(noAllocator),
      help: `The prefix length of a node's pod CIDR${suffix === '' ? '' : ` of ${suffix === '-ipv4' ? 'IPv4' : 'IPv6'}`}.`,
    })),
    {
      name: 'service-cluster-ip-range',
      type: networks,
      standing: accepted(noAllocator),
      help: "The networks of the cluster's Services, which no node may be given.",
    },
  ],
};
