/**
 * What the cloud said about a node. Absence is an answer, an error is not (P3): `unknown` is whatever
 * went wrong, and nothing is ever taken from a node because of it.
 */
import type { NodeAddress } from '../node-address/index.ts';

export type CloudAnswer =
  | KnownAnswer
  /** With what went wrong, in a few words for people. */
  | { readonly kind: 'unknown'; readonly reason: string };

export type KnownAnswer = FoundAnswer | { readonly kind: 'absent'; readonly askedAtMs: number };

export interface FoundAnswer {
  readonly kind: 'found';
  readonly instance: CloudInstance;
  /** When the cloud was asked: what happened there before is in the answer. */
  readonly askedAtMs: number;
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
}
