/** All resources that the embedded API server serves, as data. */
import { at, textAt } from '../json/index.ts';
import {
  configMap,
  coreEvent,
  event,
  lease,
  namespace,
  node,
  pod,
  service,
} from '../schema/index.ts';
import type { StoredObject } from '../store/index.ts';
import {
  configMapColumns,
  leaseColumns,
  namespaceColumns,
  nodeColumns,
  podColumns,
  serviceColumns,
} from './columns.ts';
import { eventColumns } from './event-columns.ts';
import { coreEventRules, eventRules, eventView } from './event-rules.ts';
import { labelNameProblems, subdomainProblems } from './names.ts';
import { nodeRules } from './node-rules.ts';
import type { Resource } from './resource.ts';
import { configMapRules, leaseRules, namespaceRules } from './small-rules.ts';

type Selectable = Resource['selectable'];

const allVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** What most resources have in common. */
const ordinary = {
  group: '',
  version: 'v1',
  shortNames: [],
  scope: 'Namespaced',
  verbs: allVerbs,
  nameRule: subdomainProblems,
  subresources: [],
  createsOnUpdate: false,
  updatesUnconditionally: true,
  selectable: new Map(),
} as const satisfies Partial<Resource>;

const nodes: Resource = {
  ...ordinary,
  resource: 'nodes',
  singular: 'node',
  kind: 'Node',
  shortNames: ['no'],
  scope: 'Cluster',
  schema: node,
  collection: 'nodes',
  subresources: ['status'],
  rules: nodeRules,
  selectable: new Map([
    ['spec.unschedulable', (object) => String(at(object, 'spec', 'unschedulable') === true)],
  ]),
  columns: nodeColumns,
};

const namespaces: Resource = {
  ...ordinary,
  resource: 'namespaces',
  singular: 'namespace',
  kind: 'Namespace',
  shortNames: ['ns'],
  scope: 'Cluster',
  verbs: allVerbs.filter((verb) => !verb.startsWith('delete')),
  schema: namespace,
  collection: 'namespaces',
  nameRule: labelNameProblems,
  subresources: ['status'],
  rules: namespaceRules,
  selectable: textFields('status.phase'),
  columns: namespaceColumns,
};

const configMaps: Resource = {
  ...ordinary,
  resource: 'configmaps',
  singular: 'configmap',
  kind: 'ConfigMap',
  shortNames: ['cm'],
  schema: configMap,
  collection: 'configmaps',
  rules: configMapRules,
  columns: configMapColumns,
};

const leases: Resource = {
  ...ordinary,
  group: 'coordination.k8s.io',
  resource: 'leases',
  singular: 'lease',
  kind: 'Lease',
  schema: lease,
  collection: 'leases',
  createsOnUpdate: true,
  updatesUnconditionally: false,
  rules: leaseRules,
  columns: leaseColumns,
};

/** There are no pods, but `kubectl describe node` and `kubectl drain` list them. */
const pods: Resource = {
  ...ordinary,
  resource: 'pods',
  singular: 'pod',
  kind: 'Pod',
  shortNames: ['po'],
  verbs: ['get', 'list', 'watch'],
  schema: pod,
  collection: 'pods',
  rules: leaseRules,
  selectable: textFields('spec.nodeName', 'status.phase', 'spec.restartPolicy', 'status.podIP'),
  columns: podColumns,
};

/** There are no Services either, but `kubectl cluster-info` lists them. */
const services: Resource = {
  ...ordinary,
  resource: 'services',
  singular: 'service',
  kind: 'Service',
  shortNames: ['svc'],
  verbs: ['get', 'list', 'watch'],
  schema: service,
  collection: 'services',
  rules: leaseRules,
  selectable: textFields('spec.clusterIP', 'spec.type'),
  columns: serviceColumns,
};

/** Fields that a selector names by their paths. */
function textFields(...paths: readonly string[]): Selectable {
  return new Map(
    paths.map((path) => [path, (object: StoredObject) => textAt(object, ...path.split('.'))]),
  );
}

/** Events expire an hour after their last write. */
const eventTtlMs = 3_600_000;

const eventResource = {
  ...ordinary,
  resource: 'events',
  singular: 'event',
  kind: 'Event',
  shortNames: ['ev'],
  collection: 'events',
  createsOnUpdate: true,
  ttlMs: eventTtlMs,
  columns: eventColumns,
} as const;

const referenceFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
];

/** Selectors read the stored form, under the field names of their view. */
function eventFields(reference: string, reporter: string): Selectable {
  return new Map<string, (object: StoredObject) => string>([
    ...referenceFields.map(
      (field) =>
        [
          `${reference}.${field}`,
          (object: StoredObject) => textAt(object, 'involvedObject', field),
        ] as const,
    ),
    ['reason', (object) => textAt(object, 'reason')],
    ['type', (object) => textAt(object, 'type')],
    [reporter, (object) => textAt(object, 'reportingComponent')],
    [
      'source',
      (object) => textAt(object, 'source', 'component') || textAt(object, 'reportingComponent'),
    ],
  ]);
}

const coreEvents: Resource = {
  ...eventResource,
  schema: coreEvent,
  rules: coreEventRules,
  selectable: eventFields('involvedObject', 'reportingComponent'),
};

const events: Resource = {
  ...eventResource,
  group: 'events.k8s.io',
  schema: event,
  rules: eventRules,
  selectable: eventFields('regarding', 'reportingController'),
  view: eventView,
};

export const resources: readonly Resource[] = [
  configMaps,
  coreEvents,
  namespaces,
  nodes,
  pods,
  services,
  leases,
  events,
];
