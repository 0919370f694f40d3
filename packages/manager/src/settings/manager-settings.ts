/**
 * What the manager runs with once flags and configuration are read, checked and joined. Nothing here
 * is text to be parsed again: whoever gets these settings may rely on them.
 */
import type { LifecycleSettings } from '@tandem/core/lifecycle';
import type { NodeSettings } from '@tandem/core/node-init';
import type { ElectionTimings, LeaseName } from '@tandem/kube/election';
import type { LogLevel } from '@tandem/runtime';
import type { ServingSettings } from '../serving/serving-settings.ts';

export interface ManagerSettings {
  readonly cloud: CloudSettings;
  readonly api: ApiSettings;
  readonly election: ElectionSettings;
  readonly logging: LoggingSettings;
  /** The controllers that run, by their canonical names. */
  readonly controllers: ReadonlySet<ControllerName>;
  readonly nodeController: NodeControllerSettings;
  readonly nodeSettings: NodeSettings;
  readonly lifecycle: LifecycleControllerSettings;
  readonly serving: ServingSettings;
  /** Decides everything and writes nothing: no state, no event, no Lease. */
  readonly dryRun: boolean;
}

/** What Tandem has of upstream's controllers. */
export type ControllerName = 'cloud-node-controller' | 'cloud-node-lifecycle-controller';

export interface CloudSettings {
  /** The value of `--cloud-provider`: a name, a package or a path. */
  readonly provider: string;
  readonly configPath: string | undefined;
}

export interface ApiSettings {
  readonly kubeconfig: string | undefined;
  /** Overrides the address of the server in the kubeconfig. */
  readonly master: string | undefined;
  /** Requests a second that the client keeps to; undefined where nobody asked for a limit. */
  readonly rate: { readonly perSecond: number; readonly burst: number } | undefined;
  readonly encoding: 'protobuf' | 'json';
  /** Whose identity the controllers have; undefined where they have the manager's. */
  readonly controllerAccount: { readonly namespace: string; readonly name: string } | undefined;
}

export interface ElectionSettings {
  readonly isEnabled: boolean;
  readonly timings: ElectionTimings;
  readonly lease: LeaseName;
}

export interface LoggingSettings {
  readonly format: 'json' | 'text';
  readonly level: LogLevel;
}

export interface NodeControllerSettings {
  /** Nodes that are worked on at once. */
  readonly workers: number;
  /** The time within which every node is looked up again. */
  readonly refreshPeriodMs: number;
}

/** When a node whose instance is gone is deleted, and how often that is looked at. */
export interface LifecycleControllerSettings extends LifecycleSettings {
  /** The time between two looks at the nodes that are not Ready. */
  readonly monitorPeriodMs: number;
}
