/** The shell around routes on a cloud with every fault at once: a plain loop ends in the wanted state. */
import assert from 'node:assert/strict';
import { formatCidr } from '@tandem/core/ip';
import type { RouteNode, RouteOperation } from '@tandem/provider/plug';
import { type Listing, RouteTables } from '@tandem/provider/routes';
import { createMetrics } from '@tandem/runtime';
import { noRouteFaults, type RouteSettings } from './index.ts';
import { aRoutesWorld } from './routes.fixture.ts';

const { signal } = new AbortController();

const trouble: Partial<RouteSettings> = {
  limits: { batchSize: 4, concurrency: 2, callsPerSecond: 5, burst: 5, deadlineMs: 2_000 },
  latencyMs: { min: 5, max: 200 },
  requestsPerSecond: 20,
  faults: {
    throttle: 0.05,
    failure: 0.05,
    failureAfter: 0.1,
    lostBefore: 0.05,
    lostAfter: 0.05,
  },
  unreadyShare: 0.3,
  spellsOddly: true,
};

/** Creates what is missing, replaces what is not right, deletes what nobody wants; as simple as can be. */
function plan(listing: Listing, wanted: ReadonlyMap<string, RouteNode>): RouteOperation[] {
  if (listing.kind === 'unknown') return [];
  return listing.tables.flatMap(({ id: table, routes }) => {
    const ours = routes.filter((route) => route.ours);
    const textOf = (route: (typeof ours)[number]): string =>
      route.destination === undefined ? '' : formatCidr(route.destination);
    const held = new Set(ours.map(textOf));
    const changes = ours.flatMap((route): RouteOperation[] => {
      const to = wanted.get(textOf(route));
      if (to === undefined) return [{ kind: 'delete', table, route: route.id }];
      const { target } = route;
      const isRight = target.kind === 'instance' && target.key === to.key && target.ready;
      return isRight ? [] : [{ kind: 'replace', table, route: route.id, to }];
    });
    const missing = [...wanted].filter(([destination]) => !held.has(destination));
    return [
      ...changes,
      ...missing.map(([destination, to]) => ({ kind: 'create', table, destination, to }) as const),
    ];
  });
}

describe('routes under faults', () => {
  it('get no request after a paused leader has lost its Lease, however slow the cloud is', async () => {
    const world = aRoutesWorld({
      limits: { batchSize: 3, concurrency: 2, callsPerSecond: 10, burst: 10 },
      latencyMs: { min: 100, max: 900 },
    });
    const { clock, cloud, routes } = world;
    const tables = new RouteTables({ provider: cloud, routes, clock, metrics: createMetrics() });
    const to = world.node('n');
    const operations = Array.from({ length: 40 }, (_, number) => ({
      kind: 'create' as const,
      table: number % 2 === 0 ? 'a' : 'b',
      destination: `10.0.${number}.0/24`,
      to,
    }));
    let isLeading = true;
    const beforeWrite = (): void => {
      if (!isLeading) throw new Error('no longer leads');
    };
    const applying = tables.apply(operations, { signal, beforeWrite });
    await clock.advance(3_000);
    isLeading = false;
    const { writes } = routes.counts;
    await clock.runAll();
    const results = await applying;
    assert(writes > 0 && writes < operations.length, `${writes} requests while it led`);
    assert.equal(routes.counts.writes, writes);
    const held = new Set(['a', 'b'].flatMap((id) => routes.routesOf(id)).map((r) => r.destination));
    for (const [index, { destination }] of operations.entries()) {
      const kind = results[index]?.kind;
      if (kind === 'applied') assert(held.has(destination));
      else assert(kind === 'unknown' || (kind === 'notSent' && !held.has(destination)), kind);
    }
  });

  for (let seed = 0; seed < 20; seed++) {
    it(`end as wanted once the faults are over, and never twice: seed ${seed}`, async () => {
      const world = aRoutesWorld(trouble, `routes/${seed}`);
      const { clock, cloud, routes } = world;
      const tables = new RouteTables({ provider: cloud, routes, clock, metrics: createMetrics() });
      const foreign = routes.addForeign('a', 'pl-1a2b3c4d');
      const wanted = new Map<string, RouteNode>();
      for (let number = 0; number < 6; number++) {
        const node = world.node(`node-${number}`);
        wanted.set(`10.0.${number}.0/24`, node).set(`fd00:0:0:${number + 1}::/64`, node);
      }
      const round = async (): Promise<void> => {
        const operations = plan(await tables.list(signal), wanted);
        const results = await tables.apply(operations, { signal, beforeWrite: () => {} });
        assert.equal(results.length, operations.length);
      };
      const running = (async () => {
        for (let times = 0; times < 15; times++) {
          if (times === 5) {
            cloud.terminate('node-0');
            const successor = world.node('node-0');
            wanted.set('10.0.0.0/24', successor).set('fd00:0:0:1::/64', successor);
            wanted.delete('10.0.5.0/24');
          }
          await round();
          await clock.advance(3_000);
        }
      })();
      while (await stillRunning(running)) await clock.advance(1_000);

      world.set({ faults: noRouteFaults });
      const calm = (async () => {
        for (let times = 0; times < 4; times++) await round();
      })();
      while (await stillRunning(calm)) await clock.advance(1_000);

      for (const table of ['a', 'b']) {
        const ours = routes.routesOf(table).filter((route) => route.ours);
        const want = [...wanted].map(([destination, { key }]) => ({
          destination,
          target: { kind: 'instance', key, ready: true },
        }));
        const held = ours.map(({ destination, target }) => ({ destination, target }));
        assert.deepEqual(held.toSorted(byDestination), want.toSorted(byDestination));
      }
      assert.deepEqual(routes.routesOf('a')[0], foreign);
    });
  }
});

async function stillRunning(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => false), Promise.resolve().then(() => true)]);
}

function byDestination(
  a: { readonly destination: string },
  b: { readonly destination: string },
): number {
  return a.destination.localeCompare(b.destination);
}
