/** The node-ipam-controller: gives nodes pod CIDRs from its ranges, or those that the cloud assigned. */
import assert from 'node:assert/strict';
import {
  controllerName,
  ipamEvents,
  ipamMetricTable,
  NodeIpamController,
} from '@tandem/controllers/node-ipam';
import type { PodCIDRPool } from '@tandem/core/allocation';
import { formatCidr } from '@tandem/core/ip';
import { type Grant, onNodes } from '../access/index.ts';
import {
  allocateNodeCidrs,
  cidrAllocatorType,
  nodeCidrMaskSize,
  nodeCidrMaskSizes,
  serviceClusterIpRange,
} from '../pod-cidrs/flags.ts';
import { idleReason, type NodeIpamOptions, readNodeIpam } from '../pod-cidrs/index.ts';
import { type ControllerDeclaration, declareController, eventNotes } from './declaration.ts';

const grants: readonly Grant[] = [
  {
    part: controllerName,
    purpose: 'a node that changed during a write',
    ...onNodes,
    verbs: { get: 'Nodes that change during a write get no pod CIDRs' },
  },
  {
    part: controllerName,
    purpose: 'the pod CIDRs',
    ...onNodes,
    verbs: { patch: 'Nodes get no pod CIDRs' },
  },
];

export const nodeIpam: ControllerDeclaration = declareController<NodeIpamOptions>({
  name: controllerName,
  alias: 'nodeipam',
  otherAliases: ['node-ipam'],
  serviceAccount: 'node-controller',
  flags: [
    {
      title: 'Node IPAM controller',
      flags: [
        allocateNodeCidrs,
        cidrAllocatorType,
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
  metrics: Object.values(ipamMetricTable),
  allocates({ flags, settings }) {
    if (settings === undefined) return undefined;
    return flags.type === 'CloudAllocator' ? 'cloud' : 'ranges';
  },
  events: eventNotes(ipamEvents),
  create({ settings }, parts) {
    assert(settings !== undefined, 'a controller without settings does not run');
    return new NodeIpamController({ ...parts, settings, workers: settings.workers });
  },
});

function shownPool({ name: pool, ranges }: PodCIDRPool): unknown {
  return {
    name: pool,
    cidrs: ranges.map(({ cidr }) => formatCidr(cidr)),
    nodeMaskSizes: Object.fromEntries(
      ranges.map(({ cidr, nodeMaskSize }) => [cidr.network.family, nodeMaskSize]),
    ),
  };
}
