/**
 * The listed route tables of a cloud, with parsed destinations and next hops, and the rules for
 * changing them. A destination is routed when every table has a route to it.
 */
import type { Cidr, Family, IpAddress } from '../ip/index.ts';

export interface ListedTable {
  /** The cloud's own name of the table, which operations use. */
  readonly id: string;
  /** The maximum number of routes, in total or by family, including foreign routes. */
  readonly capacity?: number | Readonly<Partial<Record<Family, number>>>;
  readonly routes: readonly ListedRoute[];
}

export interface ListedRoute {
  /** The cloud's own name of the route within its table, which operations use. */
  readonly id: string;
  /**
   * Undefined for a route whose destination is not a CIDR, such as a prefix list or a service tag.
   * Such a route counts for the capacity of its table and is left alone.
   */
  readonly destination: Cidr | undefined;
  /** The destination as the cloud spells it. */
  readonly text: string;
  /** Whether a manager of this cluster created it. */
  readonly ours: boolean;
  readonly target: ListedTarget;
}

export type ListedTarget =
  /**
   * `ready` is false if the instance is right, but its next hop is outdated or does not forward.
   * `replace` repairs that.
   */
  | { readonly kind: 'instance'; readonly key: string; readonly ready: boolean }
  /** A next hop that is an address and not an instance. */
  | { readonly kind: 'address'; readonly address: IpAddress }
  /** The cloud drops the traffic, because the target is gone. */
  | { readonly kind: 'blackhole' }
  /** A gateway or anything else that is not a node. */
  | { readonly kind: 'other' }
  /**
   * The cloud does not say where the route leads or who created it; `why` has the reason. It may be
   * correct (P3).
   */
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * Whether the owner of the route allows a change (T3). Some clouds cannot tell who created a route whose
 * target is gone, and a dead route is useless.
 */
export function mayChange({ ours, target }: ListedRoute): boolean {
  return ours || target.kind === 'blackhole';
}

/** Sorts by id, so that the plan does not depend on the order of the cloud's list. */
export function byId<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  return items.length < 2 ? items : items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether no table has any route. Such an answer may be incomplete (P3). */
export function listsNothing(tables: readonly ListedTable[]): boolean {
  return tables.every(({ routes }) => routes.length === 0);
}
