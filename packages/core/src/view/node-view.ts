/** The view of nodes: the input of `planNode`, its decision, and the active report. */
import type { SourcedRequest, Stack } from '../node-address/index.ts';
import type { Claimant, CloudInstance } from '../node-init/index.ts';
import type { SettingsView } from './settings-view.ts';

export interface NodesSummary {
  /** The name of the cloud provider. */
  readonly provider: string;
  /** Whether the manager writes what it plans. */
  readonly mode: 'write' | 'dryRun';
  readonly settings: SettingsView;
}

export interface NodeView {
  readonly name: string;
  readonly uid: string;
  /** The version of the node that the manager last saw. */
  readonly resourceVersion: string;
  readonly state: NodeStateName;
  /**
   * The request of the node; null if there is none, or before the first decision about the node.
   */
  readonly request: SourcedRequest | null;
  /** When the manager saw the node's request change, or saw the node for the first time. */
  readonly requestChanged: string;
  /** The last answer of the cloud about the node; null if there is none. */
  readonly cloud: CloudView | null;
  /** The node's providerID and the one that the cloud gives, if they belong to this cloud. */
  readonly ownProviderIDs: readonly string[];
  /** Whether the last definite answer of the cloud was that the node is not its own. */
  readonly isNotOurs: boolean;
  /** Other nodes that claim the same instance. */
  readonly rivals: readonly Claimant[];
  /** The decision of the last turn of the node that has ended, writes included. Null before the first one. */
  readonly planned: PlannedView | null;
  /** The active report about the node: a refusal, `Paused` and the like. */
  readonly standing: ReportView | null;
}

export const nodeStateNames = ['initialised', 'waiting', 'refused', 'paused', 'not ours'] as const;

export type NodeStateName = (typeof nodeStateNames)[number];

/** The times are in RFC 3339 format, by the manager's clock. */
export type CloudView =
  | { readonly kind: 'found'; readonly asOf: string; readonly instance: InstanceView }
  | { readonly kind: 'absent'; readonly asOf: string }
  | { readonly kind: 'notOurs'; readonly asOf: string }
  | { readonly kind: 'unknown'; readonly asOf: string; readonly reason: string };

export interface InstanceView extends CloudInstance {
  /** The state, such as `running` or `stopped`. */
  readonly state: string;
}

export interface PlannedView {
  readonly at: string;
  /** Writes that are not stored yet, in their order. */
  readonly actions: readonly { readonly kind: string; readonly reason: string }[];
  readonly outcome:
    | { readonly kind: 'settled' }
    | { readonly kind: 'refused'; readonly code: string; readonly message: string }
    | { readonly kind: 'lookup' | 'paused' | 'notOurs'; readonly reason: string };
  readonly stack: Stack | null;
}

export interface ReportView {
  readonly reason: string;
  readonly message: string;
  readonly isRefusal: boolean;
  readonly since: string;
}
