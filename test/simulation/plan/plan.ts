/**
 * What a seed decides about a world before it begins: its machines, what happens to them and when, how
 * cloud and API server fail, and where the manager is killed. Data only, so that a plan can be printed,
 * compared and kept.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { FaultPlan } from '@tandem/kube/faults';
import type { TransportRequest } from '@tandem/kube/transport';
import type { CloudSettings } from '@tandem/provider-simulated';

export interface WorldPlan {
  readonly machines: readonly PlannedMachine[];
  readonly happenings: readonly Happening[];
  /** Of the API server, as the manager meets it. */
  readonly apiFaults: readonly AimedFaults[];
  /** How the cloud behaves while things go wrong. */
  readonly cloud: Partial<CloudSettings>;
  readonly kills: readonly Kill[];
  /** How soon the manager looks machines up again that it is done with. */
  readonly pace: 'brisk' | 'calm';
  /** Until then things go wrong; from then on the world must converge. */
  readonly troubleMs: number;
}

export interface AimedFaults {
  readonly plan: FaultPlan;
  readonly isTarget: (request: TransportRequest) => boolean;
}

export interface PlannedMachine {
  /** Of the node. */
  readonly name: string;
  readonly kind: MachineKind;
  /** What its instance has in the cloud. */
  readonly addresses: readonly NodeAddress[];
  /** `--node-ip`; null where kubelet is started without. */
  readonly nodeIP: string | null;
  /** The operator's annotation, from the beginning. */
  readonly operator: string | undefined;
  /** When its kubelet registers. */
  readonly atMs: number;
}

export type MachineKind =
  | { readonly is: 'own' }
  /** The cloud has never heard of it. */
  | { readonly is: 'missing' }
  /** Its kubelet says that it is the machine of that name. */
  | { readonly is: 'twin'; readonly of: string }
  /** A machine of another cloud. */
  | { readonly is: 'foreign'; readonly providerID: string };

export type Happening = { readonly atMs: number } & (
  | { readonly kind: 'annotate'; readonly machine: string; readonly request: string | null }
  | { readonly kind: 'restart'; readonly machine: string; readonly nodeIP: string | null }
  | { readonly kind: 'heartbeat'; readonly machine: string }
  /** The Node is deleted by hand, and its kubelet registers again. */
  | { readonly kind: 'rejoin'; readonly machine: string; readonly pauseMs: number }
  /** The same, and the machine behind the name is another one. */
  | { readonly kind: 'namesake'; readonly machine: string; readonly addresses: Addresses }
  | { readonly kind: 'terminate'; readonly machine: string }
  | { readonly kind: 'unready'; readonly machine: string; readonly forMs: number }
  /** The same while the cloud says nothing of use, as when a zone is cut off. */
  | {
      readonly kind: 'cutOff';
      readonly machine: string;
      readonly how: Outage;
      readonly forMs: number;
    }
  | { readonly kind: 'readdress'; readonly machine: string; readonly addresses: Addresses }
  | { readonly kind: 'outage'; readonly how: Outage; readonly forMs: number }
  | { readonly kind: 'compact' }
);

export type Outage = 'lost' | 'failure' | 'empty';

type Addresses = readonly NodeAddress[];

/** The manager ends without a word, and another one is started. */
export interface Kill {
  /** At which of its calls to the API server, those about its Lease not counted. */
  readonly atCall: number;
  readonly when: 'before' | 'after';
  readonly pauseMs: number;
}
