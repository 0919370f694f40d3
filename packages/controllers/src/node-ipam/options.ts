/** The options of the node-ipam-controller. */
import type { AllocationSettings } from '@tandem/core/allocation';
import type { Family } from '@tandem/core/ip';
import type { NodeProjection } from '@tandem/kube/node';
import type { Leadership } from '@tandem/kube/election';
import type { Informer } from '@tandem/kube/informer';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { LoopPorts } from '../loop/index.ts';
import type { ManagedRoutes } from '../route/index.ts';

export interface NodeIpamOptions extends LoopPorts {
  readonly nodes: LoopPorts['nodes'] & Pick<Informer<NodeProjection>, 'catchUp' | 'showsAllBefore'>;
  readonly settings: NodeIpamSettings;
  /** Shared with the other controllers, so that one call answers the questions of all of them. */
  readonly lookup: InstanceLookup;
  /** The number of nodes to which the controller writes at the same time. */
  readonly workers: number;
  /** Says, among other things, how long writes of the previous leader may still be stored. */
  readonly leadership: Leadership;
  /** Set if the manager manages routes: the blocks of deleted nodes are then free once no route leads to them (I7). */
  readonly managedRoutes: Pick<ManagedRoutes, 'listed' | 'clusterCIDRs' | 'families'> | undefined;
}

export interface NodeIpamSettings extends AllocationSettings {
  /** Whether blocks come from the pools, or from the blocks that the cloud lists for an instance. */
  readonly allocator: 'RangeAllocator' | 'CloudAllocator';
  /** The families that nodes get, the primary one first. */
  readonly families: readonly Family[];
}
