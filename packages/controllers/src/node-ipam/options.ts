/** What the node-ipam-controller is made of. */
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
  /** Shared with other controllers, so that their questions become one call. */
  readonly lookup: InstanceLookup;
  /** Nodes that are written to at once. */
  readonly workers: number;
  /** How long writes of the previous leader may still be stored. */
  readonly leadership: Leadership;
  /** Where routes are managed: blocks of nodes that are gone are free once no route leads to them (I7). */
  readonly managedRoutes: Pick<ManagedRoutes, 'listed' | 'clusterCIDRs' | 'families'> | undefined;
}

export interface NodeIpamSettings extends AllocationSettings {
  /** Whether blocks come from the pools, or from what the cloud lists for an instance. */
  readonly allocator: 'RangeAllocator' | 'CloudAllocator';
  /** The primary family first. */
  readonly families: readonly Family[];
}
