/** Tests look-ups with the real SDKs against the fake of Azure. */
import assert from 'node:assert/strict';
import type { LookupAnswer, NodeRef } from '@tandem/provider/plug';
import {
  aConfiguration,
  aMachine,
  anInstance,
  anInterface,
  ArmError,
  aScaleSet,
  type FakeMachine,
  type FakeScaleSet,
  instanceIdOf,
  machineId,
  scaleSetId,
  subscription,
  throttled,
  withMachine,
  withoutMachine,
  withoutResourceGroup,
  withoutScaleSet,
  withScaleSet,
} from '../../../test/support/arm/index.ts';
import { type AzureWorld, openAzureWorld, turn, whileTimePasses } from './azure.fixture.ts';

const { signal } = new AbortController();
const pool = aScaleSet('pool', { instances: range(3).map((number) => anInstance('pool', number)) });

describe('look-ups on Azure', () => {
  let world: AzureWorld;
  beforeEach(async () => {
    world = await openAzureWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const putMachines = (...machines: readonly FakeMachine[]): void => {
    for (const one of machines) world.azure.arm.state = withMachine(world.azure.arm.state, one);
  };
  const putSets = (...sets: readonly FakeScaleSet[]): void => {
    for (const one of sets) world.azure.arm.state = withScaleSet(world.azure.arm.state, one);
  };
  const lookUp = async (nodes: readonly NodeRef[], maxAgeMs = 0): Promise<LookupAnswer[]> => {
    const answers = await world.provider.lookup(nodes, { maxAgeMs, signal });
    return nodes.map(({ name }) => answers.get(name) ?? assert.fail(`no answer for ${name}`));
  };
  const kinds = async (nodes: readonly NodeRef[], maxAgeMs = 0): Promise<string[]> =>
    (await lookUp(nodes, maxAgeMs)).map(({ kind }) => kind);
  const foundOf = async (node: NodeRef) => {
    const [answer] = await lookUp([node]);
    if (answer?.kind === 'unknown') throw answer.err;
    return answer?.kind === 'found' ? answer.instance : assert.fail(`it is ${answer?.kind}`);
  };
  const errorOf = async (node: NodeRef): Promise<Error> => {
    const [answer] = await lookUp([node]);
    return answer?.kind === 'unknown' ? answer.err : assert.fail(`it is ${answer?.kind}`);
  };

  it('find every kind of machine by providerID and by name, in any case', async () => {
    const flexible = aScaleSet('flex', { mode: 'Flexible' });
    putSets(pool, flexible);
    const inSet = aMachine(2, {
      name: 'flex_0a1b2c3d',
      computerName: 'FlexABCDEF',
      scaleSet: scaleSetId(flexible),
    });
    putMachines(aMachine(1), inSet);
    const ids = [machineId(aMachine(1)), machineId(inSet), instanceIdOf(pool, '2')];
    const byId = ids.map((id, index) => aNode(`node-${index}`, `azure://${id}`));
    const byName = ['Worker-1', 'flexabcdef', 'pool000002'].map((name) => aNode(name));
    const [first, second] = [await lookUp(byId), await lookUp(byName)];
    for (const [index, answer] of first.entries()) {
      assert(answer.kind === 'found');
      assert.equal(answer.instance.providerID, `azure://${ids[index]}`);
      const other = second[index];
      assert(other?.kind === 'found');
      assert.deepEqual(other.instance, answer.instance);
    }
    assert.deepEqual(await kinds([aNode('flex_0a1b2c3d'), aNode('pool_2')]), ['absent', 'absent']);
  });

  it('list by resource group and scale set, page by page, and make no call for a single node', async () => {
    const { arm } = world.azure;
    const many = aScaleSet('many', {
      instances: range(250).map((number) => anInstance('many', number)),
    });
    putSets(pool, many);
    putMachines(...range(20).map((number) => aMachine(number + 1_000)));
    const nodes = [
      ...many.instances.map(({ instanceId: id }) =>
        aNode(`n${id}`, `azure://${instanceIdOf(many, id)}`),
      ),
      ...range(20).map((number) => aNode(`worker-${number + 1_000}`)),
    ];
    assert((await lookUp(nodes)).every(({ kind }) => kind === 'found'));
    assert.deepEqual(countsOf(arm.calls), {
      'metadata.endpoints': 1,
      'virtualMachines.list': 1,
      'virtualMachines.listAll': 1,
      'virtualMachineScaleSets.list': 1,
      'virtualMachineScaleSetVMs.list': 3,
      'networkInterfaces.list': 1,
      'networkInterfaces.listVirtualMachineScaleSetNetworkInterfaces': 3,
    });
  });

  it('use cached answers of the age that the caller accepts, and never a cached absence', async () => {
    const { arm } = world.azure;
    putSets(pool);
    putMachines(aMachine(1));
    const nodes = ['pool000001', 'worker-1'].map((name) => aNode(name));
    await lookUp(nodes);
    const calls = arm.calls.length;
    await world.clock.advance(30_000);
    assert.deepEqual(await kinds(nodes, 60_000), ['found', 'found']);
    assert.equal(arm.calls.length, calls);
    putMachines(aMachine(2));
    assert.deepEqual(await kinds([aNode('worker-2')], 60_000), ['found']);
    assert(arm.calls.length > calls);
  });

  it('skip unmanaged nodes, and search the resource group that a label names', async () => {
    const elsewhere = aMachine(1, { resourceGroup: 'green' });
    putMachines(elsewhere, aMachine(2));
    const unmanaged = { 'kubernetes.azure.com/managed': 'false' };
    const green = { 'kubernetes.azure.com/resource-group': 'Green' };
    assert.deepEqual(
      await kinds([
        aNode('on-premises', '', unmanaged),
        aNode('worker-2', `azure://${machineId(aMachine(2))}`, unmanaged),
        aNode('worker-1', '', green),
        aNode('other', 'aws:///eu-west-1a/i-0123456789abcdef0'),
      ]),
      ['notOurs', 'notOurs', 'found', 'notOurs'],
    );
    assert.deepEqual(await kinds([aNode('worker-1')]), ['absent']);
  });

  it('return unknown for a name that two machines have, and name both', async () => {
    putMachines(aMachine(1), aMachine(2, { computerName: 'worker-1' }));
    assert.match((await errorOf(aNode('worker-1'))).message, /worker-1 and .*worker-2$/i);
    putMachines(aMachine(2, { computerName: 'worker-1', provisioning: 'Deleting' }));
    assert.deepEqual(await kinds([aNode('worker-1')]), ['found']);
  });

  it('report the state of virtual machines and of scale set instances', async () => {
    const cases = [
      { power: 'running', provisioning: 'Succeeded', want: 'running' },
      { power: 'deallocated', provisioning: 'Succeeded', want: 'stopped' },
      { power: 'deallocating', provisioning: 'Updating', want: 'stopping' },
      { power: 'stopped', provisioning: 'Succeeded', want: 'stopped' },
      { power: undefined, provisioning: 'Creating', want: 'pending' },
      { power: undefined, provisioning: 'Succeeded', want: 'unknown' },
      { power: 'running', provisioning: 'Deleting', want: 'absent' },
    ] as const;
    for (const { power, provisioning, want } of cases) {
      putMachines(aMachine(1, { power, provisioning }));
      putSets(aScaleSet('pool', { instances: [anInstance('pool', 1, { power, provisioning })] }));
      const answers = await lookUp([
        aNode('vm', `azure://${machineId(aMachine(1))}`),
        aNode('instance', `azure://${instanceIdOf(pool, '1')}`),
      ]);
      for (const answer of answers) {
        assert.equal(answer.kind === 'found' ? answer.instance.state : answer.kind, want);
      }
    }
  });

  it('do without the states of virtual machines when the role covers only the resource group', async () => {
    const { arm } = world.azure;
    const flexible = aScaleSet('flex', { mode: 'Flexible' });
    putSets(flexible);
    const stopped = { power: 'deallocated', scaleSet: scaleSetId(flexible) } as const;
    putMachines(aMachine(1, { power: 'deallocated' }), aMachine(2, stopped));
    const statesOf = async (): Promise<unknown[]> =>
      (await lookUp([aNode('worker-1'), aNode('worker-2')])).map((answer) =>
        answer.kind === 'found' ? answer.instance.state : answer.kind,
      );
    const error = new ArmError('AuthorizationFailed', 'over scope /subscriptions', { status: 403 });
    arm.faults.set('virtualMachines.listAll', { kind: 'refuse', error });
    for (let times = 0; times < 2; times++) {
      assert.deepEqual(await statesOf(), ['running', 'stopped']);
    }
    assert.equal(world.log.filter((line) => line.includes('states may not be read')).length, 1);
    arm.faults.clear();
    assert.deepEqual(await statesOf(), ['stopped', 'stopped']);
    arm.faults.set('virtualMachines.listAll', { kind: 'refuse', error });
    assert.deepEqual(await statesOf(), ['unknown', 'stopped']);
  });

  describe('of addresses', () => {
    const withPublic = (resourceGroup?: string) =>
      anInterface(1, {
        configurations: [
          aConfiguration('10.0.0.9', { name: 'pod', primary: false }),
          aConfiguration('10.0.0.1', {
            publicAddress: {
              name: 'four',
              address: '20.0.0.1',
              ...(resourceGroup && { resourceGroup }),
            },
          }),
          aConfiguration('10.244.7.0/28', { name: 'block', primary: false }),
          aConfiguration('fd00::1', {
            name: 'six',
            publicAddress: { name: 'six', address: '2001:db8::1' },
          }),
        ],
      });
    const want = ['10.0.0.1', 'fd00::1', 'NAME', '20.0.0.1', '2001:db8::1'];

    it('find public addresses of both families, in other resource groups too', async () => {
      putMachines(aMachine(1, { interfaces: [withPublic('edge')] }));
      putSets(
        aScaleSet('pool', { instances: [anInstance('pool', 1, { interfaces: [withPublic()] })] }),
      );
      for (const name of ['worker-1', 'pool000001']) {
        const { addresses, podBlocks } = await foundOf(aNode(name));
        const texts = addresses.map(({ address }) => address);
        assert.deepEqual(
          texts,
          want.map((text) => (text === 'NAME' ? name : text)),
        );
        assert.deepEqual(podBlocks, { IPv4: ['10.244.7.0/28'], IPv6: [] });
      }
    });

    it('return unknown for a machine whose interface, public address or state cannot be read', async () => {
      const { arm } = world.azure;
      putMachines(aMachine(1, { interfaces: [withPublic('edge')] }), aMachine(2));
      for (const [list, kindsWanted] of [
        ['networkInterfaces.list', ['unknown', 'unknown']],
        ['publicIPAddresses.list', ['unknown', 'found']],
        ['virtualMachines.listAll', ['unknown', 'unknown']],
      ] as const) {
        for (const fault of [{ kind: 'reset' }, { kind: 'empty' }, { kind: 'garbage' }] as const) {
          arm.faults.set(list, fault);
          const nodes = [aNode('worker-1'), aNode('worker-2')];
          assert.deepEqual(await kinds(nodes), kindsWanted, `${list} ${fault.kind}`);
        }
        arm.faults.delete(list);
      }
      assert.deepEqual(await kinds([aNode('worker-1')]), ['found']);
    });
  });

  describe('never report absence because', () => {
    const nodes = [
      aNode('gone', `azure://${machineId(aMachine(9))}`),
      aNode('instance', `azure://${instanceIdOf(pool, '2')}`),
      aNode('unnamed'),
    ];
    const threeUnknown = ['unknown', 'unknown', 'unknown'];

    it('Azure does not know the subscription or the resource group', async () => {
      const { arm } = world.azure;
      putSets(pool);
      putMachines(aMachine(1));
      const before = arm.state;
      arm.fault = {
        kind: 'refuse',
        error: new ArmError('SubscriptionNotFound', 'No such subscription.', { status: 404 }),
      };
      assert.deepEqual(await kinds(nodes), threeUnknown);
      arm.fault = undefined;
      arm.state = withoutResourceGroup(before, { subscription, resourceGroup: 'blue' });
      assert.deepEqual(await kinds(nodes), threeUnknown);
      const err = await errorOf(nodes[0] ?? assert.fail());
      assert.match(
        err.message,
        /^Azure cannot list virtual machines in resource group blue: ResourceGroupNotFound/,
      );
      arm.state = before;
      assert.deepEqual(await kinds(nodes), ['absent', 'found', 'absent']);
    });

    it('the Resource Manager answers 404 to every call', async () => {
      const { arm } = world.azure;
      putSets(pool);
      putMachines(aMachine(1));
      const held = [...nodes, aNode('pool000002')];
      for (const code of ['ResourceNotFound', 'NotFound']) {
        const error = new ArmError(code, 'The resource was not found.', { status: 404 });
        arm.fault = { kind: 'refuse', error };
        assert.deepEqual(await kinds(held), [...threeUnknown, 'unknown'], code);
        arm.fault = undefined;
        arm.faults.set('virtualMachineScaleSetVMs.list', { kind: 'refuse', error });
        assert.deepEqual(await kinds(held), ['absent', 'unknown', 'absent', 'unknown'], code);
        arm.faults.clear();
      }
    });

    it('lists are suddenly empty', async () => {
      const { arm } = world.azure;
      putSets(pool);
      putMachines(aMachine(1));
      const held = [aNode('vm', `azure://${machineId(aMachine(1))}`), ...nodes];
      await lookUp(held);
      arm.fault = { kind: 'empty' };
      assert.deepEqual(await kinds(held), ['unknown', 'absent', 'unknown', 'unknown']);
      arm.fault = undefined;
      assert.deepEqual(await kinds(held), ['found', 'absent', 'found', 'absent']);
    });

    it('the list of scale sets is suddenly empty while there are virtual machines', async () => {
      const { arm } = world.azure;
      putSets(pool);
      putMachines(aMachine(1));
      const held = [aNode('pool000002'), aNode('worker-1')];
      assert.deepEqual(await kinds(held), ['found', 'found']);
      arm.faults.set('virtualMachineScaleSets.list', { kind: 'empty' });
      assert.deepEqual(await kinds(held), ['unknown', 'found']);
      arm.faults.clear();
      assert.deepEqual(await kinds(held), ['found', 'found']);
    });

    it('a Flexible scale set, whose machines are virtual machines, lists no instances', async () => {
      const flexible = aScaleSet('flex', { mode: 'Flexible' });
      putSets(flexible);
      const node = aNode('flex', `azure://${instanceIdOf(flexible, '2')}`);
      assert.match((await errorOf(node)).message, /scale set flex, which is Flexible$/);
    });

    it('a list is empty, unless a second call for the machine confirms its absence', async () => {
      const { arm } = world.azure;
      putSets(aScaleSet('pool', { instances: [] }));
      const held = range(8).map((number) =>
        aNode(`vm-${number}`, `azure://${machineId(aMachine(number))}`),
      );
      const answers = await kinds([...held, nodes[1] ?? assert.fail()]);
      assert.deepEqual(countsOf(answers), { absent: 6, unknown: 3 });
      assert.equal(arm.calls.filter((name) => name === 'virtualMachines.get').length, 5);
      arm.state = withoutScaleSet(arm.state, pool);
      assert.deepEqual(await kinds([nodes[1] ?? assert.fail()]), ['absent']);
    });

    it('a page in the middle of a list cannot be read', async () => {
      const { arm } = world.azure;
      putMachines(...range(12).map((number) => aMachine(number)));
      arm.pageSize = 5;
      arm.nextFaults.push({ call: 'virtualMachines.list', fault: { kind: 'garbage' } });
      const gone = aNode('gone', `azure://${machineId(aMachine(99))}`);
      assert.deepEqual(await kinds([gone]), ['unknown']);
      arm.state = withoutMachine(arm.state, aMachine(3));
      assert.deepEqual(await kinds([gone, aNode('worker-11')]), ['absent', 'found']);
    });
  });

  it('pause calls for throttled resources for as long as Azure asks, and continue with other resources', async () => {
    const { arm } = world.azure;
    putSets(pool);
    putMachines(aMachine(1));
    arm.faults.set('virtualMachines.list', throttled(30));
    const vm = aNode('vm', `azure://${machineId(aMachine(1))}`);
    const instance = aNode('instance', `azure://${instanceIdOf(pool, '1')}`);
    const first = await errorOf(vm);
    assert.match(
      first.message,
      /^Azure throttles requests to list virtual machines in resource group blue: /,
    );
    assert.deepEqual(Reflect.get(first, 'retry'), { afterMs: 30_000 });
    await world.clock.advance(20_000);
    const calls = arm.calls.length;
    assert.deepEqual(Reflect.get(await errorOf(vm), 'retry'), { afterMs: 10_000 });
    assert.equal(arm.calls.length, calls);
    const others = await whileTimePasses(world, kinds([instance]));
    assert.deepEqual(others, ['found']);
    arm.faults.clear();
    await world.clock.advance(10_000);
    assert.deepEqual(await whileTimePasses(world, kinds([vm])), ['found']);
    const text = await world.metrics.render();
    const labels = `{request="vm_list",resource_group="blue",subscription_id="${subscription}",source=""}`;
    const named = (name: string): string => `cloudprovider_azure_api_request_${name}${labels}`;
    assert(text.includes(`${named('throttled_count')} 1\n`), text);
    assert(text.includes(`${named('ratelimited_count')} 1\n`), text);
    assert(text.includes(`${named('errors')} 1\n`), text);
    // As in upstream's manager, the latency of failed calls counts, too.
    assert(text.includes(`${named('duration_seconds_count')} 2\n`), text);
  });

  it('slow down before they reach the limit that Azure announces', async () => {
    const { arm } = world.azure;
    putMachines(aMachine(1));
    arm.remaining = { reads: 12 };
    const vm = aNode('worker-1');
    const sinceMs = world.clock.monotonic();
    const [answer] = await whileTimePasses(world, lookUp([vm]));
    assert.equal(answer?.kind, 'found');
    assert(world.clock.monotonic() - sinceMs >= 500, 'it was not slowed');
    await world.clock.advance(60_000);
    arm.remaining = {};
    assert.deepEqual(await kinds([vm]), ['found']);
  });

  it('end when their signal aborts or Azure takes too long, whichever page hangs', async () => {
    const { arm } = world.azure;
    putMachines(...range(12).map((number) => aMachine(number)));
    arm.pageSize = 5;
    const hangAfter = async (pages: number, begin: () => Promise<unknown>): Promise<void> => {
      const before = arm.calls.length;
      if (pages === 0) arm.faults.set('virtualMachines.list', { kind: 'hang' });
      const ending = begin();
      const listCalls = (): number =>
        arm.calls.slice(before).filter((name) => name === 'virtualMachines.list').length;
      while (listCalls() < pages) await turn();
      arm.faults.set('virtualMachines.list', { kind: 'hang' });
      while (listCalls() <= pages) await turn();
      await ending;
      arm.faults.clear();
    };
    for (const pages of [0, 1]) {
      const controller = new AbortController();
      const reason = new Error('too late');
      await hangAfter(pages, async () => {
        const node = aNode('worker-1', `azure://${machineId(aMachine(1))}`);
        const options = { maxAgeMs: 0, signal: controller.signal };
        const hanging = assert.rejects(world.provider.lookup([node], options), reason);
        for (let turns = 0; turns < 200; turns++) await turn();
        controller.abort(reason);
        await hanging;
      });
      await hangAfter(pages, async () => {
        const hanging = errorOf(aNode('worker-1', `azure://${machineId(aMachine(1))}`));
        for (let turns = 0; turns < 200; turns++) await turn();
        await world.clock.advance(30_000);
        assert.match((await hanging).message, /DeadlineExceeded: no answer within 30000 ms$/);
      });
    }
  });

  it('name what Azure refuses, reveal no secret, and recover', async () => {
    const { arm, entra } = world.azure;
    putMachines(aMachine(1));
    const vm = aNode('worker-1');
    const { client } = entra;
    arm.denied.add('Microsoft.Network/networkInterfaces/read');
    const refused = await errorOf(vm);
    assert.match(
      refused.message,
      /^Azure refuses to list network interfaces in resource group blue: AuthorizationFailed\. The role of the manager lacks Microsoft\.Network\/networkInterfaces\/read$/,
    );
    assert.equal(Reflect.get(refused, 'code'), 'AzureAccessRefused');
    assert.equal(refused.cause, undefined);
    arm.denied.clear();
    entra.client = { ...client, secret: 'rotated-secret' };
    entra.expireTokens();
    assert.match(
      (await errorOf(vm)).message,
      /^Azure does not take the token of the manager: ExpiredAuthenticationToken\./,
    );
    const withoutToken = await errorOf(vm);
    assert.match(
      withoutToken.message,
      /^Entra ID gives no token: invalid_client \(AADSTS7000215\)\. The client secret is wrong/,
    );
    entra.client = client;
    entra.fault = { kind: 'reset' };
    assert.equal(Reflect.get(await errorOf(vm), 'code'), 'AzureCallFailed');
    entra.fault = undefined;
    assert.deepEqual(await kinds([vm]), ['found']);
    await world.clock.advance(30_000);
    entra.expireTokens();
    assert.equal(Reflect.get(await errorOf(vm), 'code'), 'AzureTokenRefused');
    const error = new ArmError('temporarily_unavailable', 'AADSTS90033: A transient error.', {
      status: 503,
    });
    entra.fault = { kind: 'refuse', error };
    assert.equal(Reflect.get(await errorOf(vm), 'code'), 'AzureCallFailed');
    const messages = [world.log.join(''), refused.message, withoutToken.message].join('');
    for (const secret of [client.secret ?? '-', 'rotated-secret'])
      assert(!messages.includes(secret));
  });
});

function aNode(name: string, providerID = '', labels: NodeRef['labels'] = {}): NodeRef {
  return { name, uid: `uid of ${name}`, providerID, labels, systemUUID: '' };
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function countsOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
