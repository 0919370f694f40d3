/** The node-ipam-controller: gives nodes their pod CIDRs, from ranges or as the cloud has assigned them. */
import { formatCidr } from '@tandem/core/ip';
import type { Grant } from '../access/index.ts';
import {
  allocateNodeCidrs,
  cidrAllocatorType,
  idleReason,
  nodeCidrMaskSize,
  nodeCidrMaskSizes,
  type NodeIpamOptions,
  readNodeIpam,
  serviceClusterIpRange,
} from '../pod-cidrs/index.ts';
import type { PodCIDRPool } from '../settings/index.ts';
import type { TypedDeclaration } from './declaration.ts';

const name = 'node-ipam-controller';

const grants: readonly Grant[] = [
  {
    part: name,
    purpose: 'all nodes and their pod CIDRs before the first allocation',
    place: 'cluster',
    group: '',
    resource: 'nodes',
    verbs: { list: 'Nodes get no pod CIDRs' },
  },
  {
    part: name,
    purpose: 'a node that changed during a write',
    place: 'cluster',
    group: '',
    resource: 'nodes',
    verbs: { get: 'Nodes that change during a write get no pod CIDRs' },
  },
  {
    part: name,
    purpose: 'the pod CIDRs',
    place: 'cluster',
    group: '',
    resource: 'nodes',
    verbs: { patch: 'Nodes get no pod CIDRs' },
  },
];

/** All of the declaration but what the controller itself brings: its metrics, its events, and how it is made. */
export const nodeIpamFacts: Omit<
  TypedDeclaration<NodeIpamOptions>,
  'metrics' | 'events' | 'create'
> = {
  name,
  alias: 'nodeipam',
  otherAliases: ['node-ipam'],
  serviceAccount: 'node-controller',
  flags: [
    { title: 'Generic', flags: [allocateNodeCidrs, cidrAllocatorType] },
    {
      title: 'Node IPAM controller',
      flags: [
        nodeCidrMaskSize,
        nodeCidrMaskSizes.IPv4,
        nodeCidrMaskSizes.IPv6,
        serviceClusterIpRange,
      ],
    },
  ],
  read: readNodeIpam,
  idleBecause: ({ flags }) => (flags.isOn ? undefined : idleReason),
  show({ flags, settings }) {
    const [first = '', second = ''] = flags.serviceRanges.map(formatCidr);
    return {
      upstream: {
        KubeCloudShared: { AllocateNodeCIDRs: flags.isOn, CIDRAllocatorType: flags.type },
        NodeIPAMController: {
          ServiceCIDR: first,
          SecondaryServiceCIDR: second,
          NodeCIDRMaskSize: flags.maskSize,
          NodeCIDRMaskSizeIPv4: flags.maskSizes.IPv4,
          NodeCIDRMaskSizeIPv6: flags.maskSizes.IPv6,
        },
      },
      own: { podCIDRPools: settings?.pools.map(shownPool) ?? [] },
    };
  },
  grants,
  needs: (_, mode) => (mode === 'write' ? grants : []),
};

function shownPool({ name: pool, ranges }: PodCIDRPool): unknown {
  return {
    name: pool,
    cidrs: ranges.map(({ cidr }) => formatCidr(cidr)),
    nodeMaskSizes: Object.fromEntries(
      ranges.map(({ cidr, nodeMaskSize }) => [cidr.network.family, nodeMaskSize]),
    ),
  };
}
