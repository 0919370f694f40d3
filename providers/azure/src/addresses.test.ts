/** Tests how a machine, its interface and its public addresses become an `Instance`. */
import assert from 'node:assert/strict';
import type { VirtualMachine, VirtualMachineScaleSetVM } from '@azure/arm-compute';
import type { NetworkInterface, NetworkInterfaceIPConfiguration } from '@azure/arm-network';
import { instanceOf } from './instance.ts';
import { interfaceOf, publicAddressOf } from './interface.ts';
import { type Machine, machineOfScaleSetVM, machineOfVM, withStatus } from './machine.ts';
import { isDeleting, powerOf, stateOf } from './state.ts';

const group = '/subscriptions/S/resourceGroups/RG/providers';
const nodes = `${group}/Microsoft.Network/virtualNetworks/v/subnets/nodes`;
const pods = `${group}/Microsoft.Network/virtualNetworks/v/subnets/pods`;

const running = { statuses: [{ code: 'PowerState/running' }] };
const aVM: VirtualMachine = {
  id: `${group}/Microsoft.Compute/virtualMachines/Worker-1`,
  name: 'Worker-1',
  location: 'westeurope',
  zones: ['2'],
  hardwareProfile: { vmSize: 'Standard_D4s_v5' },
  osProfile: { computerName: 'worker-1' },
  provisioningState: 'Succeeded',
  instanceView: running,
  networkProfile: { networkInterfaces: [{ id: '/nic/1' }] },
};

describe('addresses on Azure', () => {
  const cases: {
    readonly name: string;
    readonly configurations: readonly NetworkInterfaceIPConfiguration[];
    readonly want: readonly string[];
  }[] = [
    { name: 'are those of the only configuration', configurations: [v4(1)], want: ['10.0.0.1'] },
    {
      name: 'list IPv4 before IPv6, whatever the order of the configurations',
      configurations: [v6(1), v4(1, { primary: true })],
      want: ['10.0.0.1', 'fd00::1'],
    },
    {
      name: 'leave out the secondary configurations of pods',
      configurations: [v4(9), v4(1, { primary: true }), v4(8), v6(1)],
      want: ['10.0.0.1', 'fd00::1'],
    },
    {
      name: 'leave out pod blocks, whether one field or two give the prefix length',
      configurations: [
        v4(16, { privateIPAddress: '10.0.0.16/28' }),
        v4(32, { privateIPAddressPrefixLength: 28 }),
        v6(0, { privateIPAddress: 'fd00::1:0', privateIPAddressPrefixLength: 112 }),
        v4(1, { primary: true }),
        v6(1),
      ],
      want: ['10.0.0.1', 'fd00::1'],
    },
    {
      name: 'prefer the IPv6 configuration in the node’s subnet to one in the pods’ subnet',
      configurations: [v4(1, { primary: true }), v6(7, { subnet: { id: pods } }), v6(1)],
      want: ['10.0.0.1', 'fd00::1'],
    },
    {
      name: 'include a single address that has an explicit prefix length',
      configurations: [v4(1, { privateIPAddressPrefixLength: 32 })],
      want: ['10.0.0.1'],
    },
    { name: 'are empty when none of several is primary', configurations: [v4(1), v4(2)], want: [] },
    {
      name: 'are empty while the primary configuration has none',
      configurations: [{ primary: true }, v6(1)],
      want: [],
    },
  ];
  for (const { name, configurations, want } of cases) {
    it(name, () => assert.deepEqual(read(configurations).addresses, want));
  }

  it('exclude pod blocks, which the interface lists by family', () => {
    const { podBlocks } = read([
      v4(1, { primary: true }),
      v4(32, { privateIPAddressPrefixLength: 28 }),
      v4(16, { privateIPAddress: '10.0.0.16/28' }),
      v6(0, { privateIPAddress: 'fd00:1::/80' }),
    ]);
    assert.deepEqual(podBlocks, { IPv4: ['10.0.0.16/28', '10.0.0.32/28'], IPv6: ['fd00:1::/80'] });
  });

  it('are listed as InternalIP of both families, Hostname, ExternalIP of both families', () => {
    const ids = ['/PIP/Four', '/pip/six'];
    const configurations = [
      v4(1, { primary: true, publicIPAddress: { id: ids[0] ?? '', location: '' } }),
      v6(1, { publicIPAddress: { id: ids[1] ?? '', location: '' } }),
      v4(9, { publicIPAddress: { id: '/pip/of-a-pod', location: '' } }),
    ];
    const listed = [
      { id: '/pip/four', ipAddress: '20.0.0.1' },
      { id: '/pip/SIX', ipAddress: '2001:db8::1' },
    ];
    assert.deepEqual(instance({ configurations, listed }).addresses, [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: 'fd00::1' },
      { type: 'Hostname', address: 'worker-1' },
      { type: 'ExternalIP', address: '20.0.0.1' },
      { type: 'ExternalIP', address: '2001:db8::1' },
    ]);
    const unallocated = [{ id: '/pip/four' }, { id: '/pip/six', ipAddress: '' }];
    const types = instance({ configurations, listed: unallocated }).addresses.map(
      ({ type }) => type,
    );
    assert.deepEqual(types, ['InternalIP', 'InternalIP', 'Hostname']);
  });

  it('are never partial: a missing interface, address or state is an error', () => {
    const withPublic = [v4(1, { publicIPAddress: { id: '/pip/four', location: '' } })];
    const broken = { code: 'AzureInstanceIncomplete' };
    assert.throws(() => instance({ configurations: withPublic }), broken);
    assert.throws(() => instance({ configurations: [{ primary: true }] }), broken);
    assert.throws(
      () => instanceOf(machine(), { interface: undefined, publicAddresses: new Map() }),
      broken,
    );
    assert.throws(() => instance({ vm: { ...aVM, instanceView: {} } }), broken);
  });
});

