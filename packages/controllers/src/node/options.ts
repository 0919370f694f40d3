/** What the cloud-node-controller is made of. */
import type { NodeSettings, RouteRules } from '@tandem/core/node-init';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { LoopPorts } from '../loop/index.ts';

export interface NodeControllerOptions extends LoopPorts {
  /** Shared with other controllers, so that their questions become one call. */
  readonly lookup: InstanceLookup;
  readonly settings: NodeSettings;
  /** Where routes are managed: a node that needs routes is marked before its taint goes. */
  readonly managedRoutes: RouteRules | undefined;
  /** Nodes that are written to at once. */
  readonly workers: number;
  /** The time within which every initialised node is looked up again. */
  readonly refreshPeriodMs: number;
}
