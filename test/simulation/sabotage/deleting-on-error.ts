/** Deletes all that it has once listed when it cannot list any more, as if the cluster were empty (P3, T2). */
import type { RouteOperation } from '@tandem/provider/plug';
import { RouteTables } from '@tandem/provider/routes';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const deletingOnError: Sabotage = {
  name: 'deletes routes when it cannot list them',
  replace() {
    const known = new WeakMap<RouteTables, readonly RouteOperation[]>();
    return replaceMethod(
      RouteTables.prototype,
      'list',
      (own) =>
        async function list(this: RouteTables, signal: AbortSignal): ReturnType<typeof own> {
          const listing = await own.call(this, signal);
          if (listing.kind === 'unknown') {
            const deletions = known.get(this) ?? [];
            await this.apply(deletions, { signal, beforeWrite: () => undefined });
            return listing;
          }
          const deletions = listing.tables.flatMap(({ id: table, routes }) =>
            routes
              .filter(({ ours, target }) => ours && target.kind !== 'blackhole')
              .map(({ id: route }): RouteOperation => ({ kind: 'delete', table, route })),
          );
          known.set(this, deletions);
          return listing;
        },
    );
  },
};
