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
      /** The failure, as a short text for users. */
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
  /**
   * The time of the data on the monotonic clock: it includes all changes in the cloud before then.
   */
  readonly asOfMs: number;
}

export interface CloudInstance {
  /** The cloud's spelling. The node's own providerID may have another spelling, which is kept. */
  readonly providerID: string;
  /** All addresses of the instance, in the cloud's order. */
  readonly addresses: readonly NodeAddress[];
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
  /** Additional labels besides those of type, zone and region. */
  readonly labels: Readonly<Record<string, string>>;
  /** The networks that the cloud routes to the instance by itself. */
  readonly podBlocks: Readonly<Record<Family, readonly string[]>>;
}
