/** What the cloud-node-controller is made of. It owns none of these: others start and stop them. */
import type { NodeSettings } from '@tandem/core/node-init';
import type { KubeClient } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/codec';
import type { EventRecorder } from '@tandem/kube/events';
import type { Informer } from '@tandem/kube/informer';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { Clock, Logger, Metrics, Random } from '@tandem/runtime';
import type { NodeIndex } from './node-index.ts';

export interface NodeControllerOptions {
  /** Its gate is the election's: a write of a process that does not lead is never sent. */
  readonly client: KubeClient;
  /** Runs elsewhere, with `nodeIndexes`; on a standby it is warm before the controller runs. */
  readonly nodes: Informer<NodeProjection, NodeIndex>;
  /** Shared with other controllers, so that their questions become one call. */
  readonly lookup: InstanceLookup;
  readonly recorder: Recorder;
  readonly settings: NodeSettings;
  /** Nodes that are written to at once. */
  readonly workers: number;
  /** The time within which every initialised node is looked up again. */
  readonly refreshPeriodMs: number;
  /** `dryRun` decides everything and writes nothing, no event either. */
  readonly mode: 'write' | 'dryRun';
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export type Recorder = Pick<EventRecorder, 'record' | 'sustain' | 'end' | 'forget'>;