describe('an Azure machine', () => {
  it('has the type, region, zone and providerID that upstream gives it', () => {
    const { providerID, instanceType, region, zone, labels } = instance({});
    assert.deepEqual(
      { providerID, instanceType, region, zone, labels },
      {
        providerID:
          'azure:///subscriptions/S/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/Worker-1',
        instanceType: 'Standard_D4s_v5',
        region: 'westeurope',
        zone: 'westeurope-2',
        labels: {},
      },
    );
  });

  const zones = [
    { name: 'its availability zone', vm: {}, want: 'westeurope-2' },
    {
      name: 'its fault domain when it is in no zone',
      vm: { zones: [], instanceView: { ...running, platformFaultDomain: 3 } },
      want: '3',
    },
    { name: 'fault domain 0 when Azure names neither', vm: { zones: [] }, want: '0' },
    {
      name: 'nothing in a scale set when Azure names neither',
      vm: { zones: [], virtualMachineScaleSet: { id: '/vmss' } },
      want: undefined,
    },
  ];
  for (const { name, vm, want } of zones) {
    it(`reports as its zone ${name}`, () => {
      assert.equal(instance({ vm: { ...aVM, ...vm } }).zone, want);
    });
  }

  const names: {
    readonly name: string;
    readonly vm: Partial<VirtualMachine>;
    readonly want: string[];
  }[] = [
    { name: 'by the name that its resource and its host share', vm: {}, want: ['worker-1'] },
    {
      name: 'by either name when they differ',
      vm: { osProfile: { computerName: 'Host' } },
      want: ['host', 'worker-1'],
    },
    {
      name: 'by its host name alone in a Flexible scale set',
      vm: { osProfile: { computerName: 'pool000001' }, virtualMachineScaleSet: { id: '/vmss' } },
      want: ['pool000001'],
    },
    {
      name: 'by its resource name when it has no host name',
      vm: { osProfile: {} },
      want: ['worker-1'],
    },
  ];
  for (const { name, vm, want } of names) {
    it(`is found ${name}`, () => assert.deepEqual(machine({ ...aVM, ...vm }).names, want));
  }

  it('is read in the same way from an instance of a Uniform scale set', () => {
    const vm: VirtualMachineScaleSetVM = {
      id: `${group}/Microsoft.Compute/virtualMachineScaleSets/Pool/virtualMachines/7`,
      name: 'Pool_7',
      location: 'WestEurope',
      sku: { name: 'Standard_D8s_v5' },
      zones: ['1'],
      osProfile: { computerName: 'Pool000007' },
      provisioningState: 'Succeeded',
      instanceView: running,
      networkProfile: {
        networkInterfaces: [{ id: '/NIC/other' }, { id: '/NIC/7', primary: true }],
      },
    };
    const { id, ref, ...facts } = machineOfScaleSetVM(vm) ?? assert.fail('not read');
    assert.equal(id, vm.id);
    assert.equal(ref.key, 's/rg/pool/7');
    assert.deepEqual(facts, {
      names: ['pool000007'],
      isInScaleSet: true,
      flexibleSetId: undefined,
      type: 'Standard_D8s_v5',
      region: 'westeurope',
      zone: '1',
      faultDomain: undefined,
      status: { provisioning: 'Succeeded', power: 'running' },
      interfaceKey: '/nic/7',
    });
    assert.equal(machineOfScaleSetVM({ ...vm, id: '/subscriptions/x' }), undefined);
  });

  it('takes its power state and fault domain from the list of statuses', () => {
    const bare = machine({ ...aVM, instanceView: {} });
    const listed = machine({ ...aVM, instanceView: { ...running, platformFaultDomain: 4 } });
    const { status, faultDomain } = withStatus(bare, listed);
    assert.deepEqual({ status, faultDomain }, { status: listed.status, faultDomain: 4 });
  });

  const states: readonly (readonly [string | undefined, string | undefined, string | undefined])[] =
    [
      ['Succeeded', 'running', 'running'],
      ['Updating', 'running', 'running'],
      ['Failed', 'running', 'running'],
      ['Succeeded', 'starting', 'pending'],
      ['Succeeded', 'stopping', 'stopping'],
      ['Succeeded', 'stopped', 'stopped'],
      ['Succeeded', 'deallocating', 'stopped'],
      ['Succeeded', 'deallocated', 'stopped'],
      ['succeeded', 'DEALLOCATED', 'stopped'],
      ['Updating', 'deallocated', 'stopping'],
      ['Creating', undefined, 'pending'],
      ['Creating', 'unknown', 'pending'],
      ['Succeeded', 'unknown', 'running'],
      ['Succeeded', undefined, undefined],
      [undefined, undefined, undefined],
    ];
  for (const [provisioning, power, want] of states) {
    it(`is ${want ?? 'unknown'} when provisioning is ${provisioning} and power ${power}`, () =>
      assert.equal(stateOf({ provisioning, power }), want));
  }

  it('counts as deleted while Azure deletes it', () => {
    assert(isDeleting({ provisioning: 'Deleting', power: 'running' }));
    assert(!isDeleting({ provisioning: 'Failed', power: undefined }));
  });

  it('has its power state read from among other statuses', () => {
    const statuses = [{ code: 'ProvisioningState/succeeded' }, { code: 'powerState/Deallocated' }];
    assert.equal(powerOf(statuses), 'deallocated');
    assert.equal(powerOf([{ code: 'ProvisioningState/succeeded' }, {}]), undefined);
  });
});

