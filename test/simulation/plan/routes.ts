/**
 * The routes of a world: the tables of its cloud and how they behave, what stands in them that nobody asked for, and
 * which nodes get routes. Where the manager gives out no pod CIDRs, something else does.
 */
import type { CloudSettings } from '@tandem/provider-simulated';
import type { PodFamily } from './allocation.ts';

export interface RoutePlan {
  /** The tables and their habits while things go wrong. */
  readonly settings: CloudSettings['routes'];
  /** The ranges that routes may lead to, pools included. */
  readonly clusterCIDRs: readonly string[];
  /** What stands in the tables before the first manager comes. */
  readonly strays: readonly PlannedStray[];
  /** The machines whose nodes get routes; undefined for all. */
  readonly selected: readonly string[] | undefined;
  /** What some nodes have when they register, by name, where the manager gives out nothing. */
  readonly registered: ReadonlyMap<string, readonly string[]>;
  /** Of what some machines have the cloud routes it by itself, by name. */
  readonly podBlocks: ReadonlyMap<string, Readonly<Record<PodFamily, readonly string[]>>>;
}

/** A route that is not for any node of the world: of another owner, or of a manager before. */
export interface PlannedStray {
  readonly table: string;
  readonly destination: string;
  readonly owner: 'other' | 'manager';
}

/** What nodes have that get routes, where not all do. */
export const routeLabel = { key: 'network', value: 'cloud' } as const;
