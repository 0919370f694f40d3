/** Takes a route that it has just asked for to be there, whatever became of it (T5). */
import type { RouteOperation } from '@tandem/provider/plug';
import { RouteTables } from '@tandem/provider/routes';
import { parseCidr } from '@tandem/core/ip';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

type Creation = Extract<RouteOperation, { kind: 'create' }>;

export const unreadRoutes: Sabotage = {
  name: 'says that a route was created before it was read back',
  replace() {
    const sent = new WeakMap<RouteTables, Creation[]>();
    const restoreApply = replaceMethod(
      RouteTables.prototype,
      'apply',
      (own) =>
        function apply(this: RouteTables, operations, options): ReturnType<typeof own> {
          const creations = operations.filter((one) => one.kind === 'create');
          sent.set(this, creations);
          return own.call(this, operations, options);
        },
    );
    const restoreList = replaceMethod(
      RouteTables.prototype,
      'list',
      (own) =>
        async function list(this: RouteTables, signal: AbortSignal): ReturnType<typeof own> {
          const listing = await own.call(this, signal);
          if (listing.kind !== 'listed') return listing;
          const creations = sent.get(this) ?? [];
          sent.delete(this);
          const tables = listing.tables.map((table) => {
            const texts = new Set(table.routes.map(({ text }) => text));
            const missing = creations.filter(
              (one) => one.table === table.id && !texts.has(one.destination),
            );
            return { ...table, routes: [...table.routes, ...missing.map(routeOf)] };
          });
          return { ...listing, tables };
        },
    );
    return () => {
      restoreApply();
      restoreList();
    };
  },
};

function routeOf({ destination: text, to: { key } }: Creation, index: number) {
  const parsed = parseCidr(text);
  const destination = parsed.kind === 'cidr' ? parsed.cidr : undefined;
  const target = { kind: 'instance', key, ready: true } as const;
  return { id: `sent-${index}`, destination, text, ours: true, target };
}
