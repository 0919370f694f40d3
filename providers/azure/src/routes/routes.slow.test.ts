/** Tests routes with the real SDKs against the fake of Azure. */
import assert from 'node:assert/strict';
import type {
  NodeRef,
  RouteNode,
  RouteOperation,
  RouteOutcome,
  Routes,
} from '@tandem/provider/plug';
import {
  aMachine,
  anInterface,
  aRoute,
  ArmError,
  aTable,
  type FakeTable,
  keyOf,
  tableId,
  throttled,
  withMachine,
  withoutResourceGroup,
  withTable,
} from '../../../../test/support/arm/index.ts';
import { type AzureWorld, openAzureWorld, turn, whileTimePasses } from '../azure.fixture.ts';

const { signal } = new AbortController();
const openGate = { signal, beforeWrite: () => {} };
const changed = new ArmError('PreconditionFailed', 'The ETag does not match.', { status: 412 });

describe('routes on Azure', () => {
  let world: AzureWorld;
  beforeEach(async () => {
    world = await openAzureWorld();
    put(aTable());
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const put = (table: FakeTable): void => {
    world.azure.arm.state = withTable(world.azure.arm.state, table);
  };
  const stored = () =>
    world.azure.arm.state.tables.get(keyOf(tableId(aTable()))) ?? assert.fail('no table');
  const names = (): string[] =>
    stored()
      .routes.map(({ name }) => name)
      .toSorted();
  const routes = (): Routes => world.provider.routes ?? assert.fail('no routes');
  const apply = (...operations: readonly RouteOperation[]): Promise<readonly RouteOutcome[]> =>
    routes().apply(operations, openGate);
  const list = () => routes().list({ signal });
  const callsOf = (pattern: RegExp): number =>
    world.azure.arm.calls.filter((name) => pattern.test(name)).length;

  it('of a hundred nodes in both families take one write, and no read beyond the lists', async () => {
    await list();
    const operations = Array.from({ length: 100 }, (_, index) => [
      create(`10.244.${index}.0/24`, nodeOf(index)),
      create(`fd00:10:244:${index + 1}::/64`, nodeOf(index)),
    ]).flat();
    assert((await apply(...operations)).every(({ kind }) => kind === 'applied'));
    const { tables } = await list();
    assert.equal(tables[0]?.routes.length, 200);
    assert.equal(callsOf(/^routeTables.get$/), 2);
    assert.equal(callsOf(/^routeTables.createOrUpdate$/), 1);
    const [request] = world.azure.arm.requests.filter(({ method }) => method === 'PUT');
    assert(request?.headers['if-match']);
  });

  it('leave the rest of the table unchanged', async () => {
    const foreign = [aRoute('firewall', '0.0.0.0/0', '10.0.0.254'), aRoute('drop', '192.0.2.0/24')];
    put(
      aTable('blue', {
        routes: foreign,
        tags: { owner: 'network team' },
        disableBgpRoutePropagation: true,
        disablePeeringRoute: 'All',
      }),
    );
    await apply(create('10.244.1.0/24', nodeOf(1)));
    const { routes: now, tags, disableBgpRoutePropagation, disablePeeringRoute } = stored();
    assert.deepEqual(now.slice(0, 2), foreign);
    assert.equal(now[2]?.name, 'worker-1____102441024');
    assert.deepEqual(tags, { owner: 'network team' });
    assert.deepEqual([disableBgpRoutePropagation, disablePeeringRoute], [true, 'All']);
  });

  it('of worker-10 stay when those of worker-1 are deleted', async () => {
    await apply(create('10.244.1.0/24', nodeOf(1)), create('10.244.10.0/24', nodeOf(10)));
    await apply({ kind: 'delete', table: 'blue', route: 'worker-1____102441024' });
    assert.deepEqual(names(), ['worker-10____1024410024']);
  });

  it('that another program wrote meanwhile are kept: the batch is merged again', async () => {
    await list();
    put(aTable('blue', { routes: [aRoute('firewall', '0.0.0.0/0', '10.0.0.254')] }));
    const [outcome] = await apply(create('10.244.1.0/24', nodeOf(1)));
    assert.equal(outcome?.kind, 'applied');
    assert.deepEqual(names(), ['firewall', 'worker-1____102441024']);
    assert.equal(callsOf(/^routeTables.get$/), 2);
    assert.equal(callsOf(/^routeTables.createOrUpdate$/), 2);
  });

  it('are unknown, not refused, after three attempts when the table changes before every write', async () => {
    world.azure.arm.faults.set('routeTables.createOrUpdate', { kind: 'refuse', error: changed });
    const [outcome] = await apply(create('10.244.1.0/24', nodeOf(1)));
    assert(outcome?.kind === 'unknown');
    assert.equal(Reflect.get(outcome.err, 'code'), 'AzureRouteTableChanged');
    assert.equal(callsOf(/^routeTables.createOrUpdate$/), 3);
    assert.equal(callsOf(/^routeTables.get$/), 3);
  });

  it('with legacy names are recognized by their nodes, and get a new name when repaired', async () => {
    put(
      aTable('blue', {
        routes: [
          aRoute('worker-1', '10.244.1.0/24', '10.0.0.99'),
          aRoute('mine', '10.244.9.0/24', '10.0.0.9'),
        ],
      }),
    );
    await world.provider.lookup([aNode(1)], { maxAgeMs: 0, signal });
    const { tables } = await list();
    assert.deepEqual(tables[0]?.routes, [
      {
        id: 'worker-1',
        destination: '10.244.1.0/24',
        ours: true,
        target: { kind: 'address', address: '10.0.0.99' },
      },
      {
        id: 'mine',
        destination: '10.244.9.0/24',
        ours: false,
        target: { kind: 'address', address: '10.0.0.9' },
      },
    ]);
    await apply({ kind: 'replace', table: 'blue', route: 'worker-1', to: nodeOf(1) });
    assert.deepEqual(names(), ['mine', 'worker-1____102441024']);
    assert.equal(stored().routes.at(-1)?.nextHop, '10.0.0.1');
  });

  describe('that Azure carries out later', () => {
    for (const header of ['Azure-AsyncOperation', 'Location'] as const) {
      it(`are applied once the operation has succeeded (${header})`, async () => {
        world.azure.arm.writes = { kind: 'async', header, polls: 2 };
        const applying = apply(create('10.244.1.0/24', nodeOf(1)));
        const outcomes = await whileTimePasses(world, applying);
        assert.deepEqual(outcomes, [{ kind: 'applied' }]);
        assert.deepEqual(names(), ['worker-1____102441024']);
      });
    }

    it('are unknown when the operation fails, and can be applied again', async () => {
      const error = new ArmError('InternalServerError', 'An error occurred.');
      world.azure.arm.nextWrites.push({
        kind: 'async',
        header: 'Azure-AsyncOperation',
        polls: 1,
        error,
      });
      const [outcome] = await whileTimePasses(world, apply(create('10.244.1.0/24', nodeOf(1))));
      assert(outcome?.kind === 'unknown');
      assert.equal(Reflect.get(outcome.err, 'code'), 'AzureOperationFailed');
      assert.match(outcome.err.message, /InternalServerError: An error occurred\.$/);
      const [again] = await whileTimePasses(world, apply(create('10.244.1.0/24', nodeOf(1))));
      assert.equal(again?.kind, 'applied');
    });

    it('are awaited although a poll fails, until their signal aborts', async () => {
      const { arm } = world.azure;
      arm.writes = { kind: 'async', header: 'Azure-AsyncOperation', polls: 2 };
      arm.nextFaults.push({ call: 'operations.get', fault: { kind: 'reset' } });
      const [outcome] = await whileTimePasses(world, apply(create('10.244.1.0/24', nodeOf(1))));
      assert.equal(outcome?.kind, 'applied');
      const controller = new AbortController();
      const reason = new Error('too late');
      const hanging = routes().apply([create('10.244.2.0/24', nodeOf(2))], {
        signal: controller.signal,
        beforeWrite: () => {},
      });
      while (callsOf(/^routeTables.createOrUpdate$/) < 2) await turn();
      controller.abort(reason);
      await assert.rejects(hanging, reason);
    });
  });

  describe('that fail', () => {
    const operation = create('10.244.1.0/24', nodeOf(1));

    it('are unknown when the response is lost, and refused when Azure rejects or throttles the write', async () => {
      const { arm } = world.azure;
      arm.nextFaults.push({ call: 'routeTables.createOrUpdate', fault: { kind: 'lose' } });
      assert.equal((await apply(operation))[0]?.kind, 'unknown');
      const [exists] = await apply(operation);
      assert(exists?.kind === 'refused');
      assert.equal(exists.reason, 'exists');
      arm.nextFaults.push({ call: 'routeTables.createOrUpdate', fault: throttled(40) });
      const [refused] = await apply(create('10.244.2.0/24', nodeOf(2)));
      assert(refused?.kind === 'refused');
      assert.deepEqual(Reflect.get(refused.err, 'retry'), { afterMs: 40_000 });
      const [waiting] = await apply(create('10.244.2.0/24', nodeOf(2)));
      assert(waiting?.kind === 'refused');
      assert.equal(callsOf(/^routeTables.createOrUpdate$/), 2);
      await world.clock.advance(40_000);
      assert.equal((await apply(create('10.244.2.0/24', nodeOf(2))))[0]?.kind, 'applied');
    });

    it('are unknown, not refused, when the table cannot be read', async () => {
      const { arm } = world.azure;
      arm.nextFaults.push({ call: 'routeTables.get', fault: { kind: 'reset' } });
      assert.equal((await apply(operation))[0]?.kind, 'unknown');
      arm.state = withoutResourceGroup(arm.state, aTable());
      assert.equal((await apply(operation))[0]?.kind, 'unknown');
      assert.equal(callsOf(/^routeTables.createOrUpdate$/), 0);
    });

    it('name the call that the role does not allow', async () => {
      world.azure.arm.denied.add('Microsoft.Network/routeTables/write');
      const [outcome] = await apply(operation);
      assert(outcome?.kind === 'refused');
      assert.match(
        outcome.err.message,
        /^Azure refuses to write route table blue in resource group blue: AuthorizationFailed/,
      );
    });

    it('are not written when the write gate is closed', async () => {
      const beforeWrite = (): void => assert.fail('no leader');
      await assert.rejects(routes().apply([operation], { signal, beforeWrite }), /no leader/);
      assert.equal(callsOf(/^routeTables.createOrUpdate$/), 0);
    });
  });

  it('of a full table take the room of deleted ones, and the rest are refused as tableFull', async () => {
    await apply(create('10.244.1.0/24', nodeOf(1)), create('10.244.2.0/24', nodeOf(2)));
    put({ ...stored(), routesMax: 2 });
    const outcomes = await apply(
      create('10.244.3.0/24', nodeOf(3)),
      create('10.244.4.0/24', nodeOf(4)),
      { kind: 'delete', table: 'blue', route: 'worker-1____102441024' },
    );
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.reason : outcome.kind)),
      ['applied', 'tableFull', 'applied'],
    );
    assert.deepEqual(names(), ['worker-2____102442024', 'worker-3____102443024']);
  });

  it('of a full table stay applied when a later read of the table fails', async () => {
    const { arm } = world.azure;
    await apply(create('10.244.1.0/24', nodeOf(1)), create('10.244.2.0/24', nodeOf(2)));
    put({ ...stored(), routesMax: 2 });
    await list();
    arm.nextFaults.push({ call: 'routeTables.get', fault: { kind: 'reset' } });
    const outcomes = await apply(
      create('10.244.3.0/24', nodeOf(3)),
      create('10.244.4.0/24', nodeOf(4)),
      { kind: 'delete', table: 'blue', route: 'worker-1____102441024' },
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['applied', 'unknown', 'applied'],
    );
  });

  it('of a full table are unknown, not refused, when another program changes it meanwhile', async () => {
    const { arm } = world.azure;
    await apply(create('10.244.1.0/24', nodeOf(1)), create('10.244.2.0/24', nodeOf(2)));
    put({ ...stored(), routesMax: 2 });
    await list();
    const full = new ArmError('RouteLimitReached', 'There are too many routes.');
    for (const error of [full, changed]) {
      arm.nextFaults.push({ call: 'routeTables.createOrUpdate', fault: { kind: 'refuse', error } });
    }
    const outcomes = await apply(
      create('10.244.3.0/24', nodeOf(3)),
      create('10.244.4.0/24', nodeOf(4)),
      { kind: 'delete', table: 'blue', route: 'worker-1____102441024' },
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['unknown', 'unknown', 'unknown'],
    );
  });

  it('are deleted although Azure refuses a new one of the batch, and the refusal quotes Azure', async () => {
    const { arm } = world.azure;
    await apply(create('10.244.1.0/24', nodeOf(1)));
    const error = new ArmError('NoSuchCode', 'This table is not to our liking.');
    arm.nextFaults.push({ call: 'routeTables.createOrUpdate', fault: { kind: 'refuse', error } });
    const [refused, exists, deleted] = await apply(
      create('10.244.3.0/24', nodeOf(3)),
      create('10.244.1.0/24', nodeOf(4)),
      { kind: 'delete', table: 'blue', route: 'worker-1____102441024' },
    );
    assert(refused?.kind === 'refused' && refused.reason === undefined);
    assert.match(refused.err.message, /NoSuchCode: This table is not to our liking\.$/);
    assert.deepEqual([exists?.kind, deleted?.kind], ['refused', 'applied']);
    assert.deepEqual(names(), []);
  });

  it('fill a table up to its low limit, which the next list reports as its capacity', async () => {
    put({ ...stored(), routesMax: 40 });
    await apply(...creations(0, 30));
    const outcomes = await apply(...creations(30, 60));
    assert.equal(outcomes.filter(({ kind }) => kind === 'applied').length, 10);
    for (const outcome of outcomes.slice(10)) {
      assert(outcome.kind === 'refused' && outcome.reason === 'tableFull');
      assert.match(outcome.err.message, /^Route table blue takes no more than its 40 routes$/);
    }
    assert.equal(stored().routes.length, 40);
    assert.equal((await list()).tables[0]?.capacity, 40);

    // Once the learnt limit has expired, one write shows that it has not changed.
    await world.clock.advance(600_000);
    assert.equal((await list()).tables[0]?.capacity, undefined);
    const before = callsOf(/^routeTables.createOrUpdate$/);
    await apply(...creations(40, 60));
    assert.equal(callsOf(/^routeTables.createOrUpdate$/), before + 1);
    assert.equal((await list()).tables[0]?.capacity, 40);

    // After it expires again, a write shows that Azure raised the limit.
    await world.clock.advance(600_000);
    put({ ...stored(), routesMax: 1_000 });
    assert((await apply(...creations(40, 60))).every(({ kind }) => kind === 'applied'));
    assert.equal(stored().routes.length, 60);
  });

  it('create a missing table with the tag of the cluster and the tags of the configuration', async () => {
    await using other = await openAzureWorld({
      config: { tags: 'team=blue' },
      clusterName: 'east',
    });
    const own = other.provider.routes ?? assert.fail('no routes');
    const { tables } = await own.list({ signal });
    assert.deepEqual(tables, [{ id: 'blue', capacity: 1_000, routes: [] }]);
    const [outcome] = await own.apply([create('10.244.1.0/24', nodeOf(1))], openGate);
    assert.equal(outcome?.kind, 'applied');
    const table = other.azure.arm.state.tables.get(keyOf(tableId(aTable())));
    assert.deepEqual(table?.tags, { 'k8s-azure-cluster-name': 'east', team: 'blue' });
    assert.equal(table?.location, 'westeurope');
    assert.match(
      other.log.join(''),
      /Created the route table, which has no effect before a subnet uses it/,
    );
  });

  it('set a configured tag once on a table that has it in another case', async () => {
    await using other = await openAzureWorld({
      config: { tagsMap: { owner: 'us', team: 'blue' } },
    });
    const { arm } = other.azure;
    arm.state = withTable(arm.state, aTable('blue', { tags: { Owner: 'them', rank: '1' } }));
    const own = other.provider.routes ?? assert.fail('no routes');
    await own.apply([create('10.244.1.0/24', nodeOf(1))], openGate);
    const { tags } = arm.state.tables.get(keyOf(tableId(aTable()))) ?? assert.fail('no table');
    assert.deepEqual(tags, { Owner: 'us', rank: '1', team: 'blue' });
  });

  it('create a missing table in a second attempt when Azure failed the first one', async () => {
    await using other = await openAzureWorld();
    const { arm } = other.azure;
    const own = other.provider.routes ?? assert.fail('no routes');
    const error = new ArmError('InternalServerError', 'An error occurred.', { status: 500 });
    arm.nextFaults.push({
      call: 'routeTables.createOrUpdate',
      fault: { kind: 'refuse', error },
    });
    const outcomes: string[] = [];
    for (let times = 0; times < 2; times++) {
      await own.list({ signal });
      const [outcome] = await own.apply([create('10.244.1.0/24', nodeOf(1))], openGate);
      outcomes.push(outcome?.kind ?? 'none');
    }
    assert.deepEqual(outcomes, ['unknown', 'applied']);
  });

  it('in a subscription of another tenant use a token of that tenant', async () => {
    const tenant = '99999999-9999-4999-8999-999999999999';
    const hub = '22222222-2222-4222-8222-222222222222';
    await using other = await openAzureWorld({
      config: { networkResourceSubscriptionID: hub, networkResourceTenantID: tenant },
    });
    const { arm, entra } = other.azure;
    entra.otherTenants.add(tenant);
    arm.state = withTable(arm.state, aTable('blue', { subscription: hub }));
    const own = other.provider.routes ?? assert.fail('no routes');
    const [outcome] = await own.apply([create('10.244.1.0/24', nodeOf(1))], openGate);
    assert.equal(outcome?.kind, 'applied');
    await other.provider.lookup([aNode(1)], { maxAgeMs: 0, signal });
    const tenants = new Map(
      arm.requests.map(({ path, headers }) => [
        path.includes(hub) ? 'table' : 'machines',
        entra.tenantOf(headers.authorization),
      ]),
    );
    assert.equal(tenants.get('table'), tenant);
    assert.equal(tenants.get('machines'), entra.tenant);
  });

  it('to an interface without IP forwarding log one warning', async () => {
    const { arm } = world.azure;
    const notForwarding = [anInterface(1, { forwarding: false })];
    const lookUp = () =>
      world.provider.lookup([aNode(1), aNode(2), aNode(3)], { maxAgeMs: 0, signal });
    const ipForwardingWarnings = (): string[] =>
      world.log.filter((line) => line.includes('IP forwarding'));
    arm.state = withMachine(arm.state, aMachine(1, { interfaces: notForwarding }));
    arm.state = withMachine(arm.state, aMachine(2));
    arm.state = withMachine(arm.state, aMachine(3, { interfaces: notForwarding }));
    await lookUp();
    assert.deepEqual(ipForwardingWarnings(), []);
    await apply(create('10.244.1.0/24', nodeOf(1)), create('10.244.2.0/24', nodeOf(2)));
    for (let times = 0; times < 2; times++) {
      await list();
      await lookUp();
    }
    assert.equal(ipForwardingWarnings().length, 1);
    assert.match(ipForwardingWarnings()[0] ?? '', /"nodes":"worker-1".*enableIPForwarding/);

    arm.state = withMachine(arm.state, aMachine(1));
    await lookUp();
    arm.state = withMachine(arm.state, aMachine(1, { interfaces: notForwarding }));
    await lookUp();
    assert.equal(ipForwardingWarnings().length, 2);
  });

  it('are refused without a table and a location to create it in', async () => {
    await using other = await openAzureWorld({ config: { location: '' } });
    const own = other.provider.routes ?? assert.fail('no routes');
    const [outcome] = await own.apply([create('10.244.1.0/24', nodeOf(1))], openGate);
    assert(outcome?.kind === 'refused');
    assert.match(
      outcome.err.message,
      /^Route table blue does not exist in resource group blue\. Create it/,
    );
  });

  it('leave the table of another cluster alone, and name the cluster', async () => {
    const tags = { 'K8s-Azure-Cluster-Name': 'green' };
    put(aTable('blue', { tags }));
    const want = {
      code: 'AzureRouteTableForeign',
      message: /^Route table blue has the tag k8s-azure-cluster-name of cluster "green"/,
    };
    await assert.rejects(list(), want);
    const [outcome] = await apply(create('10.244.1.0/24', nodeOf(1)));
    assert.equal(outcome?.kind, 'refused');
    assert.equal(callsOf(/createOrUpdate/), 0);
    put(aTable('blue', { tags: { 'k8s-azure-cluster-name': 'green,kubernetes' } }));
    await list();
  });

  it('fail to be listed, instead of being none, when the resource group is missing', async () => {
    const { arm } = world.azure;
    arm.state = withoutResourceGroup(arm.state, aTable());
    await assert.rejects(list(), { code: 'AzureScopeMissing' });
  });
});

function aNode(number: number): NodeRef {
  return { name: `worker-${number}`, uid: 'u', providerID: '', labels: {}, systemUUID: '' };
}

function nodeOf(number: number): RouteNode {
  const addresses = { IPv4: `10.0.0.${number}`, IPv6: `fd00::${number}` };
  return { key: `key-${number}`, name: `worker-${number}`, addresses };
}

function creations(from: number, to: number): RouteOperation[] {
  return Array.from({ length: to - from }, (_, index) =>
    create(`10.244.${from + index}.0/24`, nodeOf(from + index)),
  );
}

function create(destination: string, to: RouteNode): RouteOperation {
  return { kind: 'create', table: 'blue', destination, to };
}
