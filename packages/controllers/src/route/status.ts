/** Builds the section of `/statusz` about routes: how full every table is, and how many nodes lack a route. */
import type { Family } from '@tandem/core/ip';
import { printable } from '@tandem/core/node-address';
import type { ListedTable, RoutePlan } from '@tandem/core/routes';

export interface RouteSection {
  readonly title: string;
  readonly rows: readonly RouteRow[];
  readonly notes: readonly string[];
}

/** The routes of one family in a table. A route whose destination is not a CIDR has no family and is not counted. */
export type RouteRow = Readonly<
  Record<'table' | 'family' | 'capacity', string> & Record<'routes' | 'ours', number>
>;

const families = ['IPv4', 'IPv6'] as const;

/** The maximum length of the cloud's message. */
const whyMax = 300;

/** The tables and the plan of the last pass that had a list. */
export interface SeenRoutes {
  readonly tables: readonly ListedTable[];
  readonly plan: RoutePlan;
  /** The time of the list, on the monotonic clock. */
  readonly asOfMs: number;
}

/** The number of lists that failed since the last one that succeeded. */
export interface FailedLists {
  readonly failedLists: number;
  /** Why the last of them failed. */
  readonly why: string;
}

/** Builds the section. `seen` is undefined until a list succeeds. */
export function routeSection(
  seen: SeenRoutes | undefined,
  { failedLists, why }: FailedLists,
): RouteSection {
  const title = 'Routes';
  const failure =
    failedLists === 0
      ? []
      : [`The last ${failedLists} lists of the tables failed: ${printable(why, whyMax)}`];
  if (seen === undefined) {
    return { title, rows: [], notes: ['The routes were not listed yet.', ...failure] };
  }
  const { tables, plan } = seen;
  const rows = tables.flatMap((table) => families.map((family) => rowOf(table, family)));
  const lacking = [...plan.nodes.values()].filter(({ verdict }) => verdict.kind === 'unavailable');
  return {
    title,
    rows,
    notes: [
      ...families.map((family) => {
        const { wanted, present } = plan.counts[family];
        return `${family} routes that nodes need: ${wanted}, of which ${present} are there.`;
      }),
      `Nodes that lack a route: ${lacking.length}.`,
      ...failure,
    ],
  };
}

function rowOf({ id, routes, capacity }: ListedTable, family: Family): RouteRow {
  const ofFamily = routes.filter(({ destination }) => destination?.network.family === family);
  return {
    table: id,
    family,
    routes: ofFamily.length,
    ours: ofFamily.filter(({ ours }) => ours).length,
    capacity: capacityText(capacity, family),
  };
}

function capacityText(capacity: ListedTable['capacity'], family: Family): string {
  if (typeof capacity === 'number') return `${capacity} for both families`;
  const limit = capacity?.[family];
  return limit === undefined ? 'no limit known' : String(limit);
}
