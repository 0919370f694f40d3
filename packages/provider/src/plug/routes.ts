/**
 * The part of the plug for clouds with route tables: it lists and changes their routes. Types only.
 * Tandem does the batches, rates, deadlines and validation of outcomes (`../routes`). A provider
 * only asks its cloud and returns the answers. The rule of the plug applies here, too (P3): **a
 * route that could not be read is not a missing route.** `list` returns all tables or rejects.
 *
 * CIDRs are text here, in the cloud's spelling; the planner compares them as values. Data that a
 * cloud needs for safe writes, such as an ETag or a network interface, stays inside the provider.
 */
import type { Family } from '@tandem/core/ip';
import type { InstanceKey } from './provider.ts';

export interface Routes {
  /**
   * The families that this cloud can route. A missing route of another family makes no node
   * unavailable.
   */
  readonly families: readonly Family[];
  /** The limits of calls. Limits that are left out have a default that suits most clouds. */
  readonly limits?: Partial<RouteLimits>;
  /**
   * Asks the cloud for all tables that the cluster uses. A destination is routed when each table
   * has a route to it. Rejects if a table cannot be read completely.
   */
  list(options: RouteListOptions): Promise<RouteListing>;
  /**
   * Carries out the operations and returns one outcome for each, in their order. They have
   * different destinations in one table, so they may be carried out in any order or at once. A
   * rejection means that the outcome of all operations is unknown.
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
   * Call it right before every request that changes something in the cloud. It throws if this
   * process must not write: because it no longer leads, or in a dry run. Pass the error on, and
   * send nothing.
   */
  readonly beforeWrite: () => void;
}

export interface RouteListing {
  /** When the oldest call to the cloud behind the listing began; see `AsOfMs`. */
  readonly asOfMs: number;
  readonly tables: readonly RouteTable[];
}

export interface RouteTable {
  /** The cloud's own name of the table, which operations use. */
  readonly id: string;
  /** The maximum number of routes, in total or by family, including foreign routes. */
  readonly capacity?: number | { readonly IPv4?: number; readonly IPv6?: number };
  readonly routes: readonly Route[];
}

export interface Route {
  /** The cloud's own name of the route within its table, which operations use. */
  readonly id: string;
  /** A CIDR, as the cloud spells it. */
  readonly destination: string;
  /** Whether a manager of this cluster created the route. Tandem never changes other routes. */
  readonly ours: boolean;
  readonly target: RouteTarget;
}

export type RouteTarget =
  /** `ready` is false if the instance is right but does not forward. `replace` repairs that. */
  | { readonly kind: 'instance'; readonly key: InstanceKey; readonly ready: boolean }
  /** A next hop that is an address and not an instance. */
  | { readonly kind: 'address'; readonly address: string }
  /** The cloud drops the traffic, because the target is gone. */
  | { readonly kind: 'blackhole' }
  /** A gateway or anything else that is not a node. */
  | { readonly kind: 'other' }
  /**
   * The cloud does not say where the route leads or who created it, for example because the zone of
   * its target is down. The route stays as it is, and counts neither as present nor as missing.
   * `ours` is ignored.
   */
  | { readonly kind: 'unknown'; readonly err: Error };

/** The node that a route leads to. */
export interface RouteNode {
  readonly key: InstanceKey;
  readonly name: string;
  /** The node's InternalIP of each family, if it has one. */
  readonly addresses: { readonly IPv4?: string; readonly IPv6?: string };
}

export type RouteOperation =
  | {
      readonly kind: 'create';
      readonly table: string;
      readonly destination: string;
      readonly to: RouteNode;
    }
  /** `route` is the id of the route that is replaced. */
  | {
      readonly kind: 'replace';
      readonly table: string;
      readonly route: string;
      readonly to: RouteNode;
    }
  | { readonly kind: 'delete'; readonly table: string; readonly route: string };

export type RouteOutcome =
  /** The cloud accepted the operation. A later `list` shows it. */
  | { readonly kind: 'applied' }
  /** The cloud refused the operation, and nothing changed. */
  | {
      readonly kind: 'refused';
      /**
       * Should have a stable `code`; a `CcmError` is best. If the cloud throttled the request, the
       * error has the delay as `retryAfterMs`, or as the `retry` of a `CcmError`.
       */
      readonly err: Error;
      /** `tableFull`: the table takes no more routes. `exists`: the destination is taken. */
      readonly reason?: 'tableFull' | 'exists';
    }
  /** Perhaps carried out: an error, a time-out, a partial answer. */
  | {
      readonly kind: 'unknown';
      readonly err: Error;
      /** The delay that the cloud asked for. */
      readonly retryAfterMs?: number;
    };

export interface RouteLimits {
  /** The maximum number of operations in one `apply`. All of them are about one table. */
  readonly batchSize: number;
  /** The maximum number of calls of `apply` in flight. */
  readonly concurrency: number;
  /**
   * The average number of calls of `apply` that may begin in a second. `burst` of them may begin at
   * once. Calls of `list` are counted separately, with the same limit.
   */
  readonly callsPerSecond: number;
  readonly burst: number;
  /** The deadline of one call. */
  readonly deadlineMs: number;
  /**
   * How long routes may wait for those of other nodes, which change or are still being initialised, so that
   * all share one batch. A lone node does not wait. More than the default of half a second is for
   * clouds where every batch writes the whole table.
   */
  readonly gatherMsMax: number;
}
