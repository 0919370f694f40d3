/**
 * What this server serves, in the three forms that clients request: one document for everything (kubectl
 * today), one for each group and version (older kubectl), and OpenAPI.
 */
import type { JsonObject } from '../json/index.ts';
import { type Resource, resources } from '../resources/index.ts';
import { openApiOf } from '../schema/index.ts';
import { type Review, reviews } from './reviews.ts';

/** The release of Kubernetes that this server behaves like. */
const kubernetesVersion = { major: '1', minor: '36', gitVersion: 'v1.36.4' } as const;

/** `/openapi/v2` is missing, because its readers expect protobuf. */
export function findDocument(path: string, accept: string): JsonObject | undefined {
  const isAggregated = accept.includes('as=APIGroupDiscoveryList') && accept.includes('v=v2;');
  const parts = path.split('/').filter((part) => part !== '');
  const [root, ...rest] = parts;
  switch (root) {
    case undefined:
      return { paths };
    case 'version':
      return { ...kubernetesVersion, ...build };
    case 'api':
      if (rest.length === 0) return isAggregated ? aggregated(coreGroups) : coreVersions;
      return rest.length === 1 && rest[0] === 'v1' ? resourceList('', 'v1') : undefined;
    case 'apis':
      if (rest.length === 0) return isAggregated ? aggregated(namedGroups) : groupList;
      return groupDocument(rest);
    case 'openapi':
      return openApiDocument(rest);
    default:
      return undefined;
  }
}

/** The media type that tells a client that it got the aggregated document. */
export const aggregatedMedia =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export function isAggregatedDocument(document: JsonObject): boolean {
  return document['kind'] === 'APIGroupDiscoveryList';
}

const build = {
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'tandem/embedded',
};

/** What discovery says of a resource or a review. */
interface Served {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly subresources: readonly string[];
}

const served: readonly Served[] = [
  ...resources.map((resource: Resource): Served => resource),
  ...reviews.map((review: Review): Served => ({
    ...review,
    scope: 'Cluster',
    verbs: ['create'],
    shortNames: [],
    subresources: [],
  })),
];

const groups = [...new Set(served.map(({ group }) => group))];
const coreGroups = groups.filter((group) => group === '');
const namedGroups = groups.filter((group) => group !== '');

const paths = [
  '/api',
  '/api/v1',
  '/apis',
  ...namedGroups.flatMap((group) => [`/apis/${group}`, `/apis/${group}/v1`]),
  '/healthz',
  '/livez',
  '/openapi/v3',
  '/readyz',
  '/version',
];

const coreVersions: JsonObject = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [],
};

const groupList: JsonObject = {
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: namedGroups.map(groupFacts),
};

function groupFacts(name: string): JsonObject {
  const version = { groupVersion: `${name}/v1`, version: 'v1' };
  return { name, versions: [version], preferredVersion: version };
}

function groupDocument([group = '', version, ...more]: readonly string[]): JsonObject | undefined {
  if (!namedGroups.includes(group) || more.length > 0) return undefined;
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...groupFacts(group) };
  return version === 'v1' ? resourceList(group, version) : undefined;
}

function resourceList(group: string, version: string): JsonObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: served
      .filter((entry) => entry.group === group)
      .flatMap((entry) => [
        resourceFacts(entry),
        ...entry.subresources.map((name) => partFacts(entry, name)),
      ]),
  };
}

function resourceFacts(entry: Served): JsonObject {
  return {
    name: entry.resource,
    singularName: entry.singular,
    namespaced: entry.scope === 'Namespaced',
    kind: entry.kind,
    verbs: entry.verbs,
    ...(entry.shortNames.length === 0 ? {} : { shortNames: entry.shortNames }),
  };
}

const partVerbs = ['get', 'patch', 'update'];

function partFacts(entry: Served, name: string): JsonObject {
  return {
    name: `${entry.resource}/${name}`,
    singularName: '',
    namespaced: entry.scope === 'Namespaced',
    kind: entry.kind,
    verbs: partVerbs,
  };
}

function aggregated(names: readonly string[]): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: names.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: [
        {
          version: 'v1',
          resources: served.filter((entry) => entry.group === group).map(aggregatedFacts),
          freshness: 'Current',
        },
      ],
    })),
  };
}

function aggregatedFacts(entry: Served): JsonObject {
  const { group, version, kind } = entry;
  const responseKind = { group, version, kind };
  return {
    resource: entry.resource,
    responseKind,
    scope: entry.scope,
    singularResource: entry.singular,
    verbs: entry.verbs,
    ...(entry.shortNames.length === 0 ? {} : { shortNames: entry.shortNames }),
    ...(entry.subresources.length === 0
      ? {}
      : {
          subresources: entry.subresources.map((subresource) => ({
            subresource,
            responseKind,
            verbs: partVerbs,
          })),
        }),
  };
}

function groupPath(group: string): string {
  return group === '' ? 'api/v1' : `apis/${group}/v1`;
}

function openApiDocument([version, ...rest]: readonly string[]): JsonObject | undefined {
  if (version !== 'v3') return undefined;
  if (rest.length === 0) {
    const entries = groups.map(
      (group) =>
        [groupPath(group), { serverRelativeURL: `/openapi/v3/${groupPath(group)}` }] as const,
    );
    return { paths: Object.fromEntries(entries) };
  }
  const group = groups.find((name) => groupPath(name) === rest.join('/'));
  if (group === undefined) return undefined;
  return openApiOf(
    [...resources, ...reviews]
      .filter((entry) => entry.group === group)
      .map(({ schema, version: groupVersion, kind, resource, ...entry }) => ({
        schema,
        group,
        version: groupVersion,
        kind,
        path: `/${groupPath(group)}/${'scope' in entry && entry.scope === 'Namespaced' ? 'namespaces/{namespace}/' : ''}${resource}/{name}`,
      })),
  );
}
