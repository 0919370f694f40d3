/**
 * Judges whether a node has its routes: every route that it needs is listed in all tables and
 * forwards (T5). A family that the cloud cannot route does not count.
 */
import { printable } from '../node-address/index.ts';
import type { Creation } from './creation.ts';
import { findingsOf, type Obstacle, type RouteFinding } from './finding.ts';
import type { RouteNeed, WantedRoute } from './need.ts';
import type { NodeNeeds } from './needs.ts';
import type { TablePlan } from './table-plan.ts';

export interface NodeRoutes {
  readonly name: string;
  readonly uid: string;
  readonly verdict: RouteVerdict;
  readonly findings: readonly RouteFinding[];
}

export type RouteVerdict =
  /** The routes and the condition of the node stay unchanged. */
  | { readonly kind: 'leftAlone'; readonly reason: string }
  | { readonly kind: 'noPodCIDRs' }
  | { readonly kind: 'available' }
  | {
      readonly kind: 'unavailable';
      /** Short descriptions of what is missing. */
      readonly missing: readonly string[];
      /** Whether the cloud would refuse one of them, because its destination is taken or a table is full. */
      readonly isBlocked: boolean;
    };

/** The plans of the tables. */
export interface PlannedTables {
  readonly tables: readonly TablePlan[];
  readonly creations: ReadonlyMap<WantedRoute, readonly Creation[]>;
}

export function judgeNode({ node, bar, needs }: NodeNeeds, planned: PlannedTables): NodeRoutes {
  const { name, uid } = node;
  const lacks = needs.flatMap((need) => lacksOf(need, planned));
  const obstacles = [
    ...needs.flatMap((need) => ('obstacle' in need ? [need.obstacle] : [])),
    ...lacks.flatMap(({ obstacle }) => obstacle ?? []),
    ...needs.flatMap((need) => withoutTable(need, planned)),
  ];
  return { name, uid, verdict: verdictOf({ node, bar, lacks }), findings: findingsOf(obstacles) };
}

/** This is no blocked route, because a list without tables may be incomplete (P3). */
function withoutTable(need: RouteNeed, { tables }: PlannedTables): readonly Obstacle[] {
  if (need.kind !== 'wanted' || tables.length > 0) return [];
  return [{ code: 'NoRouteTables', subject: need.want.text }];
}

/** One route that is missing, dead, wrong or unknown. */
interface Lack {
  readonly words: string;
  /** Why this plan does nothing about it. */
  readonly obstacle?: Obstacle;
}

function verdictOf({
  node,
  bar,
  lacks,
}: Pick<NodeNeeds, 'node' | 'bar'> & { readonly lacks: readonly Lack[] }): RouteVerdict {
  if (bar !== undefined) return { kind: 'leftAlone', reason: bar };
  if (node.podCIDRs.length === 0) return { kind: 'noPodCIDRs' };
  // The node may turn out not to be ours.
  if (lacks.length === 0 && node.instance === undefined) return instanceUnknown;
  if (lacks.length === 0) return available;
  // A route that the cloud does not describe is not a missing route (P3).
  const proven = lacks.filter(({ obstacle }) => obstacle?.code !== 'RouteTargetUnknown');
  if (proven.length === 0) return targetUnknown;
  return {
    kind: 'unavailable',
    missing: proven.map(({ words }) => words),
    isBlocked: proven.some(({ obstacle }) => obstacle !== undefined),
  };
}

const targetUnknown: RouteVerdict = {
  kind: 'leftAlone',
  reason: 'the cloud does not say where the routes to its podCIDRs lead',
};

const instanceUnknown: RouteVerdict = {
  kind: 'leftAlone',
  reason: 'the cloud has not said yet which instance the node is',
};

const available: RouteVerdict = { kind: 'available' };

function lacksOf(need: RouteNeed, planned: PlannedTables): readonly Lack[] {
  switch (need.kind) {
    case 'wanted':
      return lacksOfWant(need.want, planned);
    case 'shared':
      return lacksOfShared(need.want, need.obstacle.subject, planned);
    case 'refused':
      return [{ words: `routes to ${need.obstacle.subject} are not managed` }];
    case 'barred':
    case 'routedByCloud':
    case 'notRoutable':
      return [];
  }
}

function lacksOfWant(want: WantedRoute, { tables, creations }: PlannedTables): readonly Lack[] {
  if (tables.length === 0) return [noRoute(want.text)];
  return tables.flatMap(({ table, states }): readonly Lack[] => {
    const state = states.get(want);
    if (state?.kind === 'present') return noLacks;
    const subject = `${want.text} in table ${printable(table.id, tableMax)}`;
    switch (state?.kind) {
      case 'wrong':
        return [{ words: `the route to ${subject} ${state.flaw}` }];
      case 'taken':
        return [noRoute(subject, 'RouteDestinationTaken')];
      case 'unknown': {
        const words = `the target of the route to ${subject} is unknown`;
        return [{ words, obstacle: { code: 'RouteTargetUnknown', subject, why: state.why } }];
      }
      case 'missing':
      case undefined: {
        const creation = creations.get(want)?.find((one) => one.table === table.id);
        return [noRoute(subject, creation?.room === 'none' ? 'RouteTableFull' : undefined)];
      }
    }
  });
}

function lacksOfShared(
  want: WantedRoute | undefined,
  subject: string,
  planned: PlannedTables,
): readonly Lack[] {
  if (isPresent(want, planned)) return noLacks;
  const lacks = want === undefined ? [] : lacksOfWant(want, planned);
  const unknown = lacks.filter(({ obstacle }) => obstacle?.code === 'RouteTargetUnknown');
  return unknown.length > 0 ? unknown : [noRoute(subject)];
}

const noLacks: readonly Lack[] = [];

/** The maximum length of a table's name, which may be the path of a file. */
const tableMax = 80;

function isPresent(want: WantedRoute | undefined, { tables }: PlannedTables): boolean {
  if (want === undefined || tables.length === 0) return false;
  return tables.every(({ states }) => states.get(want)?.kind === 'present');
}

function noRoute(subject: string, code?: Obstacle['code']): Lack {
  const words = `no route to ${subject}`;
  return code === undefined ? { words } : { words, obstacle: { code, subject } };
}
