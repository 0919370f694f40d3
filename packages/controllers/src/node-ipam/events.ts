/** Declares the events of the node-ipam-controller. Users filter by reason, so the reasons never change. */
import type { PodCIDRFindingCode } from '@tandem/core/allocation';
import { type EventTable, nodeEventsOf } from '../loop/index.ts';

/** Upstream's name of this controller. */
export const controllerName = 'node-ipam-controller';

export type IpamEventReason =
  | PodCIDRFindingCode
  | 'CIDRNotAvailable'
  | 'CIDRAssigned'
  | 'CIDRAssignmentFailed'
  | 'ForeignAllocator';

const registerAgain =
  'Delete the Node and let its kubelet register it again: podCIDRs cannot change on a Node.';

export const ipamEvents: EventTable<IpamEventReason> = {
  CIDRNotAvailable: {
    type: 'Warning',
    action: 'AssignPodCIDRs',
    meaning:
      'The node gets no pod CIDRs: its pool has no free block in some family, or no pool selects the node. With `--cidr-allocator-type=CloudAllocator`, the instance lacks a block of some family, has several, or has one that overlaps a service range; or the cloud has no instance for the node, or cannot say what the instance has. Nodes that are not initialised have the event of cloud-node-controller about a missing instance instead. A node gets all of its families or none.',
    remedy:
      'Delete Nodes that are not needed, or add a pool to the configuration. With CloudAllocator, assign one block of each family to the instance, restore the instance, or delete the Node. The node gets its pod CIDRs as soon as blocks are free.',
  },
  CIDRAssigned: {
    type: 'Normal',
    action: 'AssignPodCIDRs',
    meaning:
      'The node has its pod CIDRs, after an event said that it got none. A node that gets them at once has no such event.',
    remedy: 'Nothing.',
  },
  CIDRAssignmentFailed: {
    type: 'Warning',
    action: 'AssignPodCIDRs',
    meaning: 'The API server, or a webhook, refused to store the pod CIDRs of the node.',
    remedy: 'Read the event: it has the reason. Tandem tries again by itself.',
  },
  DuplicatePodCIDR: {
    type: 'Warning',
    action: 'CheckPodCIDRs',
    meaning:
      'A pod CIDR of the node overlaps a pod CIDR of another node, so that pods of both may get the same address. Both nodes get the event, which names the other.',
    remedy:
      'Find out what assigned it: a second allocator, or a person. Delete one of the two Nodes and let its kubelet register it again.',
  },
  PodCIDROutsidePools: {
    type: 'Warning',
    action: 'CheckPodCIDRs',
    meaning:
      'A pod CIDR of the node is in no pool, covers a whole pool, overlaps a service range or is not a CIDR. The node keeps it. This is what remains after the cluster CIDR was changed.',
    remedy:
      'Check `--cluster-cidr` and `podCIDRPools` first: if they are not those of the cluster, correct them. Otherwise delete the Node and let its kubelet register it again.',
  },
  PodCIDRFamilyMissing: {
    type: 'Warning',
    action: 'CheckPodCIDRs',
    meaning:
      'The node has a pod CIDR of one family only, and its pool has two, or `--cluster-cidr` has two with `--cidr-allocator-type=CloudAllocator`.',
    remedy: registerAgain,
  },
  PodCIDRFamilyOrder: {
    type: 'Warning',
    action: 'CheckPodCIDRs',
    meaning:
      'The node has its pod CIDRs in another order of families than its pool, so that its pods have another primary family than those of new nodes. The node keeps its order and works. The event is sent once and not renewed.',
    remedy: `Nothing, if the order of \`--cluster-cidr\` was changed on purpose. Otherwise delete the Node and let its kubelet register it again.`,
  },
  CloudCIDRAllocatorMismatch: {
    type: 'Warning',
    action: 'CheckPodCIDRs',
    meaning:
      'With `--cidr-allocator-type=CloudAllocator`: the node has other pod CIDRs than the cloud lists for its instance. Tandem writes nothing.',
    remedy: registerAgain,
  },
  ForeignAllocator: {
    type: 'Warning',
    action: 'CheckPodCIDRs',
    meaning:
      'Another program gave the node its pod CIDRs while Tandem allocates. Two allocators can give one block to two nodes. The event names the field manager of the other; another Tandem is named from a minute on after this one began.',
    remedy:
      'Let one program allocate: pass --allocate-node-cidrs=false to kube-controller-manager, on all its replicas, or to Tandem. Managers of one cluster must have the same Lease.',
  },
};

export const ipamEvent: ReturnType<typeof nodeEventsOf<IpamEventReason>> = nodeEventsOf(
  controllerName,
  ipamEvents,
);
