/** Tests when passes begin, when failed changes are retried, and what the metrics show of both. */
import assert from 'node:assert/strict';
import type { PlannedOperation } from '@tandem/core/routes';
import { CcmError, type Retry } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { OperationBackoff } from './operation-backoff.ts';
import { Newcomers } from './newcomers.ts';
import { PassTimer } from './pass-timer.ts';
import type { Route } from '@tandem/provider/plug';
import { noRouteFaults } from '../../../../test/support/simulated-cloud.ts';
import { blocksOf, RouteWorld } from './route-world.fixture.ts';

const second = 1_000;
const minute = 60_000;

const creation = (destination: string): PlannedOperation => ({
  operation: {
    kind: 'create',
    table: 'main',
    destination,
    to: { key: 'i-1', name: 'a', addresses: {} },
  },
  destination,
  node: { name: 'a', uid: 'a' },
  reason: '',
});
const failure = (retry: Retry): CcmError =>
  new CcmError('no', { code: 'No', retry, effect: 'none' });

describe('a failed change of a route', () => {
  it('is retried after its own delay, which doubles each time up to five minutes', async () => {
    const clock = virtualClock();
    const backoff = new OperationBackoff({ clock, random: seededRandom('backoff') });
    const [bad, good] = [creation('10.0.0.0/24'), creation('10.0.1.0/24')];
    for (let failures = 1; failures <= 12; failures++) {
      assert.deepEqual(backoff.due([bad, good]), [bad, good]);
      backoff.failed(bad, failure('backoff'));
      assert.deepEqual(backoff.due([bad, good]), [good], 'other changes are not delayed');
      const waitMs = backoff.nextInMs ?? 0;
      const wholeMs = Math.min(second * 2 ** (failures - 1), 5 * minute);
      assert.ok(waitMs > wholeMs / 2 - 1 && waitMs <= wholeMs, `${waitMs} of ${wholeMs}`);
      await clock.advance(waitMs);
    }
  });

  it('is retried after the delay that the cloud asked for, if that is longer', async () => {
    const clock = virtualClock();
    const backoff = new OperationBackoff({ clock, random: seededRandom('backoff') });
    backoff.failed(creation('10.0.0.0/24'), failure({ afterMs: 42_000 }));
    assert.equal(backoff.nextInMs, 42_000);
  });

  it('has no delay any more after a plan without it', () => {
    const clock = virtualClock();
    const backoff = new OperationBackoff({ clock, random: seededRandom('backoff') });
    const bad = creation('10.0.0.0/24');
    backoff.due([bad]);
    backoff.failed(bad, failure('backoff'));
    backoff.due([]);
    assert.equal(backoff.nextInMs, undefined);
    assert.deepEqual(backoff.due([bad]), [bad]);
  });

  it('is not retried before the time that the cloud asked for', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    await world.clock.advance(second);
    world.set({ requestsPerSecond: 1 });
    world.addNode('a');
    await world.clock.advance(200);
    const { writes = 0, throttled = 0 } = world.cloud.routes?.counts ?? {};
    assert.ok(throttled > 0, 'the cloud throttled it');
    await world.clock.advance(second);
    assert.equal(world.cloud.routes?.counts.writes, writes, 'the cloud asked for two seconds');
    world.set({ requestsPerSecond: Number.POSITIVE_INFINITY });
    await world.clock.advance(5 * second);
    assert.equal(world.routes().length, 2);
    assert.equal(world.condition('a'), 'False RouteCreated');
    await manager.stop();
  });
});

describe('a change whose outcome is unknown', () => {
  it('is followed by a list, and not sent again if the list shows it', async () => {
    const world = new RouteWorld();
    world.set({ latencyMs: { min: 10, max: 10 } });
    const manager = world.start();
    await world.clock.advance(second);
    const { lists = 0 } = world.cloud.routes?.counts ?? {};
    world.addNode('a');
    await untilTrue(world, () => world.cloud.routes?.counts.lists === lists + 1);
    // The list is in flight, and the next call is a change.
    world.set({ faults: { ...noRouteFaults, failureAfter: 1 } });
    await untilTrue(world, () => world.cloud.routes?.counts.writes === 2);
    world.set({ faults: noRouteFaults });
    await world.clock.advance(5 * second);
    assert.equal(world.cloud.routes?.counts.writes, 2);
    assert.ok((world.cloud.routes?.counts.lists ?? 0) > lists + 1);
    assert.equal(world.condition('a'), 'False RouteCreated');
    await manager.stop();
  });
});

