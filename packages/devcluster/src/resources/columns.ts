/** The columns of `kubectl get` for each kind. Scripts rely on their order and names. */
import { at, isJsonObject, listAt, textAt } from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import { ageOf } from './human-duration.ts';
import type { Column } from './resource.ts';

export const column = (name: string, description: string, cell: Column['cell']): Column => ({
  name,
  description,
  priority: 0,
  cell,
});

/** Shown with `-o wide` only. */
export const wide = (name: string, description: string, cell: Column['cell']): Column => ({
  ...column(name, description, cell),
  priority: 1,
});

const nameColumn: Column = {
  ...column('Name', 'The name of the object', ({ metadata }) => metadata.name),
  isName: true,
};

const ageColumn = column('Age', 'How long ago the object was created', ({ metadata }, nowMs) =>
  ageOf(metadata.creationTimestamp, nowMs),
);

const orUnknown = (text: string): string => (text === '' ? '<unknown>' : text);

export const nodeColumns: readonly Column[] = [
  nameColumn,
  column('Status', 'Whether the node is ready, and whether it takes new pods', nodeStatus),
  column('Roles', 'The roles that labels give the node', nodeRoles),
  ageColumn,
  column('Version', 'The version of the kubelet', (node) => nodeInfo(node, 'kubeletVersion')),
  wide('Internal-IP', 'The first internal address', (node) => addressOf(node, 'InternalIP')),
  wide('External-IP', 'The first external address', (node) => addressOf(node, 'ExternalIP')),
  wide('OS-Image', 'The operating system', (node) => orUnknown(nodeInfo(node, 'osImage'))),
  wide('Kernel-Version', 'The kernel', (node) => orUnknown(nodeInfo(node, 'kernelVersion'))),
  wide('Container-Runtime', 'The container runtime', (node) =>
    orUnknown(nodeInfo(node, 'containerRuntimeVersion')),
  ),
];

function nodeStatus(node: StoredObject): string {
  const ready = listAt(node, 'status', 'conditions').find(
    (condition) => textAt(condition, 'type') === 'Ready',
  );
  const isReady = textAt(ready, 'status') === 'True';
  const status = ready === undefined ? 'Unknown' : isReady ? 'Ready' : 'NotReady';
  return at(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles(node: StoredObject): string {
  const labels = at(node, 'metadata', 'labels');
  const roles = Object.keys(isJsonObject(labels) ? labels : {}).flatMap((key) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' ? [textAt(labels, key)] : [];
  });
  const named = roles.filter((role) => role !== '').toSorted();
  return named.length === 0 ? '<none>' : named.join(',');
}

function nodeInfo(node: StoredObject, field: string): string {
  return textAt(node, 'status', 'nodeInfo', field);
}

function addressOf(node: StoredObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find(
    (address) => textAt(address, 'type') === type,
  );
  return found === undefined ? '<none>' : textAt(found, 'address');
}

export const leaseColumns: readonly Column[] = [
  nameColumn,
  column('Holder', 'Who holds the lease', (lease) => textAt(lease, 'spec', 'holderIdentity')),
  ageColumn,
];

export const configMapColumns: readonly Column[] = [
  nameColumn,
  column('Data', 'How many entries it has', ({ data, binaryData }) =>
    [data, binaryData].reduce<number>(
      (sum, map) => sum + (isJsonObject(map) ? Object.keys(map).length : 0),
      0,
    ),
  ),
  ageColumn,
];

export const namespaceColumns: readonly Column[] = [
  nameColumn,
  column('Status', 'Whether it is active or being deleted', (namespace) =>
    textAt(namespace, 'status', 'phase'),
  ),
  ageColumn,
];

export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', 'How many of its containers are ready', () => ''),
  column('Status', 'The phase that the pod is in', () => ''),
  column('Restarts', 'How often its containers were restarted', () => ''),
  ageColumn,
];

export const serviceColumns: readonly Column[] = [
  nameColumn,
  column('Type', 'How the service is reached', () => ''),
  column('Cluster-IP', 'Its address in the cluster', () => ''),
  column('External-IP', 'Its addresses elsewhere', () => ''),
  column('Port(s)', 'Its ports', () => ''),
  ageColumn,
  wide('Selector', 'The labels of its pods', () => ''),
];
