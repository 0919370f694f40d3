/**
 * Formats and parses the text of the route table: one JSON object that routers can read, with one route on each line,
 * sorted by destination, so that users can compare two versions. Parsing is strict: a field that this program does not
 * write comes from another writer, and rewriting the table would lose it.
 */
import {
  type Cidr,
  compareCidrs,
  formatAddress,
  formatCidr,
  type IpAddress,
  parseAddress,
  parseCidr,
} from '@tandem/core/ip';
import { printable, quote } from '@tandem/core/node-address';
import { isRecord } from '@tandem/runtime';

export interface TableRoute {
  readonly destination: Cidr;
  /** The name of the machine in the inventory. */
  readonly node: string;
  readonly nextHop: IpAddress;
}

/** By the canonical text of the destination, which is the id of the route. */
export type Table = ReadonlyMap<string, TableRoute>;

/** Says why the text is not a route table. */
export class TableProblem extends Error {}

/** The maximum number of routes, ten times that of the largest cluster. */
export const routesMax = 100_000;

/** The maximum size, enough for that many routes with the longest names. */
export const tableBytesMax: number = 64 * 1024 * 1024;

export function formatTable(table: Table): string {
  const routes = [...table.values()].toSorted((a, b) => compareCidrs(a.destination, b.destination));
  const lines = routes.map(({ destination, node, nextHop }) =>
    JSON.stringify({
      destination: formatCidr(destination),
      node,
      nextHop: formatAddress(nextHop),
    }),
  );
  return `{"routes":[${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`}]}\n`;
}

/** Throws a `TableProblem`. */
export function parseTable(text: string): Table {
  const { routes } = fieldsOf(parseJson(text), ['routes'], 'the file');
  if (!Array.isArray(routes)) throw new TableProblem('routes must be a list');
  if (routes.length > routesMax) throw new TableProblem(`it has more than ${routesMax} routes`);
  const table = new Map<string, TableRoute>();
  for (const [index, value] of routes.entries()) {
    const route = readRoute(value, `route ${index + 1}`);
    const id = formatCidr(route.destination);
    if (table.has(id)) throw new TableProblem(`it has two routes to ${id}`);
    table.set(id, route);
  }
  return table;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (err) {
    const reason = err instanceof Error ? printable(err.message, 80) : 'unknown reason';
    throw new TableProblem(`it is not JSON: ${reason}`);
  }
}

function readRoute(value: unknown, what: string): TableRoute {
  const fields = fieldsOf(value, ['destination', 'node', 'nextHop'], what);
  const destination = textOf(fields, 'destination', what);
  const parsed = parseCidr(destination);
  if (parsed.kind === 'invalid') {
    throw new TableProblem(`destination ${quote(destination)} of ${what} ${parsed.reason}`);
  }
  const hop = textOf(fields, 'nextHop', what);
  const nextHop = parseAddress(hop);
  if (nextHop === undefined) {
    throw new TableProblem(`nextHop ${quote(hop)} of ${what} is not an IP address`);
  }
  return { destination: parsed.cidr, node: textOf(fields, 'node', what), nextHop };
}

function fieldsOf(
  value: unknown,
  names: readonly string[],
  what: string,
): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) {
    throw new TableProblem(`${what} must be a JSON object`);
  }
  const fields: Record<string, unknown> = { ...value };
  const other = Object.keys(fields).find((name) => !names.includes(name));
  if (other !== undefined) throw new TableProblem(`${what} has the unknown field ${quote(other)}`);
  return fields;
}

function textOf(fields: Readonly<Record<string, unknown>>, name: string, what: string): string {
  const text = fields[name];
  if (typeof text === 'string' && text !== '') return text;
  throw new TableProblem(`${name} of ${what} must be a string that is not empty`);
}
