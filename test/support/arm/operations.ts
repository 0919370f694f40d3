/**
 * The calls that the fake takes, as the SDKs name them: those that the provider makes. Each has its path, the
 * versions of its API, its parameters, and what a role has to allow for it.
 */
import type { IncomingMessage } from 'node:http';
import { ArmError } from './error.ts';
import { type ArmRequest, matchPath, type QueryRules } from './request.ts';

interface Operation extends QueryRules {
  readonly name: string;
  readonly method: 'GET' | 'PUT';
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
const instanceView = /^instanceView$/;
const machine = { type: 'Microsoft.Compute/virtualMachines', versions: compute };
const netInterface = { type: 'Microsoft.Network/networkInterfaces', versions: network };
const publicAddress = { type: 'Microsoft.Network/publicIPAddresses', versions: network };
const table = { type: 'Microsoft.Network/routeTables', versions: network };

const scaleSets = `${inGroup}/Microsoft.Compute/virtualMachineScaleSets`;
const tableOfGroup = `${inGroup}/Microsoft.Network/routeTables/{name}`;
const networkLocation = `${inSubscription}/Microsoft.Network/locations/{location}`;

const operations: readonly Operation[] = [
  get('metadata.endpoints', '/metadata/endpoints', {
    type: 'metadata/endpoints',
    versions: ['2019-05-01'],
    actions: [],
  }),
  get('virtualMachines.get', `${inGroup}/Microsoft.Compute/virtualMachines/{name}`, {
    ...machine,
    actions: ['Microsoft.Compute/virtualMachines/read'],
  }),
  get('virtualMachines.list', `${inGroup}/Microsoft.Compute/virtualMachines`, {
    ...machine,
    parameters: { $filter: filter, $expand: instanceView },
    actions: ['Microsoft.Compute/virtualMachines/read'],
  }),
  get('virtualMachines.listAll', `${inSubscription}/Microsoft.Compute/virtualMachines`, {
    ...machine,
    parameters: { statusOnly: /^(?:true|false)$/ },
    actions: ['Microsoft.Compute/virtualMachines/read'],
  }),
  get('virtualMachineScaleSets.list', scaleSets, {
    type: 'Microsoft.Compute/virtualMachineScaleSets',
    versions: compute,
    actions: ['Microsoft.Compute/virtualMachineScaleSets/read'],
  }),
  get('virtualMachineScaleSetVMs.list', `${scaleSets}/{name}/virtualMachines`, {
    type: 'Microsoft.Compute/virtualMachineScaleSets/virtualMachines',
    versions: compute,
    parameters: { $expand: instanceView },
    actions: ['Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read'],
  }),
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
  get('networkInterfaces.list', `${inGroup}/Microsoft.Network/networkInterfaces`, {
    ...netInterface,
    actions: ['Microsoft.Network/networkInterfaces/read'],
  }),
  get('publicIPAddresses.list', `${inGroup}/Microsoft.Network/publicIPAddresses`, {
    ...publicAddress,
    actions: ['Microsoft.Network/publicIPAddresses/read'],
  }),
  get('routeTables.get', tableOfGroup, {
    ...table,
    actions: ['Microsoft.Network/routeTables/read'],
  }),
  {
    name: 'routeTables.createOrUpdate',
    method: 'PUT',
    path: tableOfGroup,
    ...table,
    actions: ['Microsoft.Network/routeTables/write'],
  },
  get('operations.get', `${networkLocation}/operations/{name}`, {
    type: 'locations/operations',
    versions: network,
    actions: ['Microsoft.Network/locations/operations/read'],
  }),
  get('operationResults.get', `${networkLocation}/operationResults/{name}`, {
    type: 'locations/operationResults',
    versions: network,
    actions: ['Microsoft.Network/locations/operationResults/read'],
  }),
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
