/** The options of the node-route-controller. */
import type { Cidr } from '@tandem/core/ip';
import type { LabelSelector } from '@tandem/core/node-address';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { RouteTables } from '@tandem/provider/routes';
import type { LoopPorts } from '../loop/index.ts';
import type { ListedRoutes } from './managed-routes.ts';

export interface RouteControllerOptions extends LoopPorts {
  readonly tables: Pick<RouteTables, 'families' | 'gatherMsMax' | 'list' | 'apply'>;
  /** Shared with the other controllers, so that one call answers the questions of all of them. */
  readonly lookup: InstanceLookup;
  readonly settings: RouteControllerSettings;
  /** Receives every list of the routes. */
  readonly listed: ListedRoutes;
  /**
   * The gate of the leader election, called before every write to the cloud. It throws if this process must not write.
   */
  readonly beforeWrite: () => void;
}

export interface RouteControllerSettings {
  /** The controller changes only routes whose destination is inside these ranges. */
  readonly clusterCIDRs: readonly Cidr[];
  /** The ranges of the cluster's Services, if they are known. */
  readonly serviceRanges?: readonly Cidr[];
  /** Selects the nodes that get routes; all nodes if undefined. */
  readonly selector?: LabelSelector | undefined;
  /** The time between two full passes, chosen at random between these limits. */
  readonly periodMs: { readonly min: number; readonly max: number };
}
