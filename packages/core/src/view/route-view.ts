/** The view of routes: the routes that nodes need, and the routes in the cloud's tables. */
import type { Family } from '../ip/index.ts';
import type { RouteCounts } from '../routes/index.ts';

export interface RoutesSummary {
  /** When the tables were last listed; null before the first list. */
  readonly asOf: string | null;
  /** The number of failed lists since then. */
  readonly failedLists: number;
  readonly clusterCIDRs: readonly string[];
  readonly families: readonly Family[];
  readonly tables: readonly TableView[];
  /** In all tables together. */
  readonly counts: Readonly<Record<Family, RouteCounts>>;
  /** The findings about the tables. */
  readonly findings: readonly { readonly code: string; readonly message: string }[];
  /** The first nodes that lack a route, and the number of all such nodes. */
  readonly lacking: readonly LackingView[];
  readonly lackingCount: number;
}

export interface TableView {
  readonly id: string;
  readonly routes: number;
  readonly capacity: number | Readonly<Partial<Record<Family, number>>> | null;
}

export interface LackingView {
  readonly node: string;
  readonly missing: readonly string[];
  readonly findings: readonly { readonly code: string; readonly message: string }[];
}

/** One destination in one table. */
export interface RouteView {
  readonly table: string;
  readonly destination: string;
  /** The node that needs the route; null if no node does. */
  readonly node: string | null;
  readonly state: RouteStateName;
  /** What is wrong with the route, or why it will be changed; empty if neither applies. */
  readonly reason: string;
  /** Where the route leads now; null if there is no route. */
  readonly target: TargetView | null;
  /** Whether a manager of this cluster created the route. */
  readonly ours: boolean;
  readonly planned: 'create' | 'replace' | 'delete' | null;
}

export const routeStateNames = [
  'present',
  'missing',
  /** It leads elsewhere, is dead, or does not forward. */
  'wrong',
  /** A route that this manager did not create has the destination. */
  'taken',
  /** The cloud does not say where the route leads. */
  'unknown',
  /** No node needs it. */
  'unwanted',
] as const;

export type RouteStateName = (typeof routeStateNames)[number];

export type TargetView =
  /** `node` is null if no node has the instance. */
  | { readonly kind: 'instance'; readonly node: string | null; readonly ready: boolean }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'blackhole' | 'other' | 'unknown' };