describe('a change that the cloud applies and its lists do not show', () => {
  /** Alters what lists show of routes to instances. Without a result, they do not show the route. */
  const alterLists = (
    world: RouteWorld,
    alter: (route: Route) => readonly Route[],
  ): { isOver: boolean } => {
    const state = { isOver: false };
    const { routes } = world.cloud;
    assert.ok(routes !== undefined);
    const list = routes.list.bind(routes);
    routes.list = async (options) => {
      const { asOfMs, tables } = await list(options);
      const shown = (route: Route): readonly Route[] =>
        route.target.kind === 'instance' && !state.isOver ? alter(route) : [route];
      return {
        asOfMs,
        tables: tables.map(({ id, routes: all }) => ({ id, routes: all.flatMap(shown) })),
      };
    };
    return state;
  };

  /** Lists show routes to instances as ones that do not forward, whatever the controller does. */
  const neverReady = (world: RouteWorld): { isOver: boolean } =>
    alterLists(world, ({ target, ...route }) => [
      { ...route, target: target.kind === 'instance' ? { ...target, ready: false } : target },
    ]);

  it('is sent again less and less often, told, and over once they show it', async () => {
    const world = new RouteWorld();
    const cloud = neverReady(world);
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(10 * minute);
    const { lists = 0, writes = 0 } = world.cloud.routes?.counts ?? {};
    assert.ok(writes <= 2 + 2 * 12, `${writes} changes`);
    assert.ok(lists <= 60, `${lists} lists`);
    assert.equal(world.condition('a'), 'True NoRouteCreated');
    assert.equal(
      world.events().at(-1),
      'a: Could not replace the routes to 10.244.0.0/24 and fd00:10:244::/64 in table main: The cloud accepts the change, but does not list it.',
    );
    cloud.isOver = true;
    await world.clock.advance(minute);
    assert.equal(world.condition('a'), 'False RouteCreated');
    assert.equal(world.cloud.routes?.counts.writes, writes);
    await manager.stop();
  });

  it('marks no node and needs no event while the lists are twenty seconds late', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(minute);
    assert.equal(world.condition('a'), 'False RouteCreated');
    const cloud = neverReady(world);
    const lateUntilMs = world.clock.monotonic() + minute + 20 * second;
    while (world.clock.monotonic() < lateUntilMs) {
      await world.clock.advance(second);
      assert.equal(world.condition('a'), 'False RouteCreated');
    }
    cloud.isOver = true;
    await world.clock.advance(2 * minute);
    assert.equal(world.condition('a'), 'False RouteCreated');
    assert.deepEqual(world.events(), []);
    await manager.stop();
  });

  for (const isLost of [false, true]) {
    const how = isLost ? ', although the answer was lost' : '';
    it(`marks no node while the lists lack a route that was created again${how}`, async () => {
      const world = new RouteWorld();
      const manager = world.start();
      world.addNode('a');
      world.addNode('b');
      await world.clock.advance(minute);
      const { routes } = world.cloud;
      assert.ok(routes !== undefined);
      const ofA = new Set(blocksOf(0));
      for (const route of routes.routesOf('main').filter((one) => ofA.has(one.destination))) {
        const options = { signal: new AbortController().signal, beforeWrite: () => {} };
        const operation = { kind: 'delete', table: 'main', route: route.id } as const;
        const deleting = routes.apply([operation], options);
        await world.clock.advance(second);
        await deleting;
      }
      const cloud = alterLists(world, (route) => (ofA.has(route.destination) ? [] : [route]));
      const apply = routes.apply.bind(routes);
      if (isLost) {
        routes.apply = async (operations, options) => {
          routes.apply = apply;
          await apply(operations, options);
          return operations.map(() => ({ kind: 'unknown', err: new Error('no answer') }));
        };
      }
      while (routes.routesOf('main').length < 4) await world.clock.advance(second);
      for (let seconds = 0; seconds < 20; seconds++) {
        await world.clock.advance(second);
        assert.equal(world.condition('a'), 'False RouteCreated', `after ${seconds} s`);
      }
      cloud.isOver = true;
      await world.clock.advance(2 * minute);
      assert.equal(world.condition('a'), 'False RouteCreated');
      await manager.stop();
    });
  }

  it('marks no node while a late list lacks a route that was there before', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    world.addNode('a');
    world.addNode('b');
    await world.clock.advance(minute);
    const ofA = new Set(blocksOf(0));
    const cloud = alterLists(world, (route) => (ofA.has(route.destination) ? [] : [route]));
    for (let seconds = 0; seconds < 100; seconds++) {
      await world.clock.advance(second);
      assert.equal(world.condition('a'), 'False RouteCreated', `after ${seconds} s`);
    }
    cloud.isOver = true;
    await world.clock.advance(2 * minute);
    assert.equal(world.condition('a'), 'False RouteCreated');
    await manager.stop();
  });

  it('is sent again within seconds where another program undid it', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(minute);
    for (let times = 0; times < 3; times++) {
      const key = world.cloud.identify(providerIDOf(world));
      world.cloud.routes?.unready(key ?? '');
      await world.clock.advance(minute + second);
      assert.deepEqual(
        world.cloud.routes?.routesOf('main').map(({ target }) => target),
        [
          { kind: 'instance', key, ready: true },
          { kind: 'instance', key, ready: true },
        ],
      );
    }
    assert.deepEqual(world.events(), []);
    await manager.stop();
  });
});

