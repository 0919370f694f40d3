/** The findings about the route tables themselves, as messages with stable codes. */
import type { Family } from '../ip/index.ts';
import { enumerate, quote } from '../node-address/index.ts';
import type { Creation } from './creation.ts';
import type { ListedTable } from './listing.ts';
import type { RouteNeeds } from './needs.ts';
import { isNearlyFull, type Quota, quotasOf } from './room.ts';
import type { TablePlan } from './table-plan.ts';

export interface TableFinding {
  readonly code: TableFindingCode;
  /** The id of the table; undefined if the finding is about all tables. */
  readonly table: string | undefined;
  readonly message: string;
}

export type TableFindingCode =
  | 'DestinationNotCIDR'
  | 'DuplicateRoutes'
  | 'FamilyNotRoutable'
  | 'NoRouteTables'
  | 'RouteTableFull'
  | 'RouteTableNearlyFull'
  | 'RouteTargetsUnknown';

export function findTableProblems(
  needs: RouteNeeds,
  tables: readonly TablePlan[],
  creations: readonly Creation[],
): readonly TableFinding[] {
  return [
    ...unroutableFamilies(needs),
    ...(tables.length === 0 ? [noTables] : []),
    ...tables.flatMap(({ table, duplicates }) => [
      ...fullness(table, creations),
      ...duplicateRoutes(table, duplicates),
      ...unreadable(table),
      ...unknownTargets(table),
    ]),
  ];
}

const noTables: TableFinding = {
  code: 'NoRouteTables',
  table: undefined,
  message:
    'The cloud lists no route table, so no route can be created. Check the provider configuration.',
};

function unroutableFamilies({ nodes }: RouteNeeds): readonly TableFinding[] {
  const families: readonly Family[] = ['IPv4', 'IPv6'];
  return families.flatMap((family) => {
    const count = nodes.filter(({ needs }) =>
      needs.some((need) => need.kind === 'notRoutable' && need.family === family),
    ).length;
    if (count === 0) return [];
    const message = `The cloud cannot route ${family}. Nodes with ${family} podCIDRs: ${count}. They get no ${family} routes and count as available without them.`;
    return [{ code: 'FamilyNotRoutable', table: undefined, message }];
  });
}

function fullness(table: ListedTable, creations: readonly Creation[]): readonly TableFinding[] {
  const waiting = creations.filter((one) => one.table === table.id && one.room === 'none');
  const high = quotasOf(table).filter(isNearlyFull);
  if (waiting.length === 0 && high.length === 0) return [];
  const usage = quotasOf(table).map(usageOf).join(' and ');
  if (waiting.length === 0) {
    const message = `Table ${quote(table.id)} has ${usage}. Raise its quota, or new nodes will have to wait for room.`;
    return [{ code: 'RouteTableNearlyFull', table: table.id, message }];
  }
  const names = [...new Set(waiting.map(({ want }) => want.node.name))].toSorted();
  const message = `Table ${quote(table.id)} has ${usage}, and these nodes wait for room: ${enumerate(names)}. Raise its quota, or delete routes that are not needed.`;
  return [{ code: 'RouteTableFull', table: table.id, message }];
}

function usageOf({ family, capacity, used }: Quota): string {
  return `${used} of at most ${capacity} ${family === undefined ? '' : `${family} `}routes`;
}

function duplicateRoutes(
  { id }: ListedTable,
  duplicates: readonly string[],
): readonly TableFinding[] {
  if (duplicates.length === 0) return [];
  const message = `Table ${quote(id)} has several routes to ${enumerate(duplicates.toSorted())}. Routes of other owners stay; delete those that are wrong.`;
  return [{ code: 'DuplicateRoutes', table: id, message }];
}

function unreadable({ id, routes }: ListedTable): readonly TableFinding[] {
  const texts = routes.flatMap(({ destination, text }) =>
    destination === undefined ? [text] : [],
  );
  if (texts.length === 0) return [];
  const message = `Table ${quote(id)} has routes to destinations that are not CIDRs, which are left alone: ${enumerate(texts.toSorted())}.`;
  return [{ code: 'DestinationNotCIDR', table: id, message }];
}

function unknownTargets({ id, routes }: ListedTable): readonly TableFinding[] {
  const texts = routes.flatMap(({ text, target }) => (target.kind === 'unknown' ? [text] : []));
  if (texts.length === 0) return [];
  // The message omits the reason, whose text may change with every list. The view of each route has
  // it.
  const message = `Table ${quote(id)} has routes whose targets the cloud does not name, which are left alone: ${enumerate(texts.toSorted())}. \`kubectl nodeip routes -o wide\` shows why.`;
  return [{ code: 'RouteTargetsUnknown', table: id, message }];
}
