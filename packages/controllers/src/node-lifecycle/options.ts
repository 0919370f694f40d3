/** The options of the lifecycle controller. */
import type { LifecycleSettings } from '@tandem/core/lifecycle';
import type { KubeClient } from '@tandem/kube/client';
import type { LeaseName } from '@tandem/kube/election';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { LoopPorts } from '../loop/index.ts';

export interface NodeLifecycleControllerOptions extends LoopPorts {
  readonly lookup: Pick<
    InstanceLookup,
    'ask' | 'identify' | 'owns' | 'hasFound' | 'isNotOurs' | 'subscribe'
  >;
  readonly settings: LifecycleSettings;
  /** The Lease whose annotation releases the brake. */
  readonly lease: LeaseName;
  /**
   * The client that reads the Lease, if not `client`: controllers with their own identity may lack
   * the permission.
   */
  readonly leaseClient?: KubeClient;
  /** `--node-monitor-period`: the pause between two passes. */
  readonly monitorPeriodMs: number;
}
