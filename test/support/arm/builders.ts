/** Machines, scale sets and tables with what is usual; a test says only what matters to it. */
import { subscription } from './changes.ts';
import type {
  FakeConfiguration,
  FakeInstance,
  FakeInterface,
  FakeMachine,
  FakeRoute,
  FakeScaleSet,
  FakeTable,
} from './state.ts';

/** `number` tells machines apart: it is in the name and in every address. */
export function aMachine(number: number, changes: Partial<FakeMachine> = {}): FakeMachine {
  const name = `worker-${number}`;
  return {
    subscription,
    resourceGroup: 'blue',
    name,
    computerName: name,
    size: 'Standard_D4s_v5',
    location: 'westeurope',
    zones: [],
    faultDomain: 0,
    power: 'running',
    provisioning: 'Succeeded',
    tags: {},
    scaleSet: undefined,
    interfaces: [anInterface(number, { name: `${name}-nic` })],
    ...changes,
  };
}

export function aScaleSet(name: string, changes: Partial<FakeScaleSet> = {}): FakeScaleSet {
  return {
    subscription,
    resourceGroup: 'blue',
    name,
    mode: 'Uniform',
    size: 'Standard_D4s_v5',
    location: 'westeurope',
    zones: ['1', '2', '3'],
    computerNamePrefix: name,
    instances: [],
    ...changes,
  };
}

/** An instance of the scale set whose name prefix is `prefix`: it is named as Azure does, in base 36. */
export function anInstance(
  prefix: string,
  number: number,
  changes: Partial<FakeInstance> = {},
): FakeInstance {
  return {
    instanceId: String(number),
    computerName: `${prefix}${number.toString(36).toUpperCase().padStart(6, '0')}`,
    size: 'Standard_D4s_v5',
    location: 'westeurope',
    zones: [String((number % 3) + 1)],
    faultDomain: 0,
    power: 'running',
    provisioning: 'Succeeded',
    tags: {},
    interfaces: [anInterface(number, { name: 'nic' })],
    ...changes,
  };
}

export function anInterface(number: number, changes: Partial<FakeInterface> = {}): FakeInterface {
  return {
    name: `nic-${number}`,
    primary: true,
    forwarding: true,
    configurations: [
      aConfiguration(`10.0.${number >> 8}.${number & 255}`),
      aConfiguration(`fd00::${number.toString(16)}`, { name: 'ipv6' }),
    ],
    ...changes,
  };
}

/** Primary where it is of IPv4 and nothing else is said: Azure wants the primary one to be of IPv4. */
export function aConfiguration(
  address: string,
  changes: Partial<FakeConfiguration> = {},
): FakeConfiguration {
  const version = address.includes(':') ? 'IPv6' : 'IPv4';
  return { name: 'ipconfig1', primary: version === 'IPv4', version, address, ...changes };
}

export function aTable(name = 'blue', changes: Partial<FakeTable> = {}): FakeTable {
  return {
    subscription,
    resourceGroup: 'blue',
    name,
    location: 'westeurope',
    tags: {},
    disableBgpRoutePropagation: false,
    disablePeeringRoute: undefined,
    routes: [],
    routesMax: 1_000,
    provisioning: 'Succeeded',
    ...changes,
  };
}

export function aRoute(name: string, destination: string, nextHop?: string): FakeRoute {
  const nextHopType = nextHop === undefined ? 'None' : 'VirtualAppliance';
  return { name, destination, nextHopType, nextHop };
}
