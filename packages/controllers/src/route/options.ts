/** What the node-route-controller is made of. */
import type { Cidr } from '@tandem/core/ip';
import type { LabelSelector } from '@tandem/core/node-address';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { RouteTables } from '@tandem/provider/routes';
import type { LoopPorts } from '../loop/index.ts';
import type { ListedRoutes } from './managed-routes.ts';

export interface RouteControllerOptions extends LoopPorts {
  readonly tables: Pick<RouteTables, 'families' | 'gatherMsMax' | 'list' | 'apply'>;
  /** Shared with other controllers, so that their questions become one call. */
  readonly lookup: InstanceLookup;
  readonly settings: RouteControllerSettings;
  /** Told of every list. */
  readonly listed: ListedRoutes;
  /**
   * The election's gate, asked before every call that changes something in the cloud: throws where this process
   * must not write.
   */
  readonly beforeWrite: () => void;
}

export interface RouteControllerSettings {
  /** Only destinations inside these are touched. */
  readonly clusterCIDRs: readonly Cidr[];
  /** The ranges of the cluster's Services, where they are known. */
  readonly serviceRanges?: readonly Cidr[];
  /** The nodes that get routes; all where left out. */
  readonly selector?: LabelSelector | undefined;
  /** The time between two full passes; a part of it is left to chance. */
  readonly periodMs: { readonly min: number; readonly max: number };
}
