/**
 * PUT of route tables. A table is written whole; `If-Match` refuses a write over a table that
 * has changed since it was read. Azure refuses a second write while one is under way.
 */
import { withTable } from './changes.ts';
import { ArmError } from './error.ts';
import { keyOf, type Named, tableId } from './ids.ts';
import type { ArmRequest } from './request.ts';
import type { ArmState, StoredTable } from './state.ts';
import { readTable } from './table-body.ts';

interface TableWrite {
  readonly status: 200 | 201;
  readonly id: string;
  /** The state after it. */
  readonly state: ArmState;
}

/** The limit of a table that is created. */
const routesMaxByDefault = 1_000;

export function putTable(state: ArmState, request: ArmRequest): TableWrite {
  const named = namedOf(request);
  const stored = state.tables.get(keyOf(tableId(named)));
  requireMatch(request, stored, tableId(named));
  const routesMax = stored?.routesMax ?? routesMaxByDefault;
  const body = readTable(request.body, named.name, routesMax);
  if (stored !== undefined && stored.location.toLowerCase() !== body.location.toLowerCase()) {
    const message = `The resource '${named.name}' already exists in location '${stored.location}' in resource group '${named.resourceGroup}'. A resource with the same name cannot be created in location '${body.location}'.`;
    throw new ArmError('InvalidResourceLocation', message, { status: 409 });
  }
  const identity = stored ?? named;
  const table = { ...identity, ...body, routesMax, provisioning: 'Succeeded' as const };
  return {
    status: stored === undefined ? 201 : 200,
    id: tableId(identity),
    state: withTable(state, table),
  };
}

function namedOf({ parts }: ArmRequest): Named {
  const { subscription = '', resourceGroup = '', name = '' } = parts;
  return { subscription, resourceGroup, name };
}

function requireMatch({ headers }: ArmRequest, stored: StoredTable | undefined, id: string): void {
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers;
  const isStale =
    wanted !== undefined && (stored === undefined || (wanted !== '*' && wanted !== stored.etag));
  const isThere = unwanted === '*' && stored !== undefined;
  if (!isStale && !isThere) return;
  const code = isStale ? 'PreconditionFailedEtagMismatch' : 'PreconditionFailedEtagExists';
  const message = `Etag provided in ${isStale ? 'if-match' : 'if-none-match'} header ${wanted ?? unwanted} does not match etag ${stored?.etag ?? '(none)'} of resource ${id} in NRP data store.`;
  throw new ArmError('PreconditionFailed', 'Precondition failed.', {
    status: 412,
    details: [{ code, message }],
  });
}
