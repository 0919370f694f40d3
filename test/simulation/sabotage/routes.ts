/** Managers that break what they promise about routes. */
import { RoutedNodes } from '@tandem/controllers/route';
import { formatCidr, parseCidr } from '@tandem/core/ip';
import type { RouteOperation } from '@tandem/provider/plug';
import { type Listing, type OperationResult, RouteTables } from '@tandem/provider/routes';
import { CcmError } from '@tandem/runtime';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

/** Takes a route whose destination is spelt in another way for one that no node needs (T2). */
export const routeTextCompare: Sabotage = {
  name: 'compares the destinations of routes as text',
  replace: () =>
    changedLists((route) => {
      const { destination, text } = route;
      if (destination === undefined || formatCidr(destination) === text) return route;
      const other = { ...destination, prefixLength: destination.prefixLength + 1 };
      return { ...route, destination: other, target: { kind: 'other' } };
    }),
};

/** Deletes all that it has once listed when it cannot list any more, as if the cluster were empty (P3, T2). */
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

/** Takes every route within its ranges for its own (T3). */
export const foreignRoutes: Sabotage = {
  name: 'deletes and replaces routes of other owners',
  replace: () => changedLists((route) => ({ ...route, ours: true })),
};

/** Takes a route for dead, and so for its own to change, whose target the cloud does not name (T3). */
export const deadTargets: Sabotage = {
  name: 'takes a route with an unknown target for a dead one',
  replace: () =>
    changedLists((route) =>
      route.target.kind === 'unknown' ? { ...route, target: { kind: 'blackhole' } } : route,
    ),
};

type Creation = Extract<RouteOperation, { kind: 'create' }>;

/** Takes a route that it has just asked for to be there, whatever became of it (T5). */
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

/** Forgets a route that it could not create, and waits for something else to happen, as upstream does (T6). */
export const lostRetries: Sabotage = {
  name: 'does not try again to create a route that it could not create',
  replace() {
    const failed = new WeakMap<RouteTables, Set<string>>();
    return replaceMethod(
      RouteTables.prototype,
      'apply',
      (own) =>
        async function apply(this: RouteTables, operations, options): ReturnType<typeof own> {
          const known = failed.get(this) ?? new Set<string>();
          failed.set(this, known);
          const due = operations.filter((one) => !known.has(keyOf(one)));
          const results = new Map<string, OperationResult>();
          for (const [index, result] of (await own.call(this, due, options)).entries()) {
            const operation = due[index];
            if (operation === undefined) continue;
            results.set(keyOf(operation), result);
            if (result.kind !== 'applied') known.add(keyOf(operation));
          }
          return operations.map((one) => results.get(keyOf(one)) ?? forgotten);
        },
    );
  },
};

const forgotten: OperationResult = {
  kind: 'notSent',
  err: new CcmError('forgotten', { code: 'Forgotten', retry: 'backoff', effect: 'none' }),
};

function keyOf(operation: RouteOperation): string {
  const { kind, table } = operation;
  const what = kind === 'create' ? operation.destination : operation.route;
  return `${kind} ${table} ${what}`;
}

/** Gives routes to a Node although another Node holds its machine (P2). */
export const twinRoutes: Sabotage = {
  name: 'gives routes to a Node whose machine another Node holds',
  replace: () =>
    replaceMethod(
      RoutedNodes.prototype,
      'read',
      (own) =>
        async function (this: RoutedNodes) {
          return (await own.call(this)).map((node) => ({ ...node, holder: undefined }));
        },
    ),
};

type Listed = Extract<Listing, { kind: 'listed' }>;
type ReadRoute = Listed['tables'][number]['routes'][number];

/** A manager that reads another list than its cloud gave it. Gives what puts its own method back. */
function changedLists(change: (route: ReadRoute) => ReadRoute): () => void {
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
