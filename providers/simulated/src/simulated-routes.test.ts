import assert from 'node:assert/strict';
import { formatCidr, parseCidr } from '@tandem/core/ip';
import type { Route, RouteNode, RouteOperation, RouteOutcome } from '@tandem/provider/plug';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { noFaults, noRouteFaults, routeSettingsDefault, SimulatedCloud } from './index.ts';
import { aRoutesWorld, type RoutesWorld } from './routes.fixture.ts';

const create = (destination: string, to: RouteNode, table = 'a'): RouteOperation => ({
  kind: 'create',
  table,
  destination,
  to,
});

const textOf = (outcome: RouteOutcome): string =>
  [
    outcome.kind,
    'err' in outcome ? Reflect.get(outcome.err, 'code') : '',
    Reflect.get(outcome, 'reason') ?? '',
  ]
    .filter((text) => text !== '')
    .join(' ');

const applyTexts = async (world: RoutesWorld, ...operations: RouteOperation[]): Promise<string[]> =>
  (await world.apply(...operations)).map(textOf);

const targetsOf = async ({ list }: RoutesWorld): Promise<Route['target'][]> =>
  (await list()).flatMap(({ routes }) => routes.map(({ target }) => target));

describe('route tables of the simulated cloud', () => {
  it('exist only if the settings have some', () => {
    const options = { clock: virtualClock(), random: seededRandom('none') };
    assert.equal(new SimulatedCloud(options).routes, undefined);
    assert.deepEqual(aRoutesWorld().routes.families, ['IPv4', 'IPv6']);
  });

  it('list created routes, each in its own table, and no deleted ones', async () => {
    const world = aRoutesWorld();
    const to = world.node('n');
    const both = [create('10.0.0.0/24', to), create('fd00::/64', to, 'b')];
    assert.deepEqual(await applyTexts(world, ...both), ['applied', 'applied']);
    const target = { kind: 'instance', key: to.key, ready: true };
    const route = { id: 'r-1', ours: true, target };
    assert.deepEqual(await world.list(), [
      { id: 'a', routes: [{ ...route, destination: '10.0.0.0/24' }] },
      { id: 'b', routes: [{ ...route, destination: 'fd00::/64' }] },
    ]);
    await world.apply({ kind: 'delete', table: 'a', route: 'r-1' });
    const counts = (await world.list()).map(({ routes }) => routes.length);
    assert.deepEqual(counts, [0, 1]);
    assert.deepEqual(await applyTexts(world, create('10.0.0.0/24', to)), ['applied']);
  });

  it('show the route of a terminated instance as a blackhole until it is replaced', async () => {
    const world = aRoutesWorld();
    const [first, second] = [world.node('first'), world.node('second')];
    await world.apply(create('10.0.0.0/24', first));
    world.cloud.terminate('first');
    assert.deepEqual(await targetsOf(world), [{ kind: 'blackhole' }]);
    const replace = { kind: 'replace', table: 'a', route: 'r-1' } as const;
    assert.deepEqual(
      await applyTexts(world, { ...replace, to: first }, { ...replace, to: second }),
      ['refused SimulatedRouteRefused', 'applied'],
    );
    assert.deepEqual(await targetsOf(world), [{ kind: 'instance', key: second.key, ready: true }]);
  });

  it('show an instance that does not forward as not ready, until the route is replaced', async () => {
    const world = aRoutesWorld({ unreadyShare: 1 });
    const to = world.node('n');
    const ready = async (): Promise<boolean[]> =>
      (await targetsOf(world)).map((target) => target.kind === 'instance' && target.ready);
    await world.apply(create('10.0.0.0/24', to));
    assert.deepEqual(await ready(), [false]);
    await world.apply({ kind: 'replace', table: 'a', route: 'r-1', to });
    assert.deepEqual(await ready(), [true]);
    world.routes.unready(to.key);
    assert.deepEqual(await ready(), [false]);
  });

  it('route to addresses if the settings say so, and refuse a node without an address of the family', async () => {
    const world = aRoutesWorld({ targets: 'address' });
    const to = world.node('n');
    const single = { ...to, addresses: { IPv4: '10.9.9.9' } };
    assert.deepEqual(
      await applyTexts(world, create('fd00::/64', to), create('fd00:1::/64', single)),
      ['applied', 'refused SimulatedRouteRefused'],
    );
    world.cloud.terminate('n');
    assert.deepEqual(await targetsOf(world), [{ kind: 'address', address: to.addresses.IPv6 }]);
  });

  const quotas = [
    { capacity: 2, want: ['applied', 'applied', 'full', 'full'] },
    { capacity: { IPv4: 1 }, want: ['applied', 'applied', 'full', 'applied'] },
    { capacity: { IPv4: 1, IPv6: 1 }, want: ['applied', 'applied', 'full', 'full'] },
  ];
  for (const { capacity, want } of quotas) {
    it(`take no more than their quota of ${JSON.stringify(capacity)}`, async () => {
      const world = aRoutesWorld({ tables: [{ id: 'a', capacity }] });
      const to = world.node('n');
      const destinations = ['10.0.0.0/24', 'fd00::/64', '10.0.1.0/24', 'fd00:1::/64'];
      const texts = await applyTexts(world, ...destinations.map((text) => create(text, to)));
      const full = 'refused SimulatedTableFull tableFull';
      assert.deepEqual(
        texts,
        want.map((text) => (text === 'full' ? full : text)),
      );
    });
  }

  it('keep foreign routes, which count against the quota, occupy their destination and cannot be changed', async () => {
    const world = aRoutesWorld({ tables: [{ id: 'a', capacity: 3 }] });
    const to = world.node('n');
    const foreign = [
      world.routes.addForeign('a', 'FD00::0/64'),
      world.routes.addForeign('a', 'pl-1a2b3c4d'),
    ];
    assert.deepEqual(
      await applyTexts(
        world,
        create('fd00::/64', to),
        { kind: 'delete', table: 'a', route: 'r-1' },
        { kind: 'replace', table: 'a', route: 'r-2', to },
        create('10.0.0.0/24', to),
        create('10.0.1.0/24', to),
      ),
      [
        'refused SimulatedRouteExists exists',
        'refused SimulatedRouteRefused',
        'refused SimulatedRouteRefused',
        'applied',
        'refused SimulatedTableFull tableFull',
      ],
    );
    assert.deepEqual((await world.list())[0]?.routes.slice(0, 2), foreign);
    assert.deepEqual(
      foreign.map(({ destination, ours }) => [destination, ours]),
      [
        ['fd00::/64', false],
        ['pl-1a2b3c4d', false],
      ],
    );
  });

  it('keep the routes of an earlier manager, as blackholes when their instance is gone', async () => {
    const world = aRoutesWorld({ tables: [{ id: 'a' }] });
    const { key } = world.node('n');
    const left = [
      world.routes.addLeftover('a', '10.0.0.0/24', key),
      world.routes.addLeftover('a', 'fd00::/64', 'i-gone'),
    ];
    assert.deepEqual((await world.list())[0]?.routes, left);
    assert.deepEqual(
      left.map(({ ours, target }) => [ours, target.kind]),
      [
        [true, 'instance'],
        [true, 'blackhole'],
      ],
    );
    assert.deepEqual(world.routes.find('a', 'r-2'), left[1]);
    assert.deepEqual(await applyTexts(world, { kind: 'delete', table: 'a', route: 'r-2' }), [
      'applied',
    ]);
    assert.equal(world.routes.find('a', 'r-2'), undefined);
  });

  it('are listed empty as often as the settings say', async () => {
    const world = aRoutesWorld({ emptyShare: 0.5 });
    world.routes.addForeign('a', '10.0.0.0/24');
    world.routes.addForeign('b', '10.0.0.0/24');
    const counts = new Set<string>();
    for (let times = 0; times < 20; times++) {
      counts.add((await world.list()).map(({ routes }) => routes.length).join());
    }
    assert.deepEqual([...counts].toSorted(), ['0,0', '1,1']);
  });

  it('are listed without a target as often as the settings say, and stay unchanged', async () => {
    const world = aRoutesWorld({ unreadShare: 0.5 });
    const { key } = world.node('n');
    const route = world.routes.addLeftover('a', '10.0.0.0/24', key);
    const kinds = new Set<string>();
    for (let times = 0; times < 20; times++) {
      for (const { kind } of await targetsOf(world)) kinds.add(kind);
    }
    assert.deepEqual([...kinds].toSorted(), ['instance', 'unknown']);
    assert.deepEqual(world.routes.find('a', route.id), route);
  });

  it('refuse invalid operations', async () => {
    const world = aRoutesWorld({ families: ['IPv4'] });
    const to = world.node('n');
    const nonsense: RouteOperation[] = [
      create('10.0.0.0/24', to, 'none'),
      create('10.0.0.1/24', to),
      create('fd00::/64', to),
      create('10.0.0.0/24', { ...to, key: 'i-none' }),
      { kind: 'delete', table: 'a', route: 'r-none' },
    ];
    const texts = await applyTexts(world, ...nonsense);
    assert.deepEqual(
      texts,
      nonsense.map(() => 'refused SimulatedRouteRefused'),
    );
    assert.deepEqual(await world.list(), [
      { id: 'a', routes: [] },
      { id: 'b', routes: [] },
    ]);
  });

  it('spell IPv6 in several ways that mean the same CIDR', async () => {
    const world = aRoutesWorld({ spellsOddly: true });
    await world.apply(create('fd00:ab::/64', world.node('n')));
    const spellings = new Set<string>();
    for (let times = 0; times < 40; times++) {
      for (const { destination } of (await world.list())[0]?.routes ?? [])
        spellings.add(destination);
    }
    assert.equal(spellings.size, 4, [...spellings].join(' '));
    for (const text of spellings) {
      const parsed = parseCidr(text);
      assert.equal(parsed.kind === 'cidr' && formatCidr(parsed.cidr), 'fd00:ab::/64');
    }
  });

  it('throttle requests above their rate, and refuse the rest of the batch without requests', async () => {
    const world = aRoutesWorld({ requestsPerSecond: 2 });
    const to = world.node('n');
    const outcomes = await world.apply(
      ...['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24', '10.0.3.0/24'].map((text) =>
        create(text, to),
      ),
    );
    assert.deepEqual(outcomes.map(textOf), [
      'applied',
      'applied',
      'refused SimulatedThrottling',
      'refused SimulatedThrottling',
    ]);
    assert.deepEqual(world.routes.counts, { lists: 0, applies: 1, writes: 3, throttled: 1 });
    await assert.rejects(world.list(), { code: 'SimulatedThrottling', retry: { afterMs: 2_000 } });
    await world.clock.advance(2_000);
    assert.equal((await world.list())[0]?.routes.length, 2);
  });

  const faultCases = [
    { fault: 'failure', want: 'unknown', routes: 0 },
    { fault: 'failureAfter', want: 'unknown', routes: 1 },
    { fault: 'lostBefore', want: 'lost', routes: 0 },
    { fault: 'lostAfter', want: 'lost', routes: 1 },
  ] as const;
  for (const { fault, want, routes } of faultCases) {
    it(`${want === 'lost' ? 'never answer' : 'answer unknown'} under the fault ${fault}, with ${routes} routes written`, async () => {
      const world = aRoutesWorld({ latencyMs: { min: 10, max: 50 } });
      const to = world.node('n');
      world.set({ faults: { ...noRouteFaults, [fault]: 1 } });
      const controller = new AbortController();
      const { signal } = controller;
      const applying = world.routes
        .apply([create('10.0.0.0/24', to)], { signal, beforeWrite: () => {} })
        .then(
          ([outcome]) => outcome?.kind,
          () => 'lost',
        );
      await world.clock.runAll();
      const listing = world.routes.list({ signal }).then(
        () => 'listed',
        () => 'not listed',
      );
      await world.clock.runAll();
      controller.abort(new Error('the deadline'));
      assert.equal(await applying, want);
      assert.equal(await listing, 'not listed');
      assert.equal(world.routes.routesOf('a').length, routes);
    });
  }

  it('change nothing when the write gate is closed or the credentials are refused', async () => {
    const world = aRoutesWorld();
    const to = world.node('n');
    const { signal } = new AbortController();
    const beforeWrite = (): void => {
      throw new Error('no longer leads');
    };
    const forbidden = world.routes.apply([create('10.0.0.0/24', to)], { signal, beforeWrite });
    await assert.rejects(forbidden, /no longer leads/);
    assert.equal(world.routes.counts.writes, 0);
    world.cloud.set({ refusesCredentials: true });
    await assert.rejects(world.list(), { code: 'SimulatedCredentialsRefused' });
    assert.deepEqual(world.routes.routesOf('a'), []);
  });

  it('have the same outcomes with the same seed, and do not affect the faults of look-ups', async () => {
    const faults = { throttle: 0.2, failure: 0.2, failureAfter: 0.2, lostBefore: 0, lostAfter: 0 };
    const trace = async (seed: string): Promise<string[]> => {
      const world = aRoutesWorld({ faults, latencyMs: { min: 1, max: 90 } }, seed);
      const to = world.node('n');
      const texts: string[] = [];
      for (let number = 0; number < 30; number++) {
        const outcomes = await world.apply(create(`10.0.${number}.0/24`, to));
        texts.push(`${world.clock.monotonic()} ${outcomes.map(textOf).join()}`);
      }
      return texts;
    };
    assert.deepEqual(await trace('one'), await trace('one'));
    assert.notDeepEqual(await trace('one'), await trace('two'));

    const lookUps = async (tables: readonly { readonly id: string }[]): Promise<number> => {
      const clock = virtualClock();
      const cloud = new SimulatedCloud({
        clock,
        random: seededRandom('look-ups'),
        settings: {
          routes: { ...routeSettingsDefault, tables },
          faults: { ...noFaults, failure: 0.5 },
        },
      });
      const { signal } = new AbortController();
      let failures = 0;
      for (let times = 0; times < 50; times++) {
        await cloud.routes?.list({ signal });
        await cloud.lookup([], { maxAgeMs: 0, signal }).catch(() => failures++);
      }
      return failures;
    };
    assert.equal(await lookUps([]), await lookUps([{ id: 'a' }]));
  });
});