function machine(vm: VirtualMachine = aVM): Machine {
  return machineOfVM(vm) ?? assert.fail('the machine was not read');
}

function instance({
  vm = aVM,
  configurations = [v4(1)],
  listed = [],
}: {
  readonly vm?: VirtualMachine;
  readonly configurations?: readonly NetworkInterfaceIPConfiguration[];
  readonly listed?: readonly { readonly id: string; readonly ipAddress?: string }[];
}): ReturnType<typeof instanceOf> {
  const addresses = listed.flatMap((one) => publicAddressOf({ location: '', ...one }) ?? []);
  const publicAddresses = new Map(addresses.map((one) => [one.key, one]));
  return instanceOf(machine(vm), { interface: read(configurations), publicAddresses });
}

function read(
  configurations: readonly NetworkInterfaceIPConfiguration[],
): NonNullable<ReturnType<typeof interfaceOf>> {
  const one: NetworkInterface = {
    id: '/NIC/1',
    location: '',
    ipConfigurations: [...configurations],
  };
  return interfaceOf(one) ?? assert.fail('the interface was not read');
}

function v4(
  host: number,
  changes: Partial<NetworkInterfaceIPConfiguration> = {},
): NetworkInterfaceIPConfiguration {
  return { privateIPAddress: `10.0.0.${host}`, subnet: { id: nodes }, ...changes };
}

function v6(
  host: number,
  changes: Partial<NetworkInterfaceIPConfiguration> = {},
): NetworkInterfaceIPConfiguration {
  const privateIPAddressVersion = 'IPv6';
  return {
    privateIPAddress: `fd00::${host}`,
    privateIPAddressVersion,
    subnet: { id: nodes },
    ...changes,
  };
}
