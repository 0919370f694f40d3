/** The manager on Azure: nodes of scale sets and of single machines, credentials good and bad. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAddress } from '@tandem/core/ip';
import {
  aConfiguration,
  aMachine,
  anInterface,
  aScaleSet,
  FakeAzure,
  scaleSetId,
  subscription,
  withInstance,
  withScaleSet,
} from '../../support/arm/index.ts';
import { type KepRow, readKepRows } from '../../support/vectors.ts';
import { operate } from '../operate/operated.ts';
import {
  aBusyInterface,
  anInstanceOfPool,
  azureFiles,
  nodeNameOf,
  openAzureCluster,
  pool,
} from './azure-cluster.ts';
import { addressesOf, hasTaint, ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

describe('on Azure, the manager', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('initialises its nodes with all that Azure knows, by workload identity, and no others', async () => {
    const flexible = aScaleSet('flex', { mode: 'Flexible' });
    const publicAddress = { name: 'pip', resourceGroup: 'addresses', address: '192.0.2.1' };
    const configurations = [
      aConfiguration('10.0.0.1', { publicAddress }),
      aConfiguration('fd00::1', {
        name: 'ipv6',
        publicAddress: { name: 'pip6', address: '2001:db8::1' },
      }),
    ];
    const interfaces = [anInterface(1, { configurations })];
    const single = aMachine(1, { resourceGroup: 'Blue', faultDomain: 1, interfaces });
    const ofFlexible = aMachine(2, {
      name: 'flex_1a2b3c4d',
      computerName: 'flex00001A',
      scaleSet: scaleSetId(flexible),
      zones: ['2'],
    });
    const instance = anInstanceOfPool(3, { size: 'Standard_E8s_v5', zones: ['3'] });
    const federatedToken = 'token-of-the-service-account';
    await using cluster = await openAzureCluster(open, {
      config: { aadClientId: '', aadClientSecret: '', useFederatedWorkloadIdentityExtension: true },
      before: ({ arm, entra }) => {
        arm.state = withScaleSet(arm.state, flexible);
        entra.client = { id: entra.client.id, federatedToken };
      },
      credentials: async ({ directory }, { entra }) => {
        const tokenFile = join(directory, 'token');
        await writeFile(tokenFile, federatedToken);
        return {
          AZURE_TENANT_ID: entra.tenant,
          AZURE_CLIENT_ID: entra.client.id,
          AZURE_FEDERATED_TOKEN_FILE: tokenFile,
        };
      },
    });
    cluster.put(single);
    cluster.put(ofFlexible);
    cluster.putInstance(instance);
    const { scenario, manager } = cluster;
    cluster.putInstance(anInstanceOfPool(4));
    const labels = { 'kubernetes.azure.com/managed': 'false' };
    await scenario.register({ name: 'pool000004', labels });
    await scenario.register({ name: 'on-premises', providerID: 'static:///rack/1' });
    const names = [single, ofFlexible, instance].map(nodeNameOf);
    for (const name of names) await scenario.register({ name });
    await scenario.untilInitialised(names);
    const seen = names.map((name) => {
      const { metadata, spec } = scenario.node(name);
      const keys = ['node.kubernetes.io/instance-type', 'topology.kubernetes.io/zone'];
      return [spec.providerID, ...keys.map((label) => metadata.labels?.[label])];
    });
    const inBlue = `azure:///subscriptions/${subscription}/resourceGroups/blue/providers/Microsoft.Compute`;
    assert.deepEqual(seen, [
      [`${inBlue}/virtualMachines/worker-1`, 'Standard_D4s_v5', '1'],
      [`${inBlue}/virtualMachines/flex_1a2b3c4d`, 'Standard_D4s_v5', 'westeurope-2'],
      [
        `${inBlue}/virtualMachineScaleSets/pool/virtualMachines/3`,
        'Standard_E8s_v5',
        'westeurope-3',
      ],
    ]);
    assert.deepEqual(addressesOf(scenario.node('worker-1')), [
      'InternalIP 10.0.0.1',
      'InternalIP fd00::1',
      'Hostname worker-1',
      'ExternalIP 192.0.2.1',
      'ExternalIP 2001:db8::1',
    ]);
    assert.deepEqual(ipsOf(scenario.node('pool000003')), ['10.0.0.3', 'fd00::3']);
    await scenario.untilSaid('on-premises', 'ForeignProviderID');
    const ofUnmanaged = scenario.eventsOf('pool000004').filter(({ type }) => type === 'Warning');
    assert.deepEqual(ofUnmanaged, []);
    for (const name of ['pool000004', 'on-premises']) assert(hasTaint(scenario.node(name)), name);
    assert.doesNotMatch(manager.stdout + manager.stderr, /token-of-/);
  });

  it('gives the rows of KEP-3705 to scale-set nodes with a dual-stack interface', async () => {
    await using cluster = await openAzureCluster(open);
    const { scenario } = cluster;
    const rows = readKepRows().map((row, index) => {
      const addresses = oneOfEachFamily(row);
      const interfaces = [aBusyInterface(index + 1, addresses)];
      const instance = anInstanceOfPool(index + 1, { interfaces });
      return { row, addresses, instance, name: nodeNameOf(instance) };
    });
    for (const { row, instance, name } of rows) {
      cluster.putInstance(instance);
      await scenario.register({ name, nodeIP: row.nodeIP });
    }
    const taken = rows.filter(({ row }) => row.addresses !== null);
    await scenario.untilInitialised(taken.map(({ name }) => name));
    for (const { row, addresses, name } of taken) {
      const want = row.addresses?.filter((address) => addresses.includes(address));
      assert.deepEqual(ipsOf(scenario.node(name)), want, `${name}: ${row.nodeIP}`);
    }
    for (const { row, name } of rows) {
      if (row.addresses !== null) continue;
      await scenario.until(() => scenario.eventsOf(name).some(({ type }) => type === 'Warning'));
      assert(hasTaint(scenario.node(name)), name);
    }
    assert.equal(rows.length, 24);
  });
});

describe('on Azure, a manager with a wrong secret', function () {
  this.timeout(180_000);
  const { open } = useInstallation();

  it('says why on the nodes and in its log, shows no secret anywhere, and goes on once it is right', async () => {
    await using scenario = await open();
    await using azure = await FakeAzure.start();
    azure.arm.state = withScaleSet(azure.arm.state, pool);
    azure.arm.state = withInstance(azure.arm.state, pool, anInstanceOfPool(1));
    const { client } = azure.entra;
    const wrong = 'a-secret-that-was-rotated';
    const { provider, environment } = await azureFiles(scenario.directory, azure, {
      aadClientSecret: wrong,
    });
    await scenario.register({ name: 'pool000001' });
    const { manager, port } = await operate(scenario, {
      provider,
      environment,
      flags: ['--configure-cloud-routes=false', '--v=5'],
    });
    const { note } = await scenario.untilSaid('pool000001', 'InstanceLookupFailed');
    assert.match(note, /AADSTS7000215/);
    assert(hasTaint(scenario.node('pool000001')));
    assert(manager.log.some((line) => /AADSTS7000215/.test(JSON.stringify(line))));
    const pages = ['/configz', '/flagz', '/metrics', '/statusz'].map((path) =>
      port.askAsMaster(path),
    );
    const texts = (await Promise.all(pages)).map(({ text }) => text);
    azure.entra.client = { ...client, secret: wrong };
    await scenario.untilInitialised(['pool000001'], 120_000);
    const events = scenario.eventsOf('pool000001').map((event) => event.note);
    const everything = [manager.stdout, manager.stderr, ...texts, ...events].join('\n');
    assert(!everything.includes(wrong));
    assert.doesNotMatch(everything, /token-\d+-of-entra/);
    manager.assertRunning();
  });
});

/** What one interface can have of a row: an address of each family, that which the node asks for if it names one. */
function oneOfEachFamily({ cloud, nodeIP }: KepRow): string[] {
  return ['IPv4', 'IPv6'].flatMap((family) => {
    const all = cloud
      .map(({ address }) => address)
      .filter((text) => parseAddress(text)?.family === family);
    return all.find((address) => (nodeIP ?? '').split(',').includes(address)) ?? all[0] ?? [];
  });
}
