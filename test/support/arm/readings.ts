/** The calls that read: which resources each answers with. Lists are answered by page, a single resource whole. */
import {
  instanceJson,
  type MachineView,
  machineJson,
  scaleSetJson,
  type Spelling,
} from './compute.ts';
import { ArmError, resourceNotFound } from './error.ts';
import { groupId, inCapitals, keyOf, machineId, scaleSetId, tableId } from './ids.ts';
import {
  addressesOf,
  type AttachedInterface,
  idOfInterface,
  inGroup,
  interfaceJson,
  interfacesOfMachines,
  interfacesOfScaleSet,
  publicAddressJson,
} from './network.ts';
import type { ArmRequest } from './request.ts';
import { tableJson } from './table-json.ts';
import type { ArmState, FakeMachine, FakeScaleSet } from './state.ts';

type Reading =
  | { readonly kind: 'list'; readonly items: readonly (() => unknown)[] }
  | { readonly kind: 'item'; readonly json: unknown };

interface ReadOptions {
  readonly casing: 'azure' | 'plain';
}

type Reader = (state: ArmState, request: ArmRequest, spell: Spelling) => Reading;

export function read(
  state: ArmState,
  request: ArmRequest,
  { casing }: ReadOptions,
): Reading | undefined {
  const spell: Spelling = casing === 'azure' ? inCapitals : (id) => id;
  return readers[request.name]?.(state, request, spell);
}

const readers: Readonly<Record<string, Reader>> = {
  'virtualMachines.list': (state, request, spell) => {
    const all = inGroup([...state.machines.values()], groupOf(request), machineId);
    return machines(all, request, spell);
  },
  'virtualMachines.listAll': (state, request, spell) =>
    machines(inSubscription([...state.machines.values()], request), request, spell),
  'virtualMachines.get': (state, request, spell) => {
    const all = inGroup([...state.machines.values()], groupOf(request), machineId);
    const view = request.query['$expand'] === undefined ? 'model' : 'withInstanceView';
    const found = byName(all, request, 'Microsoft.Compute/virtualMachines');
    return { kind: 'item', json: machineJson(found, view, spell) };
  },
  'virtualMachineScaleSets.list': (state, request, spell) =>
    list(inGroup([...state.scaleSets.values()], groupOf(request), scaleSetId), (each) =>
      scaleSetJson(each, spell),
    ),
  'virtualMachineScaleSets.listAll': (state, request, spell) =>
    list(inSubscription([...state.scaleSets.values()], request), (each) =>
      scaleSetJson(each, spell),
    ),
  'virtualMachineScaleSets.get': (state, request, spell) => ({
    kind: 'item',
    json: scaleSetJson(scaleSetOf(state, request), spell),
  }),
  'virtualMachineScaleSetVMs.list': (state, request, spell) => {
    const scaleSet = scaleSetOf(state, request);
    const view = request.query['$expand'] === undefined ? 'model' : 'withInstanceView';
    return list(scaleSet.instances, (each) => instanceJson(scaleSet, each, { view, spell }));
  },
  'virtualMachineScaleSetVMs.get': (state, request, spell) => {
    const scaleSet = scaleSetOf(state, request);
    const found = scaleSet.instances.find((each) => each.instanceId === request.parts['instance']);
    if (found === undefined) {
      const type = 'Microsoft.Compute/virtualMachineScaleSets/virtualMachines';
      throw resourceNotFound(type, request.parts['instance'] ?? '', scaleSet.resourceGroup);
    }
    const view = request.query['$expand'] === undefined ? 'model' : 'withInstanceView';
    return { kind: 'item', json: instanceJson(scaleSet, found, { view, spell }) };
  },
  'networkInterfaces.list': (state, request) =>
    list(inGroup(interfacesOfMachines(state), groupOf(request), idOfInterface), interfaceJson),
  'networkInterfaces.listAll': (state, request) =>
    list(interfacesIn(interfacesOfMachines(state), request), interfaceJson),
  'networkInterfaces.get': (state, request) => {
    const all = inGroup(interfacesOfMachines(state), groupOf(request), idOfInterface);
    const named = all.map((each) => ({ ...each, name: each.each.name }));
    return {
      kind: 'item',
      json: interfaceJson(byName(named, request, 'Microsoft.Network/networkInterfaces')),
    };
  },
  'networkInterfaces.listVirtualMachineScaleSetNetworkInterfaces': (state, request) =>
    list(interfacesOfScaleSet(scaleSetOf(state, request)), interfaceJson),
  'publicIPAddresses.list': (state, request) =>
    list(
      inGroup(addressesOf(interfacesOfMachines(state)), groupOf(request), ({ id }) => id),
      publicAddressJson,
    ),
  'publicIPAddresses.listAll': (state, request) =>
    list(addressesOf(interfacesIn(interfacesOfMachines(state), request)), publicAddressJson),
  'publicIPAddresses.get': (state, request) => {
    const all = inGroup(addressesOf(interfacesOfMachines(state)), groupOf(request), ({ id }) => id);
    const named = all.map((each) => ({ ...each, name: each.address.name }));
    return {
      kind: 'item',
      json: publicAddressJson(byName(named, request, 'Microsoft.Network/publicIPAddresses')),
    };
  },
  'publicIPAddresses.listVirtualMachineScaleSetPublicIPAddresses': (state, request) =>
    list(addressesOf(interfacesOfScaleSet(scaleSetOf(state, request))), publicAddressJson),
  'routeTables.list': (state, request) =>
    list(inGroup([...state.tables.values()], groupOf(request), tableId), tableJson),
  'routeTables.get': (state, request) => {
    const all = inGroup([...state.tables.values()], groupOf(request), tableId);
    return { kind: 'item', json: tableJson(byName(all, request, 'Microsoft.Network/routeTables')) };
  },
};

