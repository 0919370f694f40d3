/** The flags of pod CIDRs and of routes to them, neither of which Tandem gives out yet. */
import type { Cidr } from '@tandem/core/ip';
import {
  accepted,
  type AnyFlag,
  type DefaultedFlag,
  type Flag,
  type FlagGroup,
  honoured,
  refused,
} from '../flag.ts';
import { bool, choice, duration, int, networks } from '../values/index.ts';

const noAllocator =
  'Tandem does not allocate pod CIDRs yet; kube-controller-manager or the cloud does';

export const configureCloudRoutes: DefaultedFlag<boolean> = {
  name: 'configure-cloud-routes',
  type: bool,
  byDefault: 'true',
  standing: accepted(
    "Tandem does not configure routes yet; if you need them, run your cloud's own manager beside it",
    'false',
  ),
  help: "Configure routes for the nodes' pod CIDRs in the cloud. If false, the startup log does not mention routes.",
};

export const clusterCidr: Flag<readonly Cidr[]> = {
  name: 'cluster-cidr',
  type: networks,
  standing: honoured,
  help: "Comma-separated networks of the cluster's pods. The manager passes them to the provider and allocates nothing from them.",
};

const allocateNodeCidrs: DefaultedFlag<boolean> = {
  name: 'allocate-node-cidrs',
  type: bool,
  byDefault: 'false',
  standing: refused(
    'Tandem does not allocate pod CIDRs yet. Keep --allocate-node-cidrs and --cluster-cidr on kube-controller-manager and remove the flag here',
    'false',
  ),
  help: 'Allocate pod CIDRs to nodes.',
};

export const podNetworkFlags: readonly AnyFlag[] = [
  configureCloudRoutes,
  allocateNodeCidrs,
  {
    name: 'cidr-allocator-type',
    type: choice('type', ['RangeAllocator', 'CloudAllocator', 'IPAMFromCluster', 'IPAMFromCloud']),
    byDefault: 'RangeAllocator',
    standing: accepted(noAllocator),
    help: 'Type of allocator for pod CIDRs.',
  },
  clusterCidr,
  {
    name: 'route-reconciliation-period',
    type: duration(),
    byDefault: '10s',
    standing: accepted('Tandem does not configure routes yet'),
    help: 'Interval between reconciliations of routes.',
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
