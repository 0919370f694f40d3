/**
 * The part of the plug for clouds with route tables: which routes stand in them, and how to change them.
 * Types only. Batches, rates, deadlines and the strict reading of outcomes are done around it
 * (`../routes`); a provider asks its cloud and says what it learnt. The rule of the plug holds here, too
 * (P3): **a route that could not be read is not a missing route.** `list` shows all tables or rejects.
 *
 * CIDRs are text here, in whatever spelling the cloud has, and compared as values by those who plan. What a
 * cloud needs to write safely, such as an ETag or a network interface, stays inside the provider.
 */
import type { Family } from '@tandem/core/ip';
import type { InstanceKey } from './provider.ts';

export interface Routes {
  /** The families that this cloud can route. A node is never unavailable for want of another one. */
  readonly families: readonly Family[];
  /** How hard the cloud may be asked; what is left out has a default that suits most. */
  readonly limits?: Partial<RouteLimits>;
  /**
   * All tables that the cluster uses, asked of the cloud now. A destination is routed when each of them
   * has a route to it. Rejects where one of them cannot be read in full.
   */
  list(options: RouteListOptions): Promise<RouteListing>;
  /**
   * Carries out the operations and answers with one outcome for each, in their order. They name different
   * destinations of a table, so that they may be carried out in any order or at once. A rejection means
   * that the outcome of all of them is unknown.
   */
  apply(
    operations: readonly RouteOperation[],
    options: RouteApplyOptions,
  ): Promise<readonly RouteOutcome[]>;
}

export interface RouteListOptions {
  /** Aborts when the deadline passes or the program ends. Stop then, by rejecting with its reason. */
  readonly signal: AbortSignal;
}

export interface RouteApplyOptions extends RouteListOptions {
  /**
   * Call it right before every request that changes something in the cloud. It throws when this process
   * must not write: because it no longer leads, or in a dry run. Let the error pass; nothing is sent.
   */
  readonly beforeWrite: () => void;
}

export interface RouteListing {
  /** When the oldest question to the cloud began that the listing rests on; see `AsOfMs`. */
  readonly asOfMs: number;
  readonly tables: readonly RouteTable[];
}

export interface RouteTable {
  /** The cloud's own name of the table; operations name it by this. */
  readonly id: string;
  /** How many routes it takes, in all or by family, those that are not ours included. */
  readonly capacity?: number | { readonly IPv4?: number; readonly IPv6?: number };
  readonly routes: readonly Route[];
}

export interface Route {
  /** The cloud's own name of the route within its table; operations name it by this. */
  readonly id: string;
  /** A CIDR, as the cloud spells it. */
  readonly destination: string;
  /** Whether a manager of this cluster made it. Others are never changed. */
  readonly ours: boolean;
  readonly target: RouteTarget;
}

export type RouteTarget =
  /** `ready` is false where the instance is right but does not forward yet; `replace` repairs that. */
  | { readonly kind: 'instance'; readonly key: InstanceKey; readonly ready: boolean }
  /** A next hop that is not told apart by instance. */
  | { readonly kind: 'address'; readonly address: string }
  /** The cloud drops what is sent there, because the target is gone. */
  | { readonly kind: 'blackhole' }
  /** A gateway or anything else that is not a node. */
  | { readonly kind: 'other' }
  /**
   * The cloud does not say where it leads or who made it, because the zone of its target is down, for instance. The
   * route stays as it is, and neither counts as present nor as missing. `ours` does not matter.
   */
  | { readonly kind: 'unknown'; readonly err: Error };

/** Where a route leads: to one node. */
export interface RouteNode {
  readonly key: InstanceKey;
  readonly name: string;
  /** The node's InternalIP of each family; left out where it has none. */
  readonly addresses: { readonly IPv4?: string; readonly IPv6?: string };
}

export type RouteOperation =
  | {
      readonly kind: 'create';
      readonly table: string;
      readonly destination: string;
      readonly to: RouteNode;
    }
  /** `route` is the id of the one that is replaced. */
  | {
      readonly kind: 'replace';
      readonly table: string;
      readonly route: string;
      readonly to: RouteNode;
    }
  | { readonly kind: 'delete'; readonly table: string; readonly route: string };

export type RouteOutcome =
  /** The cloud has accepted it. A later `list` shows it. */
  | { readonly kind: 'applied' }
  /** The cloud has refused it, and nothing changed. */
  | {
      readonly kind: 'refused';
      /**
       * With a `code` that stays the same; best a `CcmError`. Where the cloud throttled the request, it
       * says how long to wait as `retryAfterMs`, or as the `retry` of a `CcmError`.
       */
      readonly err: Error;
      /** `tableFull`: the table takes no more routes. `exists`: the destination is taken. */
      readonly reason?: 'tableFull' | 'exists';
    }
  /** Perhaps done: an error, a time-out, half an answer. */
  | {
      readonly kind: 'unknown';
      readonly err: Error;
      /** How long the cloud asked to be left alone. */
      readonly retryAfterMs?: number;
    };

export interface RouteLimits {
  /** Operations in one `apply`; all of them are of one table. */
  readonly batchSize: number;
  /** Calls of `apply` under way at once. */
  readonly concurrency: number;
  /**
   * Calls of `apply` that may begin in a second, on average; `burst` of them at once. Calls of `list` are
   * counted apart, and as many of them may begin.
   */
  readonly callsPerSecond: number;
  readonly burst: number;
  /** How long one call may take. */
  readonly deadlineMs: number;
  /**
   * How long routes may wait for those of other nodes, which change or are still being initialised, so that
   * they are one batch. A lone node does not wait. More than the default of half a second is for clouds where
   * every batch is a write of the whole table.
   */
  readonly gatherMsMax: number;
}
