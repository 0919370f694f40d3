/**
 * The calls that the fake takes, as the SDKs name them: where each is found, which versions of the API it
 * has, which parameters, and what a role has to allow for it.
 */
import type { IncomingMessage } from 'node:http';
import { ArmError } from './error.ts';
import { type ArmRequest, matchPath, type QueryRules } from './request.ts';

interface Operation extends QueryRules {
  readonly name: string;
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly actions: readonly string[];
}

const compute = ['2026-04-01'];
const network = ['2026-01-01'];
/** The SDKs ask for the interfaces of scale sets in this version only. */
const scaleSetNetwork = ['2018-10-01'];
const inSubscription = '/subscriptions/{subscription}/providers';
const inGroup = '/subscriptions/{subscription}/resourceGroups/{resourceGroup}/providers';

const filter = /^'virtualMachineScaleSet\/id' eq '\/subscriptions\/[^']+'$/;
const listParameters = { $filter: filter, $expand: /^instanceView$/ };
const machine = {
  type: 'Microsoft.Compute/virtualMachines',
  versions: compute,
  actions: ['Microsoft.Compute/virtualMachines/read'],
};
const scaleSet = {
  type: 'Microsoft.Compute/virtualMachineScaleSets',
  versions: compute,
  parameters: {},
  actions: ['Microsoft.Compute/virtualMachineScaleSets/read'],
};
const instance = {
  type: 'Microsoft.Compute/virtualMachineScaleSets/virtualMachines',
  versions: compute,
  parameters: { $expand: /^instanceView$/i },
  actions: ['Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read'],
};
const netInterface = {
  type: 'Microsoft.Network/networkInterfaces',
  versions: network,
  parameters: {},
  actions: ['Microsoft.Network/networkInterfaces/read'],
};
const publicAddress = {
  type: 'Microsoft.Network/publicIPAddresses',
  versions: network,
  parameters: {},
  actions: ['Microsoft.Network/publicIPAddresses/read'],
};
const table = { type: 'Microsoft.Network/routeTables', versions: network, parameters: {} };

const machines = `${inGroup}/Microsoft.Compute/virtualMachines`;
const scaleSets = `${inGroup}/Microsoft.Compute/virtualMachineScaleSets`;
const tables = `${inGroup}/Microsoft.Network/routeTables`;

