/**
 * The nodes of the bench and the machines behind them, registered as by a kubelet. A third of the nodes requests both
 * families, a third IPv4 and a third nothing. The cloud also has a name for each, so that every contender has to write
 * the addresses of every node.
 */
import type { InventoryInstance } from '../../upstream-manager/index.ts';
import { aNode, nodeName } from '../informer/node-objects.ts';

export const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';
export const providedNodeIP = 'alpha.kubernetes.io/provided-node-ip';

/** Every contender sets it with the write that removes the taint. */
export const initializedLabel = 'node.kubernetes.io/instance-type';

interface Address {
  readonly type: string;
  readonly address: string;
}

/** A node as a kubelet registers it with an external cloud provider. */
export function aRegisteredNode(
  number: number,
  request: string = requestOf(number),
): { readonly metadata: object; readonly spec: object; readonly status: object } {
  const { metadata, spec, status } = aNode(number);
  const { [providedNodeIP]: _, ...annotations } = metadata.annotations;
  return {
    metadata: {
      name: nodeName(number),
      labels: withoutKeys(metadata.labels, Object.keys(labelsOf(number))),
      annotations: { ...annotations, ...(request === '' ? {} : { [providedNodeIP]: request }) },
    },
    spec: {
      taints: [...spec.taints, { key: uninitialized, value: 'true', effect: 'NoSchedule' }],
    },
    status: { ...status, addresses: kubeletAddresses(number, request) },
  };
}

/** The index of the taint in the list of a registered node. */
export const taintIndex = 1;

export function instanceOf(number: number): Required<Omit<InventoryInstance, 'state'>> {
  const name = nodeName(number);
  return {
    name,
    providerID: `static:///rack-${number % 40}/${name}`,
    instanceType: 'm7i.2xlarge',
    zone: `eu-central-1${'abc'[number % 3] ?? ''}`,
    region: 'eu-central-1',
    addresses: [
      { type: 'InternalIP', address: four(number) },
      { type: 'InternalIP', address: six(number) },
      { type: 'InternalDNS', address: `${name}.internal` },
    ],
  };
}

/** The labels that an initialisation sets. */
export function labelsOf(number: number): Record<string, string> {
  const { instanceType, zone, region } = instanceOf(number);
  return {
    'beta.kubernetes.io/instance-type': instanceType,
    [initializedLabel]: instanceType,
    'failure-domain.beta.kubernetes.io/zone': zone,
    'topology.kubernetes.io/zone': zone,
    'failure-domain.beta.kubernetes.io/region': region,
    'topology.kubernetes.io/region': region,
  };
}

/** What an initialised node has, by upstream's rules and by ours. */
export function wantedAddresses(number: number, request: string = requestOf(number)): Address[] {
  const asked = request === '' ? [four(number), six(number)] : request.split(',');
  return [
    ...asked.map((address) => ({ type: 'InternalIP', address })),
    { type: 'InternalDNS', address: `${nodeName(number)}.internal` },
    { type: 'Hostname', address: nodeName(number) },
  ];
}

/** A request that differs from the node's, has another result, and can be served by its machine. */
export function otherRequest(number: number): string {
  return `${six(number)},${four(number)}`;
}

/** The inventory of the provider static. */
export function staticInventory(count: number): string {
  const entries = Array.from({ length: count }, (_, number) => staticEntry(number));
  return `apiVersion: tandem.dev/v1alpha1\nkind: StaticInventory\ninstances:\n${entries.join('')}`;
}

function staticEntry(number: number): string {
  const { name, providerID, instanceType, zone, region, addresses } = instanceOf(number);
  const lines = addresses.map(
    ({ type, address }) => `      - {type: ${type}, address: "${address}"}`,
  );
  return `  - name: ${name}
    providerID: ${providerID}
    instanceType: ${instanceType}
    zone: ${zone}
    region: ${region}
    addresses:
${lines.join('\n')}
`;
}

/** The `--node-ip` of its kubelet. */
function requestOf(number: number): string {
  return [`${four(number)},${six(number)}`, four(number), ''][number % 3] ?? '';
}

function kubeletAddresses(number: number, request: string): Address[] {
  const internal = request
    .split(',')
    .filter((address) => address !== '')
    .map((address) => ({ type: 'InternalIP', address }));
  return [...internal, { type: 'Hostname', address: nodeName(number) }];
}

function four(number: number): string {
  return `10.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

function six(number: number): string {
  return `fd00:64::${(number + 1).toString(16)}`;
}

function withoutKeys<Value>(
  from: Readonly<Record<string, Value>>,
  keys: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));
}
