/** Interfaces and public addresses as Microsoft.Network writes them, of machines and of scale sets. */
import {
  attachedToInstance,
  attachedToMachine,
  type Attached,
  configurationId,
  keyOf,
} from './ids.ts';
import type {
  ArmState,
  FakeConfiguration,
  FakeInterface,
  FakePublicAddress,
  FakeScaleSet,
} from './state.ts';

interface AttachedInterface {
  readonly attached: Attached;
  readonly location: string;
  readonly each: FakeInterface;
}

interface AttachedAddress {
  readonly id: string;
  readonly configuration: string;
  readonly location: string;
  readonly version: FakeConfiguration['version'];
  readonly address: FakePublicAddress;
}

/** Interfaces that are resources of their own: those of machines. */
export function interfacesOfMachines(state: ArmState): AttachedInterface[] {
  return [...state.machines.values()].flatMap((machine) => {
    const attached = attachedToMachine(machine);
    return machine.interfaces.map((each) => ({ attached, location: machine.location, each }));
  });
}

/** Interfaces of a Uniform scale set: its instances have them as parts. */
export function interfacesOfScaleSet(scaleSet: FakeScaleSet): AttachedInterface[] {
  return scaleSet.instances.flatMap((instance) => {
    const attached = attachedToInstance(scaleSet, instance.instanceId);
    return instance.interfaces.map((each) => ({ attached, location: instance.location, each }));
  });
}

export function addressesOf(interfaces: readonly AttachedInterface[]): AttachedAddress[] {
  return interfaces.flatMap(({ attached, location, each }) =>
    each.configurations.flatMap((configuration) => {
      const { publicAddress: address, version } = configuration;
      if (address === undefined) return [];
      const ofConfiguration = configurationId(attached.interfaceId(each), configuration);
      const id = attached.publicAddressId(ofConfiguration, address);
      return [{ id, configuration: ofConfiguration, location, version, address }];
    }),
  );
}

/** Those of one resource group; ids are compared without regard to case. */
export function inGroup<T>(items: readonly T[], group: string, idOf: (item: T) => string): T[] {
  const prefix = `${keyOf(group)}/`;
  return items.filter((item) => keyOf(idOf(item)).startsWith(prefix));
}

export const idOfInterface = ({ attached, each }: AttachedInterface): string =>
  attached.interfaceId(each);

export function interfaceJson({ attached, location, each }: AttachedInterface): unknown {
  const id = attached.interfaceId(each);
  return {
    name: each.name,
    id,
    etag: 'W/"1"',
    type: 'Microsoft.Network/networkInterfaces',
    location,
    properties: {
      provisioningState: 'Succeeded',
      ipConfigurations: each.configurations.map((configuration) =>
        configurationJson(attached, id, configuration),
      ),
      dnsSettings: {
        dnsServers: [],
        appliedDnsServers: [],
        internalDomainNameSuffix: 'ax.internal',
      },
      macAddress: '00-0D-3A-00-00-01',
      enableAcceleratedNetworking: true,
      enableIPForwarding: each.forwarding,
      primary: each.primary,
      virtualMachine: { id: attached.id },
      nicType: 'Standard',
    },
  };
}

function configurationJson(
  attached: Attached,
  ofInterface: string,
  given: FakeConfiguration,
): unknown {
  const { name, address, version, primary, publicAddress } = given;
  const [, prefixLength] = address.split('/');
  const id = configurationId(ofInterface, given);
  return {
    name,
    id,
    etag: 'W/"1"',
    type: 'Microsoft.Network/networkInterfaces/ipConfigurations',
    properties: {
      provisioningState: 'Succeeded',
      privateIPAddress: address,
      ...(prefixLength === undefined ? {} : { privateIPAddressPrefixLength: Number(prefixLength) }),
      privateIPAllocationMethod: 'Dynamic',
      privateIPAddressVersion: version,
      primary,
      subnet: {
        id: `${ofInterface.split('/providers/')[0]}/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes`,
      },
      ...(publicAddress === undefined
        ? {}
        : { publicIPAddress: { id: attached.publicAddressId(id, publicAddress) } }),
    },
  };
}

export function publicAddressJson(each: AttachedAddress): unknown {
  return {
    name: each.address.name,
    id: each.id,
    etag: 'W/"1"',
    type: 'Microsoft.Network/publicIPAddresses',
    location: each.location,
    sku: { name: 'Standard', tier: 'Regional' },
    properties: {
      provisioningState: 'Succeeded',
      ...(each.address.address === undefined ? {} : { ipAddress: each.address.address }),
      publicIPAddressVersion: each.version,
      publicIPAllocationMethod: 'Static',
      idleTimeoutInMinutes: 4,
      ipConfiguration: { id: each.configuration },
    },
  };
}