const operations: readonly Operation[] = [
  get('metadata.endpoints', '/metadata/endpoints', {
    type: 'metadata/endpoints',
    versions: ['2019-05-01'],
    parameters: {},
    actions: [],
  }),
  get('virtualMachines.list', machines, { ...machine, parameters: listParameters }),
  get('virtualMachines.listAll', `${inSubscription}/Microsoft.Compute/virtualMachines`, {
    ...machine,
    parameters: { ...listParameters, statusOnly: /^(?:true|false)$/ },
  }),
  get('virtualMachines.get', `${machines}/{name}`, {
    ...machine,
    parameters: { $expand: /^instanceView$/i },
  }),
  get('virtualMachineScaleSets.list', scaleSets, scaleSet),
  get(
    'virtualMachineScaleSets.listAll',
    `${inSubscription}/Microsoft.Compute/virtualMachineScaleSets`,
    scaleSet,
  ),
  get('virtualMachineScaleSets.get', `${scaleSets}/{name}`, scaleSet),
  get('virtualMachineScaleSetVMs.list', `${scaleSets}/{name}/virtualMachines`, instance),
  get('virtualMachineScaleSetVMs.get', `${scaleSets}/{name}/virtualMachines/{instance}`, instance),
  get(
    'networkInterfaces.listVirtualMachineScaleSetNetworkInterfaces',
    `${scaleSets}/{name}/networkInterfaces`,
    {
      ...netInterface,
      versions: scaleSetNetwork,
      actions: ['Microsoft.Compute/virtualMachineScaleSets/networkInterfaces/read'],
    },
  ),
  get(
    'publicIPAddresses.listVirtualMachineScaleSetPublicIPAddresses',
    `${scaleSets}/{name}/publicIPAddresses`,
    {
      ...publicAddress,
      versions: scaleSetNetwork,
      actions: ['Microsoft.Compute/virtualMachineScaleSets/publicIPAddresses/read'],
    },
  ),
  get('networkInterfaces.list', `${inGroup}/Microsoft.Network/networkInterfaces`, netInterface),
  get(
    'networkInterfaces.listAll',
    `${inSubscription}/Microsoft.Network/networkInterfaces`,
    netInterface,
  ),
  get(
    'networkInterfaces.get',
    `${inGroup}/Microsoft.Network/networkInterfaces/{name}`,
    netInterface,
  ),
  get('publicIPAddresses.list', `${inGroup}/Microsoft.Network/publicIPAddresses`, publicAddress),
  get(
    'publicIPAddresses.listAll',
    `${inSubscription}/Microsoft.Network/publicIPAddresses`,
    publicAddress,
  ),
  get(
    'publicIPAddresses.get',
    `${inGroup}/Microsoft.Network/publicIPAddresses/{name}`,
    publicAddress,
  ),
  get('routeTables.list', tables, { ...table, actions: ['Microsoft.Network/routeTables/read'] }),
  get('routeTables.get', `${tables}/{name}`, {
    ...table,
    actions: ['Microsoft.Network/routeTables/read'],
  }),
  {
    name: 'routeTables.createOrUpdate',
    method: 'PUT',
    path: `${tables}/{name}`,
    ...table,
    actions: ['Microsoft.Network/routeTables/write'],
  },
  {
    name: 'routeTables.delete',
    method: 'DELETE',
    path: `${tables}/{name}`,
    ...table,
    actions: ['Microsoft.Network/routeTables/delete'],
  },
  get(
    'operations.get',
    `${inSubscription}/Microsoft.Network/locations/{location}/operations/{name}`,
    {
      type: 'locations/operations',
      versions: network,
      parameters: {},
      actions: ['Microsoft.Network/locations/operations/read'],
    },
  ),
  get(
    'operationResults.get',
    `${inSubscription}/Microsoft.Network/locations/{location}/operationResults/{name}`,
    {
      type: 'locations/operationResults',
      versions: network,
      parameters: {},
      actions: ['Microsoft.Network/locations/operationResults/read'],
    },
  ),
];

interface Received {
  readonly request: ArmRequest;
  readonly operation: Operation;
}

/** What a call asks for; the headers and the body are kept as they came. */
export function receive(
  { method = '', url: text = '', headers }: IncomingMessage,
  body: string,
): Received {
  const url = new URL(text, 'https://arm.example');
  const path = url.pathname;
  const query = Object.fromEntries(url.searchParams);
  for (const operation of operations) {
    const parts = operation.method === method ? matchPath(operation.path, path) : undefined;
    if (parts === undefined) continue;
    const { name } = operation;
    const actions = [...operation.actions, ...instanceViewActions(operation, query)];
    return { operation, request: { name, method, path, parts, query, headers, body, actions } };
  }
  const message = `The request '${method} ${path}' is for a resource type or method that could not be found.`;
  throw new ArmError('InvalidResourceType', message, { status: 404 });
}

/** The instance view is a resource of its own to a role. */
function instanceViewActions(
  { type }: Operation,
  query: Readonly<Record<string, string>>,
): string[] {
  const isWanted = query['$expand'] !== undefined || query['statusOnly'] === 'true';
  return isWanted && type.startsWith('Microsoft.Compute/') ? [`${type}/instanceView/read`] : [];
}

function get(
  name: string,
  path: string,
  rest: Omit<Operation, 'name' | 'method' | 'path'>,
): Operation {
  return { name, method: 'GET', path, ...rest };
}