describe('a change of a node', () => {
  const changes: { name: string; change: (world: RouteWorld) => void; routes: string[] }[] = [
    {
      name: 'that gives it podCIDRs',
      change: (world) => patch(world, { podCIDRs: blocksOf(3) }),
      routes: ['10.244.3.0/24 -> a', 'fd00:10:244:3::/64 -> a'],
    },
    {
      name: 'that gives it a providerID',
      change: (world) => patch(world, { podCIDRs: blocksOf(3), providerID: providerIDOf(world) }),
      routes: ['10.244.3.0/24 -> a', 'fd00:10:244:3::/64 -> a'],
    },
    { name: 'that deletes it', change: (world) => world.removeNode('a'), routes: [] },
  ];
  for (const { name, change, routes } of changes) {
    it(`${name} takes effect within a second`, async () => {
      const world = new RouteWorld();
      const manager = world.start();
      world.addNode('a', { podCIDRs: [] });
      if (name.includes('providerID')) patch(world, { providerID: undefined });
      await world.clock.advance(10 * second);
      assert.deepEqual(world.routes(), []);
      if (name.includes('deletes')) {
        patch(world, { podCIDRs: blocksOf(3) });
        await world.clock.advance(10 * second);
        assert.equal(world.routes().length, 2);
      }
      change(world);
      await world.clock.advance(second);
      assert.deepEqual(world.routes(), routes);
      await manager.stop();
    });
  }

  it('that changes its addresses takes effect within a second, if routes lead to addresses', async () => {
    const world = new RouteWorld({ targets: 'address' });
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(10 * second);
    const addresses = [
      { type: 'InternalIP', address: '10.100.9.9' },
      { type: 'InternalIP', address: 'fd00:100::9:9' },
    ];
    world.cloud.readdress('a', addresses);
    world.change('a', (node) => ({ ...node, status: { ...Object(node['status']), addresses } }));
    await world.clock.advance(second);
    const targets = world.cloud.routes?.routesOf('main').map(({ target }) => target);
    assert.deepEqual(targets, [
      { kind: 'address', address: '10.100.9.9' },
      { kind: 'address', address: 'fd00:100::9:9' },
    ]);
    await manager.stop();
  });
});

async function untilTrue(world: RouteWorld, isTrue: () => boolean): Promise<void> {
  for (let steps = 0; !isTrue(); steps++) {
    assert.ok(steps < 1_000, 'it never became true');
    await world.clock.advance(1);
  }
}

function patch(world: RouteWorld, spec: object): void {
  world.change('a', (node) => ({ ...node, spec: { ...Object(node['spec']), ...spec } }));
}

function providerIDOf(world: RouteWorld): string {
  return world.cloud.find('a')?.providerID ?? '';
}

function timerOf(clock: VirtualClock): PassTimer {
  const gatherMsMax = 500;
  return new PassTimer({ clock, gatherMsMax, newcomers: new Newcomers(clock, gatherMsMax) });
}

