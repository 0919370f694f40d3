/**
 * The answer of the cloud about a node. Absence is an answer, an error is not (P3): `unknown` stands for
 * any failure and never takes anything from a node.
 */
import type { Family } from '../ip/index.ts';
import type { NodeAddress } from '../node-address/index.ts';

export type CloudAnswer =
  | KnownAnswer
  | {
      readonly kind: 'unknown';
      /** What went wrong, in a few words for people. */
      readonly reason: string;
      readonly asOfMs: number;
    };

export type KnownAnswer =
  | FoundAnswer
  | { readonly kind: 'absent'; readonly asOfMs: number }
  /** The cloud says that the node is not its own. */
  | { readonly kind: 'notOurs'; readonly asOfMs: number };

export interface FoundAnswer {
  readonly kind: 'found';
  readonly instance: CloudInstance;
  /** How old it is, on the monotonic clock: what happened in the cloud before then is in it. */
  readonly asOfMs: number;
}

export interface CloudInstance {
  /** As the cloud spells it. The node's own may be another spelling, and stays. */
  readonly providerID: string;
  /** All that the instance has, in the cloud's order. */
  readonly addresses: readonly NodeAddress[];
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
  /** Labels beyond those of type, zone and region. */
  readonly labels: Readonly<Record<string, string>>;
  /** The networks that the cloud routes to the instance by itself. */
  readonly podBlocks: Readonly<Record<Family, readonly string[]>>;
}
