/**
 * Serves lists below `/statusz/` as JSON in pages: `limit` and `continue` as with the API server, filters by fields of the
 * items, and an `ETag`, so that a client that polls learns in a few bytes that nothing changed. It refuses a query that it
 * does not understand, because a list that ignores its filter looks like an answer.
 */
import { createHash } from 'node:crypto';
import {
  badQuery,
  jsonReply,
  notModified,
  type Reply,
  unavailable,
  unknownList,
} from '../http/reply.ts';
import type { ListEntry, ListPage } from '../pages.ts';
import { compressed } from './compress.ts';

/** The default size of a page, small enough not to block the event loop. */
const limitDefault = 500;
const limitMax = 2_000;

interface ListRequest {
  readonly query: URLSearchParams;
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
}

export async function listReply(page: ListPage, request: ListRequest): Promise<Reply> {
  const choice = readQuery(page, request.query);
  if (typeof choice === 'string') return badQuery(choice);
  const answer = page.read();
  if (answer.kind === 'absent') return unknownList(answer.message);
  if (answer.kind === 'unavailable') return unavailable(answer.message);
  const { items, last, remaining } = cut(answer.entries, choice);
  const { apiVersion, kind } = page;
  const metadata =
    last === undefined ? {} : { continue: tokenOf(last), remainingItemCount: remaining };
  const reply = jsonReply({ apiVersion, kind, metadata, summary: answer.summary, items });
  const etag = `"${createHash('sha256').update(reply.body).digest('base64url')}"`;
  if (isKnown(etag, request.ifNoneMatch)) return notModified(etag);
  return compressed({ ...reply, headers: { etag } }, request.acceptEncoding);
}

interface Choice {
  readonly limit: number;
  /** The key of the last item of the previous page. */
  readonly after: string | undefined;
  readonly filters: readonly (readonly [field: string, values: ReadonlySet<string>])[];
}

/** Returns a message if the query is invalid. */
function readQuery(
  { filters, filterValues = {} }: ListPage,
  query: URLSearchParams,
): Choice | string {
  const known = ['limit', 'continue', ...filters];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return `${JSON.stringify(unknown)} is not a parameter of this page: expected ${known.join(', ')}`;
  }
  for (const [field, values] of Object.entries(filterValues)) {
    const odd = query.getAll(field).find((value) => !values.includes(value));
    if (odd !== undefined) {
      return `${field} ${JSON.stringify(odd)} is not one of ${values.join(', ')}`;
    }
  }
  const limitText = query.get('limit') ?? String(limitDefault);
  const limit = Number(limitText);
  if (!/^\d{1,6}$/.test(limitText) || limit < 1 || limit > limitMax) {
    return `limit must be a whole number from 1 to ${limitMax}, not ${JSON.stringify(limitText)}`;
  }
  const token = query.get('continue');
  const after = token === null || token === '' ? undefined : keyOf(token);
  if (after === null) return 'continue is not a token of this page: begin again without it';
  return {
    limit,
    after,
    filters: filters.flatMap((field) => {
      const values = query.getAll(field);
      return values.length === 0 ? [] : [[field, new Set(values)] as const];
    }),
  };
}

interface Cut {
  readonly items: readonly object[];
  /** The key of the last item, if more follow. */
  readonly last: string | undefined;
  /** The number of entries after it, without regard to filters. */
  readonly remaining: number;
}

/** Builds items one by one until the page is full, and no others. */
function cut(entries: readonly ListEntry[], { limit, after, filters }: Choice): Cut {
  const left = entries
    .filter(({ key }) => after === undefined || key > after)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const items: object[] = [];
  let last: string | undefined;
  for (const [index, { key, item }] of left.entries()) {
    if (items.length === limit) return { items, last, remaining: left.length - index };
    const made = item();
    last = key;
    if (matches(made, filters)) items.push(made);
  }
  return { items, last: undefined, remaining: 0 };
}

function matches(item: object, filters: Choice['filters']): boolean {
  if (filters.length === 0) return true;
  const fields = new Map<string, unknown>(Object.entries(item));
  return filters.every(([field, values]) => {
    const value = fields.get(field) ?? '';
    return typeof value === 'string' && values.has(value);
  });
}

function tokenOf(key: string): string {
  return Buffer.from(key, 'utf8').toString('base64url');
}

/** Returns null if the text is not a token. */
function keyOf(token: string): string | null {
  const key = Buffer.from(token, 'base64url').toString('utf8');
  return tokenOf(key) === token ? key : null;
}

function isKnown(etag: string, ifNoneMatch = ''): boolean {
  const known = ifNoneMatch.split(',').map((text) => text.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
