/** The fake of ARM, asked by the real SDKs over TLS on loopback. */
import assert from 'node:assert/strict';
import { ComputeManagementClient } from '@azure/arm-compute';
import { NetworkManagementClient } from '@azure/arm-network';
import { ClientSecretCredential } from '@azure/identity';
import { eventually } from '../../control-plane/index.ts';
import { ask } from './ask.ts';
import {
  aConfiguration,
  aMachine,
  anInstance,
  anInterface,
  ArmError,
  aRoute,
  aScaleSet,
  aTable,
  FakeAzure,
  scaleSetId,
  subscription,
  tableId,
  keyOf,
  throttled,
  withMachine,
  withoutResourceGroup,
  withScaleSet,
  withTable,
} from './index.ts';

describe('the fake of ARM', () => {
  let azure: FakeAzure;
  let trust: Disposable;
  let compute: ComputeManagementClient;
  let network: NetworkManagementClient;

  beforeEach(async () => {
    azure = await FakeAzure.start();
    trust = azure.trust();
    [compute, network] = clientsOf(subscription);
  });
  afterEach(async () => {
    trust[Symbol.dispose]();
    await azure.close();
  });

  function clientsOf(subscriptionId: string): [ComputeManagementClient, NetworkManagementClient] {
    const { entra, arm } = azure;
    const { id, secret = '' } = entra.client;
    const identity = {
      authorityHost: entra.url,
      disableInstanceDiscovery: true,
      retryOptions: { maxRetries: 0 },
    };
    const credential = new ClientSecretCredential(entra.tenant, id, secret, identity);
    const options = {
      endpoint: arm.url,
      credentials: { scopes: [`${entra.audience}.default`] },
      retryOptions: { maxRetries: 0 },
    };
    return [
      new ComputeManagementClient(credential, subscriptionId, options),
      new NetworkManagementClient(credential, subscriptionId, options),
    ];
  }
  const tableNow = (): ReturnType<typeof azure.arm.state.tables.get> =>
    azure.arm.state.tables.get(keyOf(tableId(aTable())));

  it('lists the machines of a resource group, without their instance view', async () => {
    azure.arm.state = withMachine(azure.arm.state, aMachine(1, { zones: ['2'] }));
    azure.arm.state = withMachine(azure.arm.state, aMachine(2, { resourceGroup: 'other' }));
    const [machine, second] = await allOf(compute.virtualMachines.list('blue'));
    assert.equal(second, undefined);
    assert.equal(machine?.name, 'worker-1');
    assert.match(machine?.id ?? '', /\/resourceGroups\/BLUE\/providers\/Microsoft\.Compute\//);
    assert.equal(machine?.osProfile?.computerName, 'worker-1');
    assert.equal(machine?.hardwareProfile?.vmSize, 'Standard_D4s_v5');
    assert.equal(machine?.provisioningState, 'Succeeded');
    assert.deepEqual(machine?.zones, ['2']);
    assert.match(machine?.networkProfile?.networkInterfaces?.[0]?.id ?? '', /\/worker-1-nic$/);
    assert.equal(machine?.instanceView, undefined);
  });

  it('shows power states and fault domains of all machines, and nothing else, with statusOnly', async () => {
    azure.arm.state = withMachine(
      azure.arm.state,
      aMachine(1, { power: 'deallocated', faultDomain: 1 }),
    );
    const [machine] = await allOf(compute.virtualMachines.listAll({ statusOnly: 'true' }));
    assert.deepEqual(
      machine?.instanceView?.statuses?.map(({ code }) => code),
      ['ProvisioningState/succeeded', 'PowerState/deallocated'],
    );
    assert.equal(machine?.instanceView?.platformFaultDomain, 1);
    assert.equal(machine?.hardwareProfile, undefined);
  });

  it('gives the machines of a Flexible scale set by a filter, and refuses expand without it', async () => {
    const flexible = aScaleSet('flex', { mode: 'Flexible' });
    azure.arm.state = withScaleSet(azure.arm.state, flexible);
    const id = scaleSetId(flexible);
    azure.arm.state = withMachine(azure.arm.state, aMachine(1, { scaleSet: id }));
    azure.arm.state = withMachine(azure.arm.state, aMachine(2));
    const filter = `'virtualMachineScaleSet/id' eq '${id}'`;
    const options = { filter, expand: 'instanceView' };
    const [machine, second] = await allOf(compute.virtualMachines.list('blue', options));
    assert.equal(machine?.name, 'worker-1');
    assert.equal(keyOf(machine?.virtualMachineScaleSet?.id ?? ''), keyOf(id));
    assert.equal(machine?.instanceView?.statuses?.[1]?.code, 'PowerState/running');
    assert.equal(second, undefined);
    const bare = compute.virtualMachines.list('blue', { expand: 'instanceView' });
    await assert.rejects(allOf(bare), { code: 'InvalidParameter', statusCode: 400 });
    assert.deepEqual(await allOf(compute.virtualMachineScaleSetVMs.list('blue', 'flex')), []);
  });

  it('lists scale sets, their instances, and all their interfaces and public addresses at once', async () => {
    const configurations = [
      aConfiguration('10.0.0.7', { publicAddress: { name: 'pip', address: '192.0.2.7' } }),
      aConfiguration('fd00::7', { name: 'ipv6' }),
    ];
    const instance = anInstance('pool', 7, {
      interfaces: [anInterface(7, { name: 'nic', configurations })],
    });
    azure.arm.state = withScaleSet(azure.arm.state, aScaleSet('pool', { instances: [instance] }));
    const [scaleSet] = await allOf(compute.virtualMachineScaleSets.list('blue'));
    assert.equal(scaleSet?.orchestrationMode, 'Uniform');
    assert.equal(scaleSet?.virtualMachineProfile?.osProfile?.computerNamePrefix, 'pool');
    const expand = 'instanceView';
    const [read] = await allOf(compute.virtualMachineScaleSetVMs.list('blue', 'pool', { expand }));
    assert.equal(read?.instanceId, '7');
    assert.equal(read?.name, 'pool_7');
    assert.equal(read?.osProfile?.computerName, 'pool000007');
    assert.equal(read?.sku?.name, 'Standard_D4s_v5');
    assert.deepEqual(read?.zones, ['2']);
    assert.equal(read?.instanceView?.platformFaultDomain, 0);
    const { networkInterfaces, publicIPAddresses } = network;
    const [nic] = await allOf(
      networkInterfaces.listVirtualMachineScaleSetNetworkInterfaces('blue', 'pool'),
    );
    assert.match(
      nic?.virtualMachine?.id ?? '',
      /\/virtualMachineScaleSets\/pool\/virtualMachines\/7$/,
    );
    assert.deepEqual(
      nic?.ipConfigurations?.map((each) => [
        each.privateIPAddress,
        each.privateIPAddressVersion,
        each.primary,
      ]),
      [
        ['10.0.0.7', 'IPv4', true],
        ['fd00::7', 'IPv6', false],
      ],
    );
    const [address] = await allOf(
      publicIPAddresses.listVirtualMachineScaleSetPublicIPAddresses('blue', 'pool'),
    );
    assert.equal(address?.ipAddress, '192.0.2.7');
    assert.equal(address?.id, nic?.ipConfigurations?.[0]?.publicIPAddress?.id);
    await assert.rejects(allOf(compute.virtualMachineScaleSetVMs.list('blue', 'gone')), {
      code: 'ResourceNotFound',
      statusCode: 404,
    });
  });

  it('keeps interfaces and public addresses in the resource group that they lie in', async () => {
    const configurations = [
      aConfiguration('10.0.0.1', {
        publicAddress: { name: 'pip', resourceGroup: 'addresses', address: '192.0.2.1' },
      }),
      aConfiguration('10.0.1.0/28', { name: 'pods', primary: false }),
    ];
    const machine = aMachine(1, { interfaces: [anInterface(1, { configurations })] });
    azure.arm.state = withMachine(azure.arm.state, machine);
    const [nic] = await allOf(network.networkInterfaces.list('blue'));
    assert.equal(nic?.ipConfigurations?.[1]?.privateIPAddress, '10.0.1.0/28');
    assert.equal(nic?.ipConfigurations?.[1]?.privateIPAddressPrefixLength, 28);
    assert.deepEqual(await allOf(network.publicIPAddresses.list('blue')), []);
    const [address] = await allOf(network.publicIPAddresses.list('addresses'));
    assert.equal(address?.ipAddress, '192.0.2.1');
    assert.equal(address?.id, nic?.ipConfigurations?.[0]?.publicIPAddress?.id);
  });

  it('pages by links, whatever the order', async () => {
    azure.arm.pageSize = 3;
    const names = [1, 2, 3, 4, 5, 6, 7].map((number) => {
      azure.arm.state = withMachine(azure.arm.state, aMachine(number));
      return `worker-${number}`;
    });
    for (const _ of [1, 2]) {
      azure.arm.forgetCalls();
      const read = await allOf(compute.virtualMachines.list('blue'));
      assert.deepEqual(read.map(({ name = '' }) => name).toSorted(), names);
      assert.equal(azure.arm.calls.length, 3);
    }
  });

  it('refuses a write over a table that has changed, and loses nothing that a PUT carries', async () => {
    const firewall = aRoute('firewall', '0.0.0.0/0', '10.0.0.254');
    const tag = aRoute('storage', 'Storage.WestEurope', '10.0.0.254');
    const foreign = [firewall, tag];
    const tags = { owner: 'network team' };
    azure.arm.state = withTable(azure.arm.state, aTable('blue', { routes: foreign, tags }));
    const stale = await network.routeTables.get('blue', 'blue');
    const route = {
      name: 'worker-1',
      addressPrefix: '10.244.0.0/24',
      nextHopType: 'VirtualAppliance',
      nextHopIpAddress: '10.0.0.1',
    };
    const put = async (table: typeof stale): Promise<typeof stale> => {
      const requestOptions = { headers: { 'If-Match': table.etag ?? '' } };
      const body = { ...table, routes: [...(table.routes ?? []), route] };
      return network.routeTables.createOrUpdate('blue', 'blue', body, { requestOptions });
    };
    const written = await put(stale);
    assert.notEqual(written.etag, stale.etag);
    assert.deepEqual(tableNow()?.tags, tags);
    assert.deepEqual(tableNow()?.routes.slice(0, 2), foreign);
    assert.deepEqual(tableNow()?.routes[2], aRoute('worker-1', '10.244.0.0/24', '10.0.0.1'));
    await assert.rejects(put(stale), { code: 'PreconditionFailed', statusCode: 412 });
    azure.arm.beforeWrites.push(() => {
      azure.arm.state = withTable(azure.arm.state, aTable('blue', { tags }));
    });
    await assert.rejects(put(written), { code: 'PreconditionFailed', statusCode: 412 });
    assert.deepEqual(tableNow()?.routes, []);
    await assert.rejects(network.routeTables.get('blue', 'gone'), {
      code: 'ResourceNotFound',
      statusCode: 404,
    });
  });

  const badRoutes = [
    {
      name: 'a destination twice',
      routes: [aPut('a', '10.0.0.0/24'), aPut('b', '10.0.0.0/24')],
      want: 'RouteConflict',
    },
    {
      name: 'a name with a slash',
      routes: [aPut('a/b', '10.0.0.0/24')],
      want: 'InvalidResourceName',
    },
    {
      name: 'a prefix with host bits',
      routes: [aPut('a', '10.0.0.1/24')],
      want: 'InvalidAddressPrefixFormat',
    },
    {
      name: 'a hop of the other family',
      routes: [aPut('a', 'fd00::/64')],
      want: 'InvalidNextHopIpAddress',
    },
    {
      name: 'too many routes',
      routes: [aPut('a', '10.0.0.0/24'), aPut('b', '10.0.1.0/24'), aPut('c', '10.0.2.0/24')],
      want: 'RouteTableRouteLimitExceeded',
    },
  ];
  for (const { name, routes, want } of badRoutes) {
    it(`refuses a table with ${name}`, async () => {
      azure.arm.state = withTable(azure.arm.state, aTable('blue', { routesMax: 2 }));
      const body = { location: 'westeurope', routes };
      await assert.rejects(async () => network.routeTables.createOrUpdate('blue', 'blue', body), {
        code: want,
        statusCode: 400,
      });
      assert.deepEqual(tableNow()?.routes, []);
    });
  }

  for (const header of ['Azure-AsyncOperation', 'Location'] as const) {
    it(`ends writes later, well or badly, by ${header}`, async () => {
      const create = async (): Promise<unknown> =>
        network.routeTables.createOrUpdate(
          'blue',
          'blue',
          { location: 'westeurope' },
          { updateIntervalInMs: 1 },
        );
      const error = new ArmError('NetcfgInvalidSubnet', 'The subnet is not valid.');
      azure.arm.nextWrites.push({ kind: 'async', header, polls: 2, error });
      await assert.rejects(create);
      assert.equal(tableNow(), undefined);
      azure.arm.nextWrites.push({ kind: 'async', header, polls: 2 });
      azure.arm.forgetCalls();
      await create();
      assert.equal(tableNow()?.name, 'blue');
      const polls = azure.arm.calls.filter((call) => call.startsWith('operation'));
      assert.equal(polls.length, 3);
    });
  }

  it('refuses a second write while one is under way', async () => {
    azure.arm.nextWrites.push({ kind: 'async', header: 'Azure-AsyncOperation', polls: 1_000 });
    const create = () =>
      network.routeTables.createOrUpdate('blue', 'blue', { location: 'westeurope' });
    await create().submitted();
    await assert.rejects(async () => create(), {
      code: 'RetryableErrorDueToAnotherOperation',
      statusCode: 429,
    });
  });

  it('tells a missing subscription, resource group and right apart', async () => {
    const [elsewhere] = clientsOf('99999999-9999-4999-8999-999999999999');
    await assert.rejects(allOf(elsewhere.virtualMachines.list('blue')), {
      code: 'SubscriptionNotFound',
      statusCode: 404,
    });
    azure.arm.denied.add('Microsoft.Compute/virtualMachines/read');
    await assert.rejects(allOf(compute.virtualMachines.list('blue')), {
      code: 'AuthorizationFailed',
      statusCode: 403,
    });
    azure.arm.denied.clear();
    azure.arm.state = withoutResourceGroup(azure.arm.state, {
      subscription,
      resourceGroup: 'blue',
    });
    await assert.rejects(allOf(compute.virtualMachines.list('blue')), {
      code: 'ResourceGroupNotFound',
      statusCode: 404,
    });
  });

  it('throttles with a time to wait, and counts the calls that are left', async () => {
    azure.arm.remaining = { reads: 249 };
    const seen: (string | undefined)[] = [];
    const onResponse = ({
      headers,
    }: {
      headers: { get(name: string): string | undefined };
    }): void => {
      seen.push(
        headers.get('retry-after'),
        headers.get('x-ms-ratelimit-remaining-subscription-reads'),
      );
    };
    await allOf(compute.virtualMachines.list('blue', { onResponse }));
    azure.arm.nextFaults.push({ call: 'virtualMachines.list', fault: throttled(17) });
    await assert.rejects(allOf(compute.virtualMachines.list('blue', { onResponse })), {
      statusCode: 429,
    });
    assert.deepEqual(seen, [undefined, '249', '17', undefined]);
  });

  it('hangs, resets, loses answers after the effect, answers with garbage and with empty lists', async () => {
    azure.arm.state = withMachine(azure.arm.state, aMachine(1));
    const machines = async (): Promise<number> =>
      (await allOf(compute.virtualMachines.list('blue'))).length;
    azure.arm.faults.set('virtualMachines.list', { kind: 'empty' });
    assert.equal(await machines(), 0);
    azure.arm.faults.set('virtualMachines.list', { kind: 'garbage' });
    await assert.rejects(machines);
    azure.arm.faults.set('virtualMachines.list', { kind: 'reset' });
    await assert.rejects(machines, { code: 'ECONNRESET' });
    azure.arm.faults.clear();
    azure.arm.fault = { kind: 'hang' };
    azure.arm.forgetCalls();
    const giveUp = new AbortController();
    const hanging = allOf(compute.virtualMachines.list('blue', { abortSignal: giveUp.signal }));
    await eventually(() => azure.arm.calls.length === 1);
    giveUp.abort();
    await assert.rejects(hanging, { name: 'AbortError' });
    azure.arm.fault = undefined;
    azure.arm.nextFaults.push({ call: 'routeTables.createOrUpdate', fault: { kind: 'lose' } });
    const lost = async (): Promise<unknown> =>
      network.routeTables.createOrUpdate('blue', 'blue', { location: 'westeurope' });
    await assert.rejects(lost, { code: 'ECONNRESET' });
    assert.equal(tableNow()?.name, 'blue');
    assert.equal(await machines(), 1);
  });

  it('refuses what it does not know, as ARM does', async () => {
    const token = azure.entra.issue(azure.entra.audience);
    const authorized = { headers: { authorization: `Bearer ${token}` } };
    const codeOf = async (
      path: string,
      options: Parameters<typeof ask>[1] = authorized,
    ): Promise<unknown> => {
      const { status, json } = await ask(`${azure.arm.url}${path}`, options);
      return [status, (json as { error: { code: string } }).error.code];
    };
    const machines = `/subscriptions/${subscription}/resourceGroups/blue/providers/Microsoft.Compute/virtualMachines`;
    const tables = `/subscriptions/${subscription}/resourceGroups/blue/providers/Microsoft.Network/routeTables`;
    const put = (body: string): Parameters<typeof ask>[1] => ({
      method: 'PUT',
      ...authorized,
      body,
    });
    assert.deepEqual(await codeOf(machines), [400, 'MissingApiVersionParameter']);
    assert.deepEqual(await codeOf(`${machines}?api-version=2015-06-15`), [
      400,
      'NoRegisteredProviderFound',
    ]);
    assert.deepEqual(await codeOf(`${machines}?api-version=2026-04-01&top=3`), [
      400,
      'InvalidQueryParameter',
    ]);
    assert.deepEqual(await codeOf(`${machines}?api-version=2026-04-01&$expand=all`), [
      400,
      'InvalidParameter',
    ]);
    assert.deepEqual(await codeOf('/subscriptions/x/odd'), [404, 'InvalidResourceType']);
    assert.deepEqual(await codeOf(`${machines}?api-version=2026-04-01`, { headers: {} }), [
      401,
      'AuthenticationFailed',
    ]);
    const headers = { authorization: 'Bearer other' };
    assert.deepEqual(await codeOf(`${machines}?api-version=2026-04-01`, { headers }), [
      401,
      'InvalidAuthenticationToken',
    ]);
    const table = `${tables}/blue?api-version=2026-01-01`;
    assert.deepEqual(await codeOf(table, put('{"properties": {}}')), [400, 'LocationRequired']);
    assert.deepEqual(await codeOf(table, put('{"location": "westeurope", "colour": "blue"}')), [
      400,
      'InvalidRequestContent',
    ]);
    assert.deepEqual(await codeOf(table, put('{')), [400, 'InvalidRequestContent']);
  });
});

function aPut(
  name: string,
  addressPrefix: string,
): Record<'name' | 'addressPrefix' | 'nextHopType' | 'nextHopIpAddress', string> {
  return { name, addressPrefix, nextHopType: 'VirtualAppliance', nextHopIpAddress: '10.0.0.1' };
}

async function allOf<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