describe('passes over the routes', () => {
  it('begin after the period, or soon after one or many changes', async () => {
    const clock = virtualClock();
    const timer = timerOf(clock);
    const { signal } = new AbortController();
    const begun: string[] = [];
    const follow = async (): Promise<void> => {
      for (let pass = 0; pass < 3; pass++) {
        begun.push(`${await timer.next(10_000, signal)} ${clock.monotonic()}`);
      }
    };
    const following = follow();
    const startMs = clock.monotonic();
    await clock.advance(2_000);
    for (let change = 0; change < 50; change++) timer.changed();
    await clock.advance(20_200);
    await following;
    assert.deepEqual(begun, [
      `node_change ${startMs + 2_100}`,
      `periodic ${startMs + 12_100}`,
      `periodic ${startMs + 22_100}`,
    ]);
  });

  it('wait for a pause between changes, but at most half a second', async () => {
    const clock = virtualClock();
    const timer = timerOf(clock);
    const { signal } = new AbortController();
    const startMs = clock.monotonic();
    const changesAfter = async (pausesMs: readonly number[]): Promise<void> => {
      for (const pauseMs of pausesMs) {
        timer.changed();
        await clock.advance(pauseMs);
      }
    };
    const calm = timer.next(10_000, signal).then(() => clock.monotonic() - startMs);
    await changesAfter([60, 60, 60, 1_000]);
    assert.equal(await calm, 280);
    const restless = timer.next(10_000, signal).then(() => clock.monotonic() - startMs);
    await changesAfter(Array.from({ length: 20 }, () => 60));
    assert.equal(await restless, 1_180 + 500);
  });

  it('begin at random intervals of 45 to 55 s, or at the configured period', async () => {
    const listedAt = async (periodMs: { min: number; max: number }): Promise<number[]> => {
      const world = new RouteWorld();
      const manager = world.start({ settings: { periodMs } });
      await world.clock.advance(second);
      const times: number[] = [];
      for (let lists = world.cloud.routes?.counts.lists ?? 0; times.length < 20;) {
        await world.clock.advance(100);
        const now = world.cloud.routes?.counts.lists ?? 0;
        if (now > lists) times.push(world.clock.monotonic());
        lists = now;
      }
      await manager.stop();
      return times.slice(1).map((time, index) => time - (times[index] ?? 0));
    };
    const jittered = await listedAt({ min: 45_000, max: 55_000 });
    assert.ok(
      jittered.every((gapMs) => gapMs >= 44_900 && gapMs <= 55_100),
      jittered.join(),
    );
    assert.ok(new Set(jittered).size > 10, 'many clusters must not list at the same time');
    const given = await listedAt({ min: 10_000, max: 10_000 });
    assert.ok(
      given.every((gapMs) => Math.abs(gapMs - 10_000) <= 100),
      given.join(),
    );
  });

  it('are counted by outcome and trigger, changes by result, and routes by family', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    const synced = (outcome: string, trigger: string): Promise<number> =>
      manager.metric(
        `route_controller_route_sync_total{outcome="${outcome}",trigger="${trigger}"}`,
      );
    const changes = (operation: string, result: string): Promise<number> =>
      manager.metric(
        `tandem_cloud_route_operations_total{provider="simulated",operation="${operation}",result="${result}"}`,
      );
    await world.clock.advance(5 * minute);
    assert.ok((await synced('noop', 'periodic')) >= 4);
    world.addNode('a');
    await world.clock.advance(second);
    assert.equal(await synced('changed', 'node_change'), 1);
    assert.equal(await changes('create', 'applied'), 2);
    for (const family of ['IPv4', 'IPv6']) {
      assert.equal(await manager.metric(`tandem_routes_wanted{family="${family}"}`), 1);
      assert.equal(await manager.metric(`tandem_routes_present{family="${family}"}`), 1);
    }
    world.refusal = 'the account is locked';
    world.addNode('b');
    await world.clock.advance(300);
    assert.equal(await synced('error', 'node_change'), 1);
    assert.equal(await changes('create', 'refused'), 2);
    assert.equal(await manager.metric('tandem_routes_present{family="IPv4"}'), 1);
    assert.equal(await manager.metric('tandem_routes_wanted{family="IPv4"}'), 2);
    assert.equal(await manager.metric('tandem_unrouted_nodes'), 1);
    await manager.stop();
  });

  it('count as periodic if no node changed: after a failed list, or to read back changes', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    const node = 'trigger="node_change"';
    const ofNodes = async (): Promise<number[]> =>
      Promise.all(
        ['changed', 'noop', 'error'].map((outcome) =>
          manager.metric(`route_controller_route_sync_total{outcome="${outcome}",${node}}`),
        ),
      );
    world.addNode('a');
    await world.clock.advance(second);
    assert.deepEqual(await ofNodes(), [1, 0, 0]);
    world.set({ faults: { ...noRouteFaults, failure: 1 } });
    await world.clock.advance(10 * minute);
    assert.deepEqual(await ofNodes(), [1, 0, 0]);
    const failed = 'route_controller_route_sync_total{outcome="error",trigger="periodic"}';
    assert.ok((await manager.metric(failed)) > 10);
    await manager.stop();
  });
});
