/** Runs the exam on providers with one fault in their routes each, and names the claim that must catch it. */
import assert from 'node:assert/strict';
import { examine, type Lab } from '@tandem/provider/exam';
import type {
  Provider,
  Route,
  RouteApplyOptions,
  RouteListing,
  RouteOperation,
  RouteOutcome,
  Routes,
} from '@tandem/provider/plug';
import { routeSettingsDefault } from './index.ts';
import { openLab, tablesOfLab } from './lab.fixture.ts';

type Apply = Routes['apply'];

/** `only` means that no other claim may catch it. */
interface Habit {
  readonly habit: string;
  readonly caughtBy: RegExp;
  readonly only: boolean;
  readonly spoil: (honest: Routes) => Partial<Routes>;
}

const habits: readonly Habit[] = [
  {
    habit: 'lists nothing on an error',
    caughtBy: /never lists or applies while it cannot reach/,
    only: true,
    spoil: (honest) => ({
      list: (options) =>
        honest.list(options).catch((err: unknown) => {
          if (options.signal.aborted) throw err;
          return { asOfMs: 0, tables: [] };
        }),
    }),
  },
  {
    habit: 'reports success on an error',
    caughtBy: /never lists or applies while it cannot reach/,
    only: true,
    spoil: spoiltOutcomes((outcome) => (outcome.kind === 'unknown' ? applied : outcome)),
  },
  {
    habit: 'cannot see IPv6 routes',
    caughtBy: /lists what it creates, in every table and family/,
    only: false,
    spoil: spoiltRoutes((routes) => routes.filter(({ destination }) => !destination.includes(':'))),
  },
  {
    habit: 'writes to the first table only',
    caughtBy: /lists what it creates, in every table and family/,
    only: true,
    spoil: spoiltApply(async (apply, operations, options) => {
      const first = operations.filter(({ table }) => table === 'main');
      const outcomes = [...(await apply(first, options))];
      return operations.map(
        ({ table }) => (table === 'main' ? outcomes.shift() : applied) ?? applied,
      );
    }),
  },
  {
    habit: 'has instance keys in its routes that differ from those of look-ups',
    caughtBy: /lists what it creates/,
    only: false,
    spoil: spoiltRoutes((routes) =>
      routes.map((route) =>
        route.target.kind === 'instance'
          ? { ...route, target: { ...route.target, key: route.target.key.toUpperCase() } }
          : route,
      ),
    ),
  },
  {
    habit: 'treats another spelling as another destination',
    caughtBy: /refuses a destination that is taken, however it is spelt/,
    only: true,
    spoil: spoiltApply(async (apply, operations, options) => {
      const outcomes = await apply(operations, options);
      return outcomes.map((outcome, index) => {
        const operation = operations[index];
        const isOdd = operation?.kind === 'create' && /[A-F]/.test(operation.destination);
        return isOdd ? applied : outcome;
      });
    }),
  },
  {
    habit: 'reports success for a destination that is taken',
    caughtBy: /refuses a destination that is taken/,
    only: false,
    spoil: spoiltOutcomes((outcome) =>
      outcome.kind === 'refused' && outcome.reason === 'exists' ? applied : outcome,
    ),
  },
  {
    habit: 'reports a full table as a taken destination',
    caughtBy: /refuses to create a route in a table that is full/,
    only: true,
    spoil: spoiltOutcomes((outcome) =>
      outcome.kind === 'refused' && outcome.reason === 'tableFull'
        ? { ...outcome, reason: 'exists' }
        : outcome,
    ),
  },
  {
    habit: 'does not repair a target that does not forward',
    caughtBy: /moves the target of a route that it replaces/,
    only: true,
    spoil: unready,
  },
  {
    habit: 'replaces all routes of the same target',
    caughtBy: /moves the target of a route that it replaces, and nothing else/,
    only: true,
    spoil: (honest) => ({
      apply: async (operations, options) =>
        onReplace(
          honest,
          operations,
          options,
          ({ target }, other) => JSON.stringify(target) === JSON.stringify(other.target),
        ),
    }),
  },
  {
    habit: 'deletes the routes of nodes whose name begins with that of the node',
    caughtBy: /removes the route that it deletes, and no other/,
    only: true,
    spoil: deletingByPrefix,
  },
  {
    habit: 'treats all routes as its own',
    caughtBy: /as not ours, and leaves them alone/,
    only: true,
    spoil: spoiltRoutes((routes) => routes.map((route) => ({ ...route, ours: true }))),
  },
  {
    habit: 'loses foreign routes when it writes a table',
    caughtBy: /as not ours, and leaves them alone/,
    only: true,
    spoil: losingForeign,
  },
  {
    habit: 'mixes up the outcomes',
    caughtBy: /one outcome for each operation, in their order/,
    only: true,
    spoil: spoiltApply(async (apply, ...asked) => (await apply(...asked)).toReversed()),
  },
  {
    habit: 'leaves out the outcomes of refused operations',
    caughtBy: /one outcome for each operation, in their order/,
    only: false,
    spoil: spoiltApply(async (apply, ...asked) =>
      (await apply(...asked)).filter(({ kind }) => kind !== 'refused'),
    ),
  },
  {
    habit: 'sorts the array of operations of its caller',
    caughtBy: /one outcome for each operation, in their order/,
    only: false,
    spoil: spoiltApply((apply, operations, options) => {
      const given = operations as RouteOperation[];
      given.sort((a, b) => a.kind.localeCompare(b.kind));
      return apply(given, options);
    }),
  },
  {
    habit: 'states no age of a list',
    caughtBy: /asks the cloud for every list, and states its age/,
    only: true,
    spoil: spoiltList((listing) => ({ ...listing, asOfMs: Number.NaN })),
  },
  {
    habit: 'dates a list at the time when it ended',
    caughtBy: /asks the cloud for every list, and states its age/,
    only: true,
    spoil: spoiltList((listing) => ({ ...listing, asOfMs: listing.asOfMs + 1 })),
  },
  {
    habit: 'lists from a cache until it writes',
    caughtBy: /asks the cloud for every list/,
    only: false,
    spoil: remembering,
  },
  {
    habit: 'never calls beforeWrite',
    caughtBy: /calls beforeWrite before every request/,
    only: false,
    spoil: spoiltApply((apply, operations, { signal }) =>
      apply(operations, { signal, beforeWrite: () => {} }),
    ),
  },
  {
    habit: 'calls beforeWrite after it has written',
    caughtBy: /calls beforeWrite before every request/,
    only: false,
    spoil: spoiltApply(async (apply, operations, { signal, beforeWrite }) => {
      const outcomes = await apply(operations, { signal, beforeWrite: () => {} });
      for (const _ of operations) beforeWrite();
      return outcomes;
    }),
  },
  {
    habit: 'calls beforeWrite once for many requests',
    caughtBy: /sends nothing more once beforeWrite has thrown/,
    only: true,
    spoil: spoiltApply(async (apply, operations, { signal, beforeWrite }) => {
      signal.throwIfAborted();
      if (operations.length > 0) beforeWrite();
      return apply(operations, { signal, beforeWrite: () => {} });
    }),
  },
  {
    habit: 'swallows the error that beforeWrite throws',
    caughtBy: /changes nothing when beforeWrite throws/,
    only: false,
    spoil: spoiltApply((apply, operations, { signal, beforeWrite }) =>
      apply(operations, {
        signal,
        beforeWrite: () => {
          try {
            beforeWrite();
          } catch {}
        },
      }),
    ),
  },
  {
    habit: 'reports success when beforeWrite threw',
    caughtBy: /changes nothing when beforeWrite throws/,
    only: true,
    spoil: spoiltApply((apply, operations, options) =>
      apply(operations, options).catch((err: unknown) => {
        if (options.signal.aborted) throw err;
        return operations.map(() => applied);
      }),
    ),
  },
  {
    habit: 'does not stop when its signal aborts',
    caughtBy: /stops when its signal aborts, without listing or changing/,
    only: true,
    spoil: (honest) => ({
      list: () => honest.list({ signal: new AbortController().signal }),
      apply: (operations, { beforeWrite }) =>
        honest.apply(operations, { beforeWrite, signal: new AbortController().signal }),
    }),
  },
];

