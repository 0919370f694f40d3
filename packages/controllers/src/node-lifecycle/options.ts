/** What the lifecycle controller is made of and runs with. */
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
  /** Whose annotation lifts the brake. */
  readonly lease: LeaseName;
  /** Who reads it, where that is not `client`: controllers with an identity of their own may not. */
  readonly leaseClient?: KubeClient;
  /** `--node-monitor-period`: the pause between two passes. */
  readonly monitorPeriodMs: number;
}
