/** Builds the plug's instance from a machine: with all of its addresses, or not at all (P3). */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Instance } from '@tandem/provider/plug';
import { AzureError } from './failure.ts';
import type { InterfaceFacts, PublicAddressFacts } from './interface.ts';
import type { Machine } from './machine.ts';
import { providerIDOf } from './provider-id.ts';
import { idKeyOf } from './resource-id.ts';
import { stateOf } from './state.ts';

export interface MachineNetwork {
  readonly interface: InterfaceFacts | undefined;
  /** The public addresses of the scopes that the interface names, by key. */
  readonly publicAddresses: ReadonlyMap<string, PublicAddressFacts>;
}

/** Throws an `AzureError` if Azure's lists lack a part of the instance. */
export function instanceOf(machine: Machine, network: MachineNetwork): Instance {
  const { id, type, region } = machine;
  const state = stateOf(machine.status);
  if (state === undefined) throw incomplete(machine, 'its power state is');
  const zone = zoneOf(machine);
  return {
    providerID: providerIDOf(id),
    addresses: addressesOf(machine, network),
    ...(type !== undefined && { instanceType: type }),
    ...(zone !== undefined && { zone }),
    ...(region !== undefined && { region }),
    state,
    labels: {},
    podBlocks: network.interface?.podBlocks ?? { IPv4: [], IPv6: [] },
  };
}

/**
 * Lists the addresses in upstream's order. Addresses of the second family follow those of the first of the same type.
 */
function addressesOf(machine: Machine, network: MachineNetwork): readonly NodeAddress[] {
  const { interface: own, publicAddresses } = network;
  if (own === undefined) throw incomplete(machine, 'its primary network interface is');
  if (own.addresses.length === 0) throw incomplete(machine, 'the address of its interface is');
  const external = own.publicIds.flatMap((publicId) => {
    const known = publicAddresses.get(idKeyOf(publicId));
    if (known === undefined) throw incomplete(machine, `its public address ${publicId} is`);
    return known.address ?? [];
  });
  return [
    ...own.addresses.map((address) => ({ type: 'InternalIP', address })),
    { type: 'Hostname', address: machine.names[0] },
    ...external.map((address) => ({ type: 'ExternalIP', address })),
  ];
}

/**
 * Returns a zone such as `westeurope-1`, or the number of the fault domain. For a machine that has neither, upstream's
 * manager uses fault domain 0 if it is standalone, and fails if it is in a scale set; here such an instance has no
 * zone.
 */
function zoneOf({ region, zone, faultDomain, isInScaleSet }: Machine): string | undefined {
  if (zone !== undefined && region !== undefined) return `${region}-${zone}`.toLowerCase();
  if (faultDomain !== undefined) return String(faultDomain);
  return isInScaleSet ? undefined : '0';
}

function incomplete({ id }: Machine, what: string): AzureError {
  return new AzureError(
    'AzureInstanceIncomplete',
    `Azure listed ${id}, but ${what} not in its lists`,
  );
}
