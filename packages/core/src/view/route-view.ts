/** What a manager tells of routes: those that nodes need against those that the tables of the cloud have. */
import type { Family } from '../ip/index.ts';
import type { RouteCounts } from '../routes/index.ts';

export interface RoutesSummary {
  /** When the tables were last listed; null before the first list. */
  readonly asOf: string | null;
  /** Lists in a row that failed since. */
  readonly failedLists: number;
  readonly clusterCIDRs: readonly string[];
  readonly families: readonly Family[];
  readonly tables: readonly TableView[];
  /** In all tables together. */
  readonly counts: Readonly<Record<Family, RouteCounts>>;
  /** What people should know about the tables. */
  readonly findings: readonly { readonly code: string; readonly message: string }[];
  /** Nodes that lack a route, the first of them, and how many there are. */
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
  /** The node that needs the route; null where none does. */
  readonly node: string | null;
  readonly state: RouteStateName;
  /** What is wrong with the route, or why it is to change; empty where there is nothing to say. */
  readonly reason: string;
  /** Where the route leads now; null where there is none. */
  readonly target: TargetView | null;
  /** Whether a manager of this cluster made the route. */
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
  /** `node` is null where the instance is no node's. */
  | { readonly kind: 'instance'; readonly node: string | null; readonly ready: boolean }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'blackhole' | 'other' | 'unknown' };
