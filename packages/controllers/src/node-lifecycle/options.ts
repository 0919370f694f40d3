/** What the lifecycle controller is made of and runs with. */
import type { LifecycleSettings } from '@tandem/core/lifecycle';
import type { KubeClient } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/codec';
import type { LeaseName } from '@tandem/kube/election';
import type { EventRecorder } from '@tandem/kube/events';
import type { Informer } from '@tandem/kube/informer';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { Clock, Logger, Metrics, Random } from '@tandem/runtime';

export interface NodeLifecycleControllerOptions {
  readonly client: KubeClient;
  /** Whatever it is indexed by: nothing is found by an index here. */
  readonly nodes: Pick<Informer<NodeProjection>, 'get' | 'list' | 'subscribe' | 'whenSynced'>;
  readonly lookup: Pick<InstanceLookup, 'ask' | 'owns'>;
  readonly recorder: Pick<EventRecorder, 'record' | 'sustain' | 'end'>;
  readonly settings: LifecycleSettings;
  /** Whose annotation lifts the brake. */
  readonly lease: LeaseName;
  /** Who reads it, where that is not `client`: controllers with an identity of their own may not. */
  readonly leaseClient?: KubeClient;
  /** `dryRun`: decides everything, logs and counts it, and writes nothing, events included. */
  readonly mode: 'write' | 'dryRun';
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** `--node-monitor-period`: the pause between two passes. */
  readonly monitorPeriodMs: number;
}
