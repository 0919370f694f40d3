/** What a path means: a resource, an object in it, a part of that; or one of the other pages. */
import { type Resource, resources } from '../resources/index.ts';

export interface ResourceRoute {
  readonly kind: 'resource';
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
}

export type Route =
  | ResourceRoute
  | { readonly kind: 'page'; readonly path: string; readonly query: URLSearchParams }
  /** A resource of Kubernetes that is not here. */
  | { readonly kind: 'elsewhere'; readonly resource: string; readonly group: string }
  | { readonly kind: 'unknown'; readonly isOfGroup: boolean };

export function readRoute(target: string): Route {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1));
  const segments = path.split('/');
  if (segments.at(-1) === '') segments.pop();
  const [, root, ...below] = segments;
  const isNamed = root === 'apis';
  const [group = '', version = '', ...rest] = isNamed ? below : ['', ...below];
  if ((root !== 'api' && !isNamed) || rest.length === 0) return { kind: 'page', path, query };
  const place = readPlace(rest.map(decoded), query);
  const resource = byPath.get(`${group}/${version}/${place?.resource}`);
  if (place === undefined) return { kind: 'unknown', isOfGroup: isServed(group, version) };
  if (resource === undefined) {
    if (isKubernetes(group, place.resource)) {
      return { kind: 'elsewhere', resource: place.resource, group };
    }
    return { kind: 'unknown', isOfGroup: isServed(group, version) };
  }
  const isScopeRight = place.namespace === undefined || resource.scope === 'Namespaced';
  if (!isScopeRight) return { kind: 'unknown', isOfGroup: true };
  return { kind: 'resource', ...place, resource, query: place.query };
}

/** Nobody changes it. */
const noQuery = new URLSearchParams();

const byPath: ReadonlyMap<string, Resource> = new Map(
  resources.map((known) => [`${known.group}/${known.version}/${known.resource}`, known]),
);

/** A text that is not well escaped names nothing that there is. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface Place {
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
}

function readPlace(segments: readonly string[], query: URLSearchParams): Place | undefined {
  const [first, ...others] = segments;
  if (first === 'watch') {
    const watching = new URLSearchParams(query);
    watching.set('watch', 'true');
    return readPlace(others, watching);
  }
  const isInNamespace = first === 'namespaces' && segments.length >= 3 && others[1] !== 'status';
  const [resource, name, subresource, ...more] = isInNamespace ? segments.slice(2) : segments;
  if (resource === undefined || resource === '' || more.length > 0) return undefined;
  return { resource, namespace: isInNamespace ? segments[1] : undefined, name, subresource, query };
}

function isServed(group: string, version: string): boolean {
  return resources.some((known) => known.group === group && known.version === version);
}

const coreResources: ReadonlySet<string> = new Set([
  'bindings',
  'componentstatuses',
  'endpoints',
  'limitranges',
  'persistentvolumeclaims',
  'persistentvolumes',
  'podtemplates',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

function isKubernetes(group: string, resource: string): boolean {
  if (group === '') return coreResources.has(resource);
  return ['apps', 'batch', 'autoscaling', 'policy'].includes(group) || group.endsWith('.k8s.io');
}
