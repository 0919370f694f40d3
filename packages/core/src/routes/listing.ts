/**
 * The route tables of a cloud as they were listed, with destinations and next hops as values, and what a
 * plan may do to them. A destination is routed when every table has a route to it.
 */
import type { Cidr, Family, IpAddress } from '../ip/index.ts';

export interface ListedTable {
  /** The cloud's own name of the table; operations name it by this. */
  readonly id: string;
  /** How many routes it takes, in all or by family, those that are not ours included. */
  readonly capacity?: number | Readonly<Partial<Record<Family, number>>>;
  readonly routes: readonly ListedRoute[];
}

export interface ListedRoute {
  /** The cloud's own name of the route within its table; operations name it by this. */
  readonly id: string;
  /**
   * Undefined for a route whose destination is no CIDR, such as a prefix list or a service tag. Such a
   * route fills its table and is left alone.
   */
  readonly destination: Cidr | undefined;
  /** The destination as the cloud spells it. */
  readonly text: string;
  /** Whether a manager of this cluster made it. */
  readonly ours: boolean;
  readonly target: ListedTarget;
}

export type ListedTarget =
  /** `ready` is false where the instance is right, but its next hop is outdated or does not forward yet: `replace` repairs that. */
  | { readonly kind: 'instance'; readonly key: string; readonly ready: boolean }
  /** A next hop that is not told apart by instance. */
  | { readonly kind: 'address'; readonly address: IpAddress }
  /** The cloud drops what is sent there, because the target is gone. */
  | { readonly kind: 'blackhole' }
  /** A gateway or anything else that is not a node. */
  | { readonly kind: 'other' }
  /** The cloud does not say where it leads, nor whether it is ours, and `why` not. It may be just what is wanted (P3). */
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * Whether the owner of the route allows a change (T3). Some clouds cannot tell who created a route whose
 * target is gone, and a dead route is useless.
 */
export function mayChange({ ours, target }: ListedRoute): boolean {
  return ours || target.kind === 'blackhole';
}

/** In the order of their ids, so that the order in which a cloud lists its routes decides nothing. */
export function byId<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  return items.length < 2 ? items : items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether no table has any route. Such an answer is as likely half an answer as the truth (P3). */
export function listsNothing(tables: readonly ListedTable[]): boolean {
  return tables.every(({ routes }) => routes.length === 0);
}
