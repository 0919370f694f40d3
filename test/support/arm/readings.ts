/** The calls that read: which resources each answers with. Lists are answered by page, a single resource whole. */
import { instanceJson, machineJson, scaleSetJson } from './compute.ts';
import { ArmError, resourceNotFound } from './error.ts';
import { groupId, keyOf, machineId, scaleSetId, tableId } from './ids.ts';
import {
  addressesOf,
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

type Reader = (state: ArmState, request: ArmRequest) => Reading;

export function read(state: ArmState, request: ArmRequest): Reading | undefined {
  return readers[request.name]?.(state, request);
}

const readers: Readonly<Record<string, Reader>> = {
  'virtualMachines.list': (state, request) =>
    machines(inGroup([...state.machines.values()], groupOf(request), machineId), request),
  'virtualMachines.get': (state, request) => {
    const all = inGroup([...state.machines.values()], groupOf(request), machineId);
    const found = byName(all, request, 'Microsoft.Compute/virtualMachines');
    return { kind: 'item', json: machineJson(found, 'model') };
  },
  'virtualMachines.listAll': (state, request) => {
    const { subscription = '' } = request.parts;
    const all = [...state.machines.values()];
    return machines(
      all.filter((each) => keyOf(each.subscription) === keyOf(subscription)),
      request,
    );
  },
  'virtualMachineScaleSets.list': (state, request) =>
    list(inGroup([...state.scaleSets.values()], groupOf(request), scaleSetId), scaleSetJson),
  'virtualMachineScaleSetVMs.list': (state, request) => {
    const scaleSet = scaleSetOf(state, request);
    const view = request.query['$expand'] === undefined ? 'model' : 'withInstanceView';
    return list(scaleSet.instances, (each) => instanceJson(scaleSet, each, view));
  },
  'networkInterfaces.list': (state, request) =>
    list(inGroup(interfacesOfMachines(state), groupOf(request), idOfInterface), interfaceJson),
  'networkInterfaces.listVirtualMachineScaleSetNetworkInterfaces': (state, request) =>
    list(interfacesOfScaleSet(scaleSetOf(state, request)), interfaceJson),
  'publicIPAddresses.list': (state, request) =>
    list(
      inGroup(addressesOf(interfacesOfMachines(state)), groupOf(request), ({ id }) => id),
      publicAddressJson,
    ),
  'publicIPAddresses.listVirtualMachineScaleSetPublicIPAddresses': (state, request) =>
    list(addressesOf(interfacesOfScaleSet(scaleSetOf(state, request))), publicAddressJson),
  'routeTables.get': (state, request) => {
    const all = inGroup([...state.tables.values()], groupOf(request), tableId);
    return { kind: 'item', json: tableJson(byName(all, request, 'Microsoft.Network/routeTables')) };
  },
};

function list<T>(items: readonly T[], render: (item: T) => unknown): Reading {
  return { kind: 'list', items: items.map((item) => () => render(item)) };
}

function machines(all: readonly FakeMachine[], request: ArmRequest): Reading {
  const { $filter: filter, $expand: expand, statusOnly } = request.query;
  if (expand !== undefined && filter === undefined) {
    const message = "The expand parameter 'instanceView' is only allowed together with a filter.";
    throw new ArmError('InvalidParameter', message);
  }
  const scaleSet = filter === undefined ? undefined : /eq '([^']+)'$/.exec(filter)?.[1];
  const chosen = all.filter(
    (each) => scaleSet === undefined || keyOf(each.scaleSet ?? '') === keyOf(scaleSet),
  );
  const expanded = expand === undefined ? 'model' : 'withInstanceView';
  const view = statusOnly === 'true' ? 'statusOnly' : expanded;
  return list(chosen, (each) => machineJson(each, view));
}

const groupOf = ({ parts: { subscription = '', resourceGroup = '' } }: ArmRequest): string =>
  groupId({ subscription, resourceGroup });

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