const applied: RouteOutcome = { kind: 'applied' };

describe('exam of routes', () => {
  for (const { habit, caughtBy, only, spoil } of habits) {
    it(`fails a provider that ${habit}`, async () => {
      const failed: string[] = [];
      for (const { name, run } of examine(() => openSpoiltLab(spoil))) {
        if (name.startsWith('with routes:')) await run().catch(() => failed.push(name));
      }
      const caught = failed.filter((name) => caughtBy.test(name));
      assert.equal(caught.length, 1, `these claims failed: ${failed.join('; ')}`);
      if (only) assert.deepEqual(failed, caught);
    });
  }

  it('fails when a provider has routes and its lab cannot change them', async () => {
    const openWithoutRoutes = async (): Promise<Lab> => {
      const lab = { ...(await openSpoiltLab(() => ({}))) };
      delete lab.routes;
      return lab;
    };
    const routeCases = examine(openWithoutRoutes).filter(({ name }) =>
      name.includes('with routes'),
    );
    for (const { run } of routeCases) await assert.rejects(run(), /the lab has no routes/);
  });
});

async function openSpoiltLab(spoil: Habit['spoil']): Promise<Lab> {
  const routes = { ...routeSettingsDefault, tables: tablesOfLab };
  const lab = await openLab({ routes });
  const { provider: cloud } = lab;
  assert(cloud.routes !== undefined);
  const honest = bound(cloud.routes);
  const provider: Provider = {
    name: cloud.name,
    identify: (providerID) => cloud.identify(providerID),
    lookup: (...asked) => cloud.lookup(...asked),
    routes: { ...honest, ...spoil(honest) },
  };
  return { ...lab, provider };
}

