/** Tests routes with the real SDK against the fake of EC2. */
import assert from 'node:assert/strict';
import { formatCidr } from '@tandem/core/ip';
import type {
  NodeRef,
  RouteNode,
  RouteOperation,
  RouteOutcome,
  Routes,
  RouteTarget,
} from '@tandem/provider/plug';
import { RouteTables } from '@tandem/provider/routes';
import { createMetrics } from '@tandem/runtime';
import {
  anInstance,
  anInterface,
  aTable,
  type FakeRoute,
  throttled,
  withInstance,
  withTable,
} from '../../../../test/support/ec2/index.ts';
import { type AWSWorld, dualStackConfig, openAWSWorld } from '../aws.fixture.ts';

const { signal } = new AbortController();
const table = aTable(1);
const [ipv4, ipv6] = ['10.244.1.0/24', 'fd00:10:244:1::/64'];

describe('routes on AWS', () => {
  let world: AWSWorld;
  let routes: Routes;
  beforeEach(async () => {
    await openWith(dualStackConfig);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const openWith = async (config: string): Promise<void> => {
    world = await openAWSWorld(config);
    routes = world.provider.routes ?? assert.fail('the provider has no routes');
    world.ec2.state = withTable(world.ec2.state, table);
    put(anInstance(1), anInstance(2));
  };
  const put = (...instances: readonly ReturnType<typeof anInstance>[]): void => {
    for (const one of instances) world.ec2.state = withInstance(world.ec2.state, one);
  };
  const putRoutes = (...list: readonly FakeRoute[]): void => {
    world.ec2.state = withTable(world.ec2.state, { ...table, routes: list });
  };
  const apply = async (
    ...operations: readonly RouteOperation[]
  ): Promise<readonly RouteOutcome[]> =>
    routes.apply(operations, { signal, beforeWrite: () => {} });
  const listed = async (): Promise<[string, boolean, RouteTarget][]> => {
    const { tables } = await routes.list({ signal });
    return tables.flatMap((one) =>
      one.routes.map(({ destination, ours, target }): [string, boolean, RouteTarget] => [
        destination,
        ours,
        target,
      ]),
    );
  };
  const countOf = (action: string): number =>
    world.ec2.calls.filter((called) => called === action).length;

  it('take one call each, one more for each interface, and none for instances that look-ups have read', async () => {
    const nodes = [aRef(1), aRef(2)];
    const refs = nodes.map(({ key }) => aNodeRef(key));
    await world.provider.lookup(refs, { maxAgeMs: 0, signal });
    world.ec2.calls.length = 0;
    const operations = nodes.flatMap((to, index) => [
      create(`10.244.${index}.0/24`, to),
      create(`fd00:10:244:${index}::/64`, to),
    ]);
    const outcomes = await apply(...operations);
    assert(outcomes.every(({ kind }) => kind === 'applied'));
    assert.deepEqual(
      [countOf('CreateRoute'), countOf('ModifyNetworkInterfaceAttribute'), world.ec2.calls.length],
      [4, 2, 6],
    );
    await routes.list({ signal });
    await routes.list({ signal });
    assert.deepEqual([countOf('DescribeRouteTables'), world.ec2.calls.length], [2, 8]);
  });

  it('are as old as the call that read them', async () => {
    const beganMs = world.clock.monotonic();
    const listing = routes.list({ signal });
    await world.clock.advance(1_000);
    assert.equal((await listing).asOfMs, beganMs);
  });

  it('are not ready while the interface checks source and destination, or when it is not the primary one', async () => {
    const target = { kind: 'instance', key: anInstance(1).id };
    putRoutes({ destination: ipv4, target: { interfaceId: interfaceOf(1) } });
    assert.deepEqual(await listed(), [[ipv4, true, { ...target, ready: false }]]);
    await apply({ kind: 'replace', table: table.id, route: ipv4, to: aRef(1) });
    assert.deepEqual(await listed(), [[ipv4, true, { ...target, ready: true }]]);
    const second = anInterface(9, { device: 1, sourceDestCheck: false });
    put(anInstance(1, { interfaces: [...anInstance(1).interfaces, second] }));
    putRoutes({ destination: ipv4, target: { interfaceId: second.id } });
    assert.deepEqual(await listed(), [[ipv4, true, { ...target, ready: false }]]);
  });

  it('stay ready while look-ups are late to show that an interface forwards, which is changed once', async () => {
    const before = world.ec2.state;
    await apply(create(ipv4, aRef(1)));
    world.ec2.readsFrom = before;
    await world.provider.lookup([aNodeRef(anInstance(1).id)], { maxAgeMs: 0, signal });
    world.ec2.readsFrom = undefined;
    const target = { kind: 'instance', key: anInstance(1).id };
    assert.deepEqual(await listed(), [[ipv4, true, { ...target, ready: true }]]);
    await apply(create(ipv6, aRef(1)));
    assert.equal(countOf('ModifyNetworkInterfaceAttribute'), 1);
    // Another program turns the check on again.
    put(anInstance(1));
    await world.clock.advance(60_000);
    await world.provider.lookup([aNodeRef(anInstance(1).id)], { maxAgeMs: 0, signal });
    assert.deepEqual((await listed())[0], [ipv4, true, { ...target, ready: false }]);
  });

  it('are unknown when something else answers a call in place of EC2', async () => {
    const fault = { kind: 'garbage', body: '<html><body>Sign in</body></html>' } as const;
    const applyBehind = async (action: string, operation: RouteOperation): Promise<void> => {
      world.ec2.nextFaults.push({ action, fault });
      const [outcome] = await apply(operation);
      assert(outcome?.kind === 'unknown', action);
      const want = `${action} of EC2 failed: not an answer of EC2: Check the endpoint and the proxy`;
      assert.equal(outcome.err.message, want);
    };
    const one = create(ipv4, aRef(1));
    await applyBehind('ModifyNetworkInterfaceAttribute', one);
    await applyBehind('CreateRoute', one);
    assert.deepEqual(await apply(one), [{ kind: 'applied' }]);
    const standing = { table: table.id, route: ipv4 };
    await applyBehind('ReplaceRoute', { kind: 'replace', ...standing, to: aRef(1) });
    await applyBehind('DeleteRoute', { kind: 'delete', ...standing });
    assert.equal(countOf('ModifyNetworkInterfaceAttribute'), 2);
  });

  it('are ours if EC2 calls them blackholes, unless an instance that it shows is not ours', async () => {
    const stopped = { ...anInstance(2), state: 'stopped', tags: {} } as const;
    const { id } = anInstance(3);
    put(stopped);
    putRoutes(
      { destination: '10.244.1.0/24', target: { gatewayId: 'pcx-1' }, isBlackhole: true },
      { destination: '10.244.2.0/24', target: { interfaceId: interfaceOf(2) } },
      { destination: '10.244.3.0/24', target: { interfaceId: interfaceOf(3) }, goneInstanceId: id },
    );
    assert.deepEqual(await listed(), [
      ['10.244.1.0/24', true, { kind: 'blackhole' }],
      ['10.244.2.0/24', false, { kind: 'instance', key: stopped.id, ready: false }],
      ['10.244.3.0/24', true, { kind: 'blackhole' }],
    ]);
  });

  it('are not ours if EC2 calls them blackholes while it cannot show their instances (P3)', async () => {
    const stopped = { ...anInstance(2), state: 'stopped', tags: {} } as const;
    put(stopped);
    putRoutes({ destination: ipv4, target: { interfaceId: interfaceOf(2) } });
    world.ec2.zonesDown.add(stopped.zone);
    const [route] = (await world.provider.routes?.list({ signal }))?.tables[0]?.routes ?? [];
    assert.deepEqual([route?.ours, route?.target.kind], [false, 'unknown']);
    world.ec2.zonesDown.clear();
    const target = { kind: 'instance', key: stopped.id, ready: false };
    assert.deepEqual(await listed(), [[ipv4, false, target]]);
  });

  it('are ours if they lead to an instance of the cluster, or are blackholes', async () => {
    put(anInstance(2, { tags: { 'kubernetes.io/cluster/green': 'owned' } }));
    const gone = anInstance(3);
    put(gone);
    putRoutes(
      { destination: '10.244.1.0/24', target: { interfaceId: interfaceOf(1) } },
      { destination: '10.244.2.0/24', target: { interfaceId: interfaceOf(2) } },
      { destination: '10.244.3.0/24', target: { interfaceId: interfaceOf(3) } },
      { destination: '0.0.0.0/0', target: { gatewayId: 'igw-1' } },
    );
    put({ ...gone, state: 'terminated' });
    const instance = (number: number): object => ({
      kind: 'instance',
      key: anInstance(number).id,
      ready: false,
    });
    assert.deepEqual(await listed(), [
      ['10.244.1.0/24', true, instance(1)],
      ['10.244.2.0/24', false, instance(2)],
      ['10.244.3.0/24', true, { kind: 'blackhole' }],
      ['0.0.0.0/0', false, { kind: 'other' }],
    ]);
  });

  it('exclude those to prefix lists, and are not ours if they lead to the VPC or to a gateway', async () => {
    putRoutes(
      { destination: '10.0.0.0/16', target: { gatewayId: 'local' } },
      { destination: '2001:db8::/56', target: { gatewayId: 'local' } },
      { destination: 'pl-63a5400a', target: { gatewayId: 'vpce-1' } },
      { destination: '::/0', target: { gatewayId: 'eigw-1' } },
      { destination: ipv4, target: { interfaceId: interfaceOf(1) } },
    );
    const target = { kind: 'instance', key: anInstance(1).id, ready: false };
    assert.deepEqual(await listed(), [
      ['10.0.0.0/16', false, { kind: 'other' }],
      ['2001:db8::/56', false, { kind: 'other' }],
      ['::/0', false, { kind: 'other' }],
      [ipv4, true, target],
    ]);
  });

  it('exclude those that a gateway or a route server propagates, which EC2 counts apart', async () => {
    const onPremises: FakeRoute[] = [
      {
        destination: ipv4,
        target: { gatewayId: 'vgw-1' },
        propagation: 'EnableVgwRoutePropagation',
      },
      { destination: ipv4, target: { gatewayId: 'igw-1' }, propagation: 'Advertisement' },
    ];
    const routesMax = 1;
    world.ec2.state = withTable(world.ec2.state, { ...table, routesMax, routes: onPremises });
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await apply(create(ipv4, aRef(1))), [{ kind: 'applied' }]);
    const target = { kind: 'instance', key: anInstance(1).id, ready: true };
    assert.deepEqual(await listed(), [[ipv4, true, target]]);
  });

  it('are re-pointed and deleted as networks, however EC2 spells their destinations', async () => {
    const spelt = ['10.244.1.7/24', 'fd00:10:244:2:0:0:0:0/64'] as const;
    const target = { interfaceId: interfaceOf(2) };
    putRoutes(...spelt.map((destination) => ({ destination, target })));
    const { provider, clock } = world;
    const routeTables = new RouteTables({ provider, routes, clock, metrics: createMetrics() });
    const listing = await routeTables.list(signal);
    assert(listing.kind === 'listed');
    const [replaced, deleted] = listing.tables[0]?.routes ?? [];
    assert(replaced?.destination && deleted?.destination);
    const values = [replaced.destination, deleted.destination].map(formatCidr);
    assert.deepEqual(values, ['10.244.1.0/24', 'fd00:10:244:2::/64']);
    await apply(
      { kind: 'replace', table: table.id, route: replaced.id, to: aRef(1) },
      { kind: 'delete', table: table.id, route: deleted.id },
    );
    const right = { kind: 'instance', key: anInstance(1).id, ready: true };
    assert.deepEqual(await listed(), [['10.244.1.0/24', true, right]]);
  });

  it('are listed during the outage of a zone if they lead to instances of other zones', async () => {
    putRoutes({ destination: ipv4, target: { interfaceId: interfaceOf(1) } });
    world.ec2.zonesDown.add('eu-west-1b');
    const target = { kind: 'instance', key: anInstance(1).id, ready: false };
    assert.deepEqual(await listed(), [[ipv4, true, target]]);
  });

  it('have an unknown target and are not ours while EC2 does not show their instance (P3)', async () => {
    put(anInstance(2, { zone: 'eu-west-1b' }));
    putRoutes(
      { destination: '10.244.1.0/24', target: { interfaceId: interfaceOf(1) } },
      { destination: '10.244.2.0/24', target: { interfaceId: interfaceOf(2) } },
    );
    const instance = (number: number): object => ({
      kind: 'instance',
      key: anInstance(number).id,
      ready: false,
    });
    await world.provider.lookup([aNodeRef(anInstance(1).id)], { maxAgeMs: 0, signal });
    world.ec2.zonesDown.add('eu-west-1b');
    const [healthy, dark] = await listed();
    assert.deepEqual(healthy, ['10.244.1.0/24', true, instance(1)]);
    assert.deepEqual([dark?.[0], dark?.[1], dark?.[2].kind], ['10.244.2.0/24', false, 'unknown']);
    world.ec2.zonesDown.clear();
    assert.deepEqual((await listed())[1], ['10.244.2.0/24', true, instance(2)]);
  });

  it('have an unknown target while EC2 shows no interface of their instance, and are looked up again later (I7)', async () => {
    const interfaces = [{ ...anInterface(3), status: 'attaching' as const }];
    put(anInstance(3, { interfaces }));
    putRoutes({ destination: ipv4, target: { interfaceId: interfaces[0]?.id ?? '' } });
    assert.equal((await listed())[0]?.[2].kind, 'unknown');
    const calls = countOf('DescribeInstances');
    assert.equal((await listed())[0]?.[2].kind, 'unknown');
    assert.equal(countOf('DescribeInstances'), calls);
    put(anInstance(3, { interfaces: [anInterface(3)] }));
    await world.clock.advance(300_000);
    assert.equal((await listed())[0]?.[2].kind, 'instance');
  });

  it('cannot be listed when EC2 refuses to show their instances', async () => {
    putRoutes({ destination: ipv4, target: { interfaceId: interfaceOf(1) } });
    world.ec2.denied.add('DescribeInstances');
    await assert.rejects(listed(), { code: 'EC2AccessRefused' });
  });

  it('lead to an existing instance although a filter does not find it (P3)', async () => {
    putRoutes({ destination: ipv4, target: { interfaceId: interfaceOf(1) } });
    world.ec2.hasEmptyFilters = true;
    const target = { kind: 'instance', key: anInstance(1).id, ready: false };
    assert.deepEqual(await listed(), [[ipv4, true, target]]);
  });

  it('are refused as existing after the answer to their creation was lost', async () => {
    world.ec2.nextFaults.push({ action: 'CreateRoute', fault: { kind: 'lose' } });
    const [lost] = await apply(create(ipv6, aRef(1)));
    assert.equal(lost?.kind, 'unknown');
    const [again] = await apply(create(ipv6, aRef(1)));
    assert(again?.kind === 'refused');
    assert.equal(again.reason, 'exists');
    const target = { kind: 'instance', key: anInstance(1).id, ready: true };
    assert.deepEqual(await listed(), [[ipv6, true, target]]);
    const remove: RouteOperation = { kind: 'delete', table: table.id, route: ipv6 };
    assert.deepEqual(await apply(remove, remove), [{ kind: 'applied' }, { kind: 'applied' }]);
  });

  it('are refused one by one, with the time to wait if EC2 throttles', async () => {
    const unknown = { key: 'i-00000000000000fff', name: 'node', addresses: {} };
    const [first, second, third] = await apply(
      create('10.244.1.0/24', aRef(1)),
      create('10.244.2.0/24', unknown),
      create('10.244.3.0/24', aRef(2)),
    );
    assert.equal(first?.kind, 'applied');
    assert(second?.kind === 'refused');
    assert.match(second.err.message, /no network interface of i-00000000000000fff.* of node node/);
    assert.equal(third?.kind, 'applied');
    world.ec2.nextFaults.push({ action: 'CreateRoute', fault: throttled });
    const [route] = ['10.244.1.0/24'];
    const outcomes = await apply(
      create('10.244.4.0/24', aRef(1)),
      create('10.244.5.0/24', aRef(2)),
      { kind: 'delete', table: table.id, route },
    );
    // The second one is not sent, because EC2 would throttle it, too.
    assert.deepEqual(
      outcomes.map((outcome) => outcome.kind === 'refused' && Reflect.get(outcome.err, 'retry')),
      [{ afterMs: 5_000 }, { afterMs: 5_000 }, false],
    );
    assert.equal(world.ec2.calls.filter((action) => action === 'CreateRoute').length, 3);
  });

  it('are deleted while EC2 refuses to show instances, and new ones are refused with the reason', async () => {
    await apply(create('10.244.1.0/24', aRef(1)));
    world.ec2.denied.add('DescribeInstances');
    const unread = { key: anInstance(9).id, name: 'node', addresses: {} };
    const [created, deleted] = await apply(create('10.244.9.0/24', unread), {
      kind: 'delete',
      table: table.id,
      route: '10.244.1.0/24',
    });
    assert(created?.kind === 'refused');
    assert.match(created.err.message, /^EC2 refuses DescribeInstances: UnauthorizedOperation/);
    assert.equal(deleted?.kind, 'applied');
  });

  it('are unknown, not refused, during an outage in which EC2 does not show their instances', async () => {
    put(anInstance(9));
    world.ec2.zonesDown.add(anInstance(9).zone);
    const unread = { key: anInstance(9).id, name: 'node', addresses: {} };
    const [created] = await apply(create('10.244.9.0/24', unread));
    assert(created?.kind === 'unknown');
    assert.match(created.err.message, /^DescribeInstances of EC2 failed: /);
    assert(!world.ec2.calls.includes('CreateRoute'));
  });

  describe('in tables', () => {
    const reopen = async (lines: string): Promise<void> => {
      await world[Symbol.asyncDispose]();
      await openWith(`${dualStackConfig}${lines}`);
    };
    const idsOf = async (): Promise<string[]> =>
      (await routes.list({ signal })).tables.map(({ id }) => id);

    it('that have the tag of the cluster, if the configuration names none', async () => {
      const other = aTable(2, { tags: { 'kubernetes.io/cluster/green': 'owned' } });
      const legacy = aTable(3, { tags: { KubernetesCluster: 'blue' } });
      for (const one of [other, legacy]) world.ec2.state = withTable(world.ec2.state, one);
      assert.deepEqual(await idsOf(), [table.id, legacy.id]);
    });

    it('that EC2 lists on several pages', async () => {
      world.ec2.state = withTable(world.ec2.state, aTable(2));
      world.ec2.pageSizeMax = 1;
      assert.deepEqual(await idsOf(), [table.id, aTable(2).id]);
    });

    it('that the configuration names, with or without a tag', async () => {
      await reopen(`RouteTableID=${aTable(2).id}\nRouteTableID=${table.id}\n`);
      world.ec2.state = withTable(world.ec2.state, aTable(2, { tags: {} }));
      assert.deepEqual(await idsOf(), [table.id, aTable(2).id]);
    });

    it('that cannot be used lead to an error with their name', async () => {
      world.ec2.state = withTable(world.ec2.state, { ...table, tags: {} });
      const code = 'AWSRouteTableUnknown';
      await assert.rejects(idsOf(), {
        code,
        message: /has the tag kubernetes\.io\/cluster\/blue$/,
      });
      await reopen(`RouteTableID=${aTable(2).id}\n`);
      const id = aTable(2).id;
      await assert.rejects(idsOf(), { code, message: new RegExp(`${id} does not exist$`) });
      const tags = { 'kubernetes.io/cluster/green': 'owned' };
      world.ec2.state = withTable(world.ec2.state, aTable(2, { tags }));
      await assert.rejects(idsOf(), {
        code,
        message: new RegExp(`${id} has the tag of cluster green$`),
      });
    });
  });

  it('have the maximum capacity of EC2, or for a while the limit that a refusal showed', async () => {
    const capacity = async (): Promise<unknown> =>
      (await routes.list({ signal })).tables[0]?.capacity;
    const gateway = { destination: '0.0.0.0/0', target: { gatewayId: 'igw-1' } };
    world.ec2.state = withTable(world.ec2.state, { ...table, routesMax: 2, routes: [gateway] });
    assert.deepEqual(await capacity(), { IPv4: 1_000, IPv6: 1_000 });
    // The deletion comes after the refusal, so it does not affect the limit.
    const outcomes = await apply(
      create(ipv4, aRef(1)),
      create('10.244.2.0/24', aRef(2)),
      { kind: 'delete', table: table.id, route: ipv4 },
      create(ipv6, aRef(1)),
    );
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.reason : outcome.kind)),
      ['applied', 'tableFull', 'applied', 'applied'],
    );
    assert.deepEqual(await capacity(), { IPv4: 2, IPv6: 1_000 });
    await world.clock.advance(600_000);
    assert.deepEqual(await capacity(), { IPv4: 1_000, IPv6: 1_000 });
  });

  it('forget a limit that the table exceeds', async () => {
    const routesOf = (count: number): FakeRoute[] =>
      Array.from({ length: count }, (_, index) => ({
        destination: `10.${index >> 8}.${index & 255}.0/24`,
        target: { gatewayId: 'igw-1' },
      }));
    const capacity = async (count: number): Promise<unknown> => {
      world.ec2.state = withTable(world.ec2.state, {
        ...table,
        routesMax: 1,
        routes: routesOf(count),
      });
      return (await routes.list({ signal })).tables[0]?.capacity;
    };
    await capacity(1);
    const [outcome] = await apply(create(ipv4, aRef(1)));
    assert.equal(outcome?.kind, 'refused');
    assert.deepEqual(await capacity(1), { IPv4: 1, IPv6: 1_000 });
    assert.deepEqual(await capacity(2), { IPv4: 1_000, IPv6: 1_000 });
    // The table has more routes than the known maximum, so its limit is unknown.
    assert.deepEqual(await capacity(1_001), { IPv6: 1_000 });
  });

  it('name the action that the policy lacks', async () => {
    world.ec2.denied.add('ModifyNetworkInterfaceAttribute');
    const [outcome] = await apply(create(ipv4, aRef(1)));
    assert(outcome?.kind === 'refused');
    assert.match(outcome.err.message, /^EC2 refuses ModifyNetworkInterfaceAttribute: Unauthorized/);
    assert.equal(countOf('CreateRoute'), 0);
  });
});

function create(destination: string, to: RouteNode): RouteOperation {
  return { kind: 'create', table: table.id, destination, to };
}

function aRef(number: number): RouteNode {
  return { key: anInstance(number).id, name: `node-${number}`, addresses: {} };
}

function interfaceOf(number: number): string {
  return anInstance(number).interfaces[0]?.id ?? '';
}

function aNodeRef(instanceId: string): NodeRef {
  return { name: instanceId, uid: '', providerID: instanceId, labels: {}, systemUUID: '' };
}
