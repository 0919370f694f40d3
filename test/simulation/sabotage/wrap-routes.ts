/** What the sabotages of routes share: a manager that reads another list than its cloud gave it. */
import { type Listing, RouteTables } from '@tandem/provider/routes';
import { replaceMethod } from './replace-member.ts';

type Listed = Extract<Listing, { kind: 'listed' }>;
type ReadRoute = Listed['tables'][number]['routes'][number];

/** Gives what puts the manager's own method back. */
export function changedLists(change: (route: ReadRoute) => ReadRoute): () => void {
  return replaceMethod(
    RouteTables.prototype,
    'list',
    (own) =>
      async function list(this: RouteTables, signal: AbortSignal): Promise<Listing> {
        const listing = await own.call(this, signal);
        if (listing.kind !== 'listed') return listing;
        const tables = listing.tables.map((table) => ({
          ...table,
          routes: table.routes.map(change),
        }));
        return { ...listing, tables };
      },
  );
}
