/** Ids of resources as ARM spells them, and the form in which they are compared. */
import type { FakeConfiguration, FakeInterface, FakeMachine, FakePublicAddress } from './state.ts';

export interface ResourceGroupId {
  readonly subscription: string;
  readonly resourceGroup: string;
}

export interface Named extends ResourceGroupId {
  readonly name: string;
}

export const keyOf = (id: string): string => id.toLowerCase();

export const groupId = ({ subscription, resourceGroup }: ResourceGroupId): string =>
  `/subscriptions/${subscription}/resourceGroups/${resourceGroup}`;

export const machineId = (machine: Named): string =>
  `${groupId(machine)}/providers/Microsoft.Compute/virtualMachines/${machine.name}`;

export const scaleSetId = (scaleSet: Named): string =>
  `${groupId(scaleSet)}/providers/Microsoft.Compute/virtualMachineScaleSets/${scaleSet.name}`;

export const instanceIdOf = (scaleSet: Named, instanceId: string): string =>
  `${scaleSetId(scaleSet)}/virtualMachines/${instanceId}`;

export const tableId = (table: Named): string =>
  `${groupId(table)}/providers/Microsoft.Network/routeTables/${table.name}`;

/** Of a machine's interface: a resource of its own, which may lie elsewhere. */
function interfaceId(machine: ResourceGroupId, { name, resourceGroup }: FakeInterface): string {
  const place = { ...machine, resourceGroup: resourceGroup ?? machine.resourceGroup };
  return `${groupId(place)}/providers/Microsoft.Network/networkInterfaces/${name}`;
}

/** Of an interface of an instance: a part of its scale set. */
const instanceInterfaceId = (instance: string, { name }: FakeInterface): string =>
  `${instance}/networkInterfaces/${name}`;

export const configurationId = (ofInterface: string, { name }: FakeConfiguration): string =>
  `${ofInterface}/ipConfigurations/${name}`;

function publicAddressId(machine: ResourceGroupId, address: FakePublicAddress): string {
  const place = { ...machine, resourceGroup: address.resourceGroup ?? machine.resourceGroup };
  return `${groupId(place)}/providers/Microsoft.Network/publicIPAddresses/${address.name}`;
}

const instancePublicAddressId = (configuration: string, { name }: FakePublicAddress): string =>
  `${configuration}/publicIPAddresses/${name}`;

/** Compute answers with the resource group in capitals, whatever it was created with. */
export const inCapitals = (id: string): string =>
  id.replace(
    /\/resourceGroups\/([^/]+)/i,
    (_, group: string) => `/resourceGroups/${group.toUpperCase()}`,
  );

/** A machine or an instance, with the ids that its interfaces and public addresses have. */
export interface Attached {
  readonly id: string;
  interfaceId(each: FakeInterface): string;
  publicAddressId(configuration: string, address: FakePublicAddress): string;
}

export const attachedToMachine = (machine: FakeMachine): Attached => ({
  id: machineId(machine),
  interfaceId: (each) => interfaceId(machine, each),
  publicAddressId: (_, address) => publicAddressId(machine, address),
});

export const attachedToInstance = (scaleSet: Named, instanceId: string): Attached => {
  const id = instanceIdOf(scaleSet, instanceId);
  return {
    id,
    interfaceId: (each) => instanceInterfaceId(id, each),
    publicAddressId: instancePublicAddressId,
  };
};
