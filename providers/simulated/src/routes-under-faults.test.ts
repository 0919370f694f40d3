/**
 * Runs a plain loop of list, plan and apply on a cloud with every fault at once. It has to end in the wanted state.
 */
import assert from 'node:assert/strict';
import { readPodCIDR } from '@tandem/core/allocation';
import {
  internalIPsOf,
  planRoutes,
  type RoutedNode,
  type RoutePlanInput,
} from '@tandem/core/routes';
import type { RouteNode, RouteOperation } from '@tandem/provider/plug';
import { type Listing, RouteTables } from '@tandem/provider/routes';
import { createMetrics } from '@tandem/runtime';
import { noRouteFaults, type RouteSettings } from './index.ts';
import { aRoutesWorld } from './routes.fixture.ts';

const { signal } = new AbortController();

const faultySettings: Partial<RouteSettings> = {
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
  emptyShare: 0.05,
  unreadyShare: 0.3,
  spellsOddly: true,
};

const clusterCIDRs = ['10.0.0.0/16', 'fd00::/48'].map((text) => {
  const { cidr } = readPodCIDR(text);
  assert(cidr !== undefined);
  return cidr;
});

function plan(
  listing: Listing,
  { nodes, families }: Pick<RoutePlanInput, 'nodes' | 'families'>,
): RouteOperation[] {
  if (listing.kind === 'unknown') return [];
  const { operations } = planRoutes({ nodes, families, clusterCIDRs, tables: listing.tables });
  return operations.map(({ operation }) => operation);
}

/** The Node of a machine. */
function routedNode({ key, name, addresses }: RouteNode, podCIDRs: readonly string[]): RoutedNode {
  return {
    name,
    uid: key,
    podCIDRs,
    instance: { key, podBlocks: { IPv4: [], IPv6: [] } },
    internalIPs: internalIPsOf(
      Object.values(addresses).map((address) => ({ type: 'InternalIP', address })),
    ),
    isOurs: true,
    holder: undefined,
    isSelected: true,
    isPaused: false,
    isDeleting: false,
  };
}

describe('routes under faults', () => {
  it('get no request from a leader that has lost its Lease, however slow the cloud is', async () => {
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
    it(`reach the wanted state without duplicates after the faults end: seed ${seed}`, async () => {
      const world = aRoutesWorld(faultySettings, `routes/${seed}`);
      const { clock, cloud, routes } = world;
      const tables = new RouteTables({ provider: cloud, routes, clock, metrics: createMetrics() });
      const foreign = routes.addForeign('a', 'pl-1a2b3c4d');
      const nodes = Array.from({ length: 6 }, (_, number) =>
        routedNode(world.node(`node-${number}`), [
          `10.0.${number}.0/24`,
          `fd00:0:0:${number + 1}::/64`,
        ]),
      );
      const round = async (): Promise<void> => {
        const operations = plan(await tables.list(signal), { nodes, families: tables.families });
        const results = await tables.apply(operations, { signal, beforeWrite: () => {} });
        assert.equal(results.length, operations.length);
      };
      const running = (async () => {
        for (let times = 0; times < 15; times++) {
          if (times === 5) {
            cloud.terminate('node-0');
            nodes[0] = routedNode(world.node('node-0'), ['10.0.0.0/24', 'fd00:0:0:1::/64']);
            nodes[5] = routedNode(world.node('node-6'), ['fd00:0:0:6::/64']);
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
        const want = nodes.flatMap(({ podCIDRs, uid: key }) =>
          podCIDRs.map((destination) => ({
            destination,
            target: { kind: 'instance', key, ready: true },
          })),
        );
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
