/** The options of the cloud-node-controller. */
import type { NodeSettings, RouteRules } from '@tandem/core/node-init';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { LoopPorts } from '../loop/index.ts';

export interface NodeControllerOptions extends LoopPorts {
  /** Shared with other controllers, so that their questions become one call. */
  readonly lookup: InstanceLookup;
  readonly settings: NodeSettings;
  /** Set if routes are managed: a node that needs routes is marked before its taint is removed. */
  readonly managedRoutes: RouteRules | undefined;
  /** Concurrent workers. */
  readonly workers: number;
  /** The time within which every initialised node is looked up again. */
  readonly refreshPeriodMs: number;
}