function bound(routes: Routes): Routes {
  return {
    families: routes.families,
    list: (options) => routes.list(options),
    apply: (...asked) => routes.apply(...asked),
  };
}

function spoiltApply(
  spoil: (apply: Apply, ...asked: Parameters<Apply>) => ReturnType<Apply>,
): Habit['spoil'] {
  return (honest) => ({
    apply: async (...asked) => spoil((...given) => honest.apply(...given), ...asked),
  });
}

function spoiltOutcomes(spoil: (outcome: RouteOutcome) => RouteOutcome): Habit['spoil'] {
  return spoiltApply(async (apply, ...asked) => (await apply(...asked)).map(spoil));
}

function spoiltList(spoil: (listing: RouteListing) => RouteListing): Habit['spoil'] {
  return (honest) => ({ list: async (options) => spoil(await honest.list(options)) });
}

function spoiltRoutes(spoil: (routes: readonly Route[]) => readonly Route[]): Habit['spoil'] {
  return spoiltList((listing) => ({
    ...listing,
    tables: listing.tables.map((table) => ({ ...table, routes: spoil(table.routes) })),
  }));
}

/** The target of a replaced route never forwards. */
function unready(honest: Routes): Partial<Routes> {
  const replaced = new Set<string>();
  return {
    async apply(operations, options) {
      const outcomes = await honest.apply(operations, options);
      for (const operation of operations) {
        if (operation.kind === 'replace') replaced.add(operation.route);
      }
      return outcomes;
    },
    ...spoiltRoutes((routes) =>
      routes.map((route) =>
        route.target.kind === 'instance' && replaced.has(route.id)
          ? { ...route, target: { ...route.target, ready: false } }
          : route,
      ),
    )(honest),
  };
}

/** Replaces further routes together with each replaced route. */
async function onReplace(
  honest: Routes,
  operations: readonly RouteOperation[],
  options: RouteApplyOptions,
  isAlso: (route: Route, other: Route) => boolean,
): Promise<readonly RouteOutcome[]> {
  const [operation] = operations;
  if (operation?.kind !== 'replace') return honest.apply(operations, options);
  const { tables } = await honest.list(options);
  const routes = tables.find(({ id }) => id === operation.table)?.routes ?? [];
  const route = routes.find(({ id }) => id === operation.route);
  const others = routes.filter(
    (other) => route !== undefined && other.id !== route.id && isAlso(route, other),
  );
  const more = others.map(({ id }) => ({ ...operation, route: id }));
  const outcomes = await honest.apply([...operations, ...more], options);
  return outcomes.slice(0, operations.length);
}

/** Matches the names of nodes by prefix, so that deleting the route of worker-1 also deletes that of worker-10. */
function deletingByPrefix(honest: Routes): Partial<Routes> {
  const names = new Map<string, string>();
  return {
    async apply(operations, options) {
      for (const operation of operations) {
        if (operation.kind === 'create') names.set(operation.destination, operation.to.name);
      }
      const { tables } = await honest.list(options);
      const more = operations.flatMap((operation): RouteOperation[] => {
        if (operation.kind !== 'delete') return [];
        const routes = tables.find(({ id }) => id === operation.table)?.routes ?? [];
        const nameOf = (route: Route | undefined): string =>
          names.get(route?.destination ?? '') ?? 'unknown';
        const name = nameOf(routes.find(({ id }) => id === operation.route));
        const isAlso = (route: Route): boolean =>
          nameOf(route) !== name && nameOf(route).startsWith(name);
        return routes.filter(isAlso).map(({ id }) => ({ ...operation, route: id }));
      });
      const outcomes = await honest.apply([...operations, ...more], options);
      return outcomes.slice(0, operations.length);
    },
  };
}

function losingForeign(honest: Routes): Partial<Routes> {
  let hasWritten = false;
  return {
    async apply(...asked) {
      const outcomes = await honest.apply(...asked);
      hasWritten ||= outcomes.some(({ kind }) => kind === 'applied');
      return outcomes;
    },
    ...spoiltRoutes((routes) => routes.filter(({ ours }) => ours || !hasWritten))(honest),
  };
}

function remembering(honest: Routes): Partial<Routes> {
  let memory: RouteListing | undefined;
  return {
    async list(options) {
      memory ??= await honest.list(options);
      return memory;
    },
    async apply(...asked) {
      memory = undefined;
      return honest.apply(...asked);
    },
  };
}
