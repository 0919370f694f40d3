/**
 * Validates the listing of a provider. One invalid entry makes the whole listing unknown, because
 * routes would look missing and be created or deleted by mistake (P3). The exception is a route
 * that is not ours: clouds have destinations that are not CIDRs, such as prefix lists and service
 * tags, and one of them must not hide a whole table. Such a route is listed without a parsed
 * destination.
 */
import { parseAddress, parseCidr } from '@tandem/core/ip';
import { printable, quote } from '@tandem/core/node-address';
import { fieldOf, isRecord } from '@tandem/runtime';
import type { RouteTable } from '../plug/index.ts';
import type { ListedRoute, ListedTable, ListedTarget } from './listing.ts';

export type ReadListing =
  | { readonly kind: 'listed'; readonly asOfMs: number; readonly tables: readonly ListedTable[] }
  | { readonly kind: 'malformed' | 'tooOld'; readonly problem: string };

/** The times between which the call ran, on the clock of `asOfMs`. */
export interface CallTimes {
  readonly begunAtMs: number;
  readonly nowMs: number;
}

/** Never throws, whatever a provider's getters do. */
export function readListing(value: unknown, { begunAtMs, nowMs }: CallTimes): ReadListing {
  try {
    const tables = readTables(fieldOf(value, 'tables'));
    const asOfMs = fieldOf(value, 'asOfMs');
    if (typeof asOfMs !== 'number' || !Number.isFinite(asOfMs))
      return malformed('asOfMs must be a finite number');
    if (asOfMs > nowMs) return malformed('asOfMs is in the future');
    if (asOfMs < begunAtMs) {
      const problem = `it is ${Math.ceil(begunAtMs - asOfMs)} ms older than the call`;
      return { kind: 'tooOld', problem };
    }
    return { kind: 'listed', asOfMs, tables };
  } catch (err) {
    return malformed(
      err instanceof Misfit
        ? err.message
        : `reading it failed: ${err instanceof Error ? printable(err.message, 80) : 'unknown reason'}`,
    );
  }
}

/** Far more than any cluster uses: a longer list does not consist of route tables. */
const tablesMax = 1_000;
const routesMax = 100_000;

/** The error for a value that does not fit the plug. It never leaves this file. */
class Misfit extends Error {}

function readTables(value: unknown): readonly ListedTable[] {
  if (!Array.isArray(value)) throw new Misfit('tables must be a list');
  if (value.length > tablesMax) throw new Misfit(`there are more than ${tablesMax} tables`);
  const tables = Array.from(value, readTable);
  requireUnique(tables, 'tables');
  return tables;
}

function readTable(value: unknown): ListedTable {
  const id = readText(fieldOf(value, 'id'), 'the id of a table');
  const table = `table ${quote(id, 80)}`;
  const capacity = readCapacity(fieldOf(value, 'capacity'), table);
  const routes: unknown = fieldOf(value, 'routes');
  if (!Array.isArray(routes)) throw new Misfit(`the routes of ${table} must be a list`);
  if (routes.length > routesMax) throw new Misfit(`${table} has more than ${routesMax} routes`);
  const read = Array.from(routes, (route) => readRoute(route, table));
  requireUnique(read, `routes of ${table}`);
  return { id, ...(capacity === undefined ? {} : { capacity }), routes: read };
}

function readCapacity(value: unknown, table: string): RouteTable['capacity'] {
  if (value === undefined || isCount(value)) return value;
  if (!isRecord(value))
    throw new Misfit(`the capacity of ${table} must be a whole number, or one for each family`);
  const IPv4 = fieldOf(value, 'IPv4');
  const IPv6 = fieldOf(value, 'IPv6');
  if (!isCountOrNone(IPv4) || !isCountOrNone(IPv6))
    throw new Misfit(`the capacity of ${table} must be whole numbers of at least 0`);
  return { ...(IPv4 === undefined ? {} : { IPv4 }), ...(IPv6 === undefined ? {} : { IPv6 }) };
}

function readRoute(value: unknown, table: string): ListedRoute {
  const id = readText(fieldOf(value, 'id'), `the id of a route of ${table}`);
  const route = `route ${quote(id, 80)} of ${table}`;
  const text = readText(fieldOf(value, 'destination'), `the destination of ${route}`);
  const ours = fieldOf(value, 'ours');
  if (typeof ours !== 'boolean') throw new Misfit(`ours of ${route} must be true or false`);
  const parsed = parseCidr(text);
  // Routing ignores bits beyond the prefix length, and a cloud may list the destination as it was given.
  const destination = parsed.kind === 'cidr' ? parsed.cidr : parsed.network;
  if (parsed.kind === 'invalid' && destination === undefined && ours)
    throw new Misfit(`the destination ${quote(text, 80)} of ${route} ${parsed.reason}`);
  const target = readTarget(fieldOf(value, 'target'), ours, route);
  return { id, destination, text, ours: ours && target.kind !== 'unknown', target };
}

function readTarget(value: unknown, ours: boolean, route: string): ListedTarget {
  switch (fieldOf(value, 'kind')) {
    case 'instance': {
      const ready = fieldOf(value, 'ready');
      if (typeof ready !== 'boolean')
        throw new Misfit(`ready of the target of ${route} must be true or false`);
      const key = readText(fieldOf(value, 'key'), `the key of the target of ${route}`);
      return { kind: 'instance', key, ready };
    }
    case 'address': {
      const text = readText(fieldOf(value, 'address'), `the address of the target of ${route}`);
      const address = parseAddress(text);
      if (address !== undefined) return { kind: 'address', address };
      if (!ours) return { kind: 'other' };
      throw new Misfit(`the target of ${route} is ${quote(text, 80)}, which is no IP address`);
    }
    case 'blackhole':
      return { kind: 'blackhole' };
    case 'other':
      return { kind: 'other' };
    case 'unknown': {
      const err = fieldOf(value, 'err');
      if (!(err instanceof Error))
        throw new Misfit(`err of the target of ${route} must be an Error`);
      return { kind: 'unknown', why: printable(err.message, whyMax) };
    }
    default:
      throw new Misfit(
        `the target of ${route} must be an instance, address, blackhole, other or unknown`,
      );
  }
}

/** Short enough for an event with other text. */
const whyMax = 200;

function requireUnique(items: readonly { readonly id: string }[], what: string): void {
  const seen = new Set<string>();
  for (const { id } of items) {
    if (seen.has(id)) throw new Misfit(`two ${what} have the id ${quote(id, 80)}`);
    seen.add(id);
  }
}

function readText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Misfit(`${what} must be a string that is not empty`);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isCountOrNone(value: unknown): value is number | undefined {
  return value === undefined || isCount(value);
}

function malformed(problem: string): ReadListing {
  return { kind: 'malformed', problem };
}
