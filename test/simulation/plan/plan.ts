/**
 * What a seed decides about a world before it begins: its machines, what happens to them and when, how
 * cloud and API server fail, and where the manager is killed. Data only, so that a plan can be printed,
 * compared and kept.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { TransportRequest } from '@tandem/kube/transport';
import type { CloudSettings } from '@tandem/provider-simulated';
import type { FaultPlan } from '../../support/api-faults/index.ts';
import type { AllocationPlan } from './allocation.ts';
import type { ReplicaPlan } from './replicas.ts';
import type { RoutePlan } from './routes.ts';

export interface WorldPlan {
  readonly machines: readonly PlannedMachine[];
  /** What the manager gives pod CIDRs from; undefined where it gives none. */
  readonly allocation: AllocationPlan | undefined;
  /** Undefined where the cloud has no route tables. */
  readonly routes: RoutePlan | undefined;
  /** Where there are two managers at a time; undefined where there is one. */
  readonly replicas: ReplicaPlan | undefined;
  readonly happenings: readonly Happening[];
  /** Of the API server, as the manager meets it. */
  readonly apiFaults: readonly AimedFaults[];
  /** How the cloud behaves while things go wrong. */
  readonly cloud: Partial<CloudSettings>;
  readonly kills: readonly Kill[];
  readonly interruptions: readonly Interruption[];
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
  /**
   * Which of the other spellings of its machine's providerID its kubelet registers with, where it
   * registers with one.
   */
  readonly spelling?: number;
}

export type MachineKind =
  | { readonly is: 'own' }
  /** The cloud has never heard of it. */
  | { readonly is: 'missing' }
  /** The same, and it is never Ready: a machine of another cloud that waits for that one's manager. */
  | { readonly is: 'stranger' }
  /** Its kubelet says that it is the machine of that name. */
  | { readonly is: 'twin'; readonly of: string }
  /** A machine of another cloud. */
  | { readonly is: 'foreign'; readonly providerID: string }
  /** One that only its label tells apart: its providerID is this cloud's, which has no such machine. */
  | { readonly is: 'unmanaged'; readonly providerID: string };

/** The names of machines that a twin says it is. */
export function originalsOf(machines: readonly PlannedMachine[]): ReadonlySet<string> {
  return new Set(machines.map(({ kind }) => (kind.is === 'twin' ? kind.of : '')));
}

/** What the unmanaged have. */
export const unmanagedLabel = 'example.com/unmanaged';

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
  /** The machine gets other addresses, and soon after its node asks for one of them. */
  | {
      readonly kind: 'grant';
      readonly machine: string;
      readonly addresses: Addresses;
      readonly request: string;
      readonly pauseMs: number;
      /** Whether the look-up that this causes fails. */
      readonly failsOnce: boolean;
    }
  | { readonly kind: 'outage'; readonly how: Outage; readonly forMs: number }
  | { readonly kind: 'compact' }
  /** Another allocator gives the node pod CIDRs, unless it has some. */
  | { readonly kind: 'assign'; readonly machine: string; readonly podCIDRs: readonly string[] }
  /** Another program adds a route. */
  | { readonly kind: 'stray'; readonly table: string; readonly destination: string }
  /** What is routed to the machine is dropped until its routes are replaced. */
  | { readonly kind: 'unroutable'; readonly machine: string }
  /** A network plugin says how the network of the node is. */
  | { readonly kind: 'plugin'; readonly machine: string; readonly status: 'True' | 'False' }
  /** An operator takes the node out of the manager's hands for a while. */
  | { readonly kind: 'pause'; readonly machine: string; readonly forMs: number }
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

/** A Node is deleted while the manager writes to it. */
export interface Interruption {
  /** At which of the managers' patches of nodes, or at the next one that is to one of `machines`. */
  readonly atPatch: number;
  /** Those that nothing else takes away: each is interrupted once at most. */
  readonly machines: readonly string[];
  /** Before or after the effect of the patch. */
  readonly when: 'before' | 'after';
  /** Whether the API server finds fault with what is written. */
  readonly isRefused: boolean;
  /** How long the answer takes, which is enough to hear of the deletion first. */
  readonly answerMs: number;
  /** When its kubelet registers again; null where the machine goes as well. */
  readonly rejoinMs: number | null;
}