function list<T>(items: readonly T[], render: (item: T) => unknown): Reading {
  return { kind: 'list', items: items.map((item) => () => render(item)) };
}

function machines(all: readonly FakeMachine[], request: ArmRequest, spell: Spelling): Reading {
  const { $filter: filter, $expand: expand, statusOnly } = request.query;
  if (expand !== undefined && filter === undefined) {
    const message = "The expand parameter 'instanceView' is only allowed together with a filter.";
    throw new ArmError('InvalidParameter', message);
  }
  const scaleSet = filter === undefined ? undefined : /eq '([^']+)'$/.exec(filter)?.[1];
  const chosen = all.filter(
    (each) => scaleSet === undefined || keyOf(each.scaleSet ?? '') === keyOf(scaleSet),
  );
  const view = statusOnly === 'true' ? 'statusOnly' : viewOf(expand);
  return list(chosen, (each) => machineJson(each, view, spell));
}

const viewOf = (expand: string | undefined): MachineView =>
  expand === undefined ? 'model' : 'withInstanceView';

const groupOf = ({ parts: { subscription = '', resourceGroup = '' } }: ArmRequest): string =>
  groupId({ subscription, resourceGroup });

function inSubscription<T extends { readonly subscription: string }>(
  items: readonly T[],
  { parts: { subscription = '' } }: ArmRequest,
): T[] {
  return items.filter((item) => keyOf(item.subscription) === keyOf(subscription));
}

function interfacesIn(
  items: readonly AttachedInterface[],
  { parts: { subscription = '' } }: ArmRequest,
): AttachedInterface[] {
  const prefix = keyOf(`/subscriptions/${subscription}/`);
  return items.filter((item) => keyOf(idOfInterface(item)).startsWith(prefix));
}

function byName<T extends { readonly name: string }>(
  items: readonly T[],
  { parts: { name = '', resourceGroup = '' } }: ArmRequest,
  type: string,
): T {
  const found = items.find((item) => keyOf(item.name) === keyOf(name));
  if (found === undefined) throw resourceNotFound(type, name, resourceGroup);
  return found;
}

function scaleSetOf(state: ArmState, request: ArmRequest): FakeScaleSet {
  const all = inGroup([...state.scaleSets.values()], groupOf(request), scaleSetId);
  return byName(all, request, 'Microsoft.Compute/virtualMachineScaleSets');
}
