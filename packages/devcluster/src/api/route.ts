/** What a path names: a resource, an object, a subresource, or one of the other pages. */
import { memoize } from '../memoize/index.ts';
import { type Resource, resources } from '../resources/index.ts';
import { isKubernetes, isKubernetesGroup } from './unserved.ts';

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
  /** A resource of Kubernetes that this server does not serve. */
  | { readonly kind: 'unserved'; readonly resource: string; readonly group: string }
  | { readonly kind: 'unknown'; readonly isOfGroup: boolean };

export function readRoute(target: string): Route {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? noQuery : queryOf(target.slice(mark + 1));
  const segments = path.split('/');
  if (segments.at(-1) === '') segments.pop();
  const isNamed = segments[1] === 'apis';
  const group = isNamed ? (segments[2] ?? '') : '';
  const version = segments[isNamed ? 3 : 2] ?? '';
  const rest = segments.slice(isNamed ? 4 : 3);
  if ((segments[1] !== 'api' && !isNamed) || rest.length === 0)
    return { kind: 'page', path, query };
  if (rest[0] === 'watch') return { kind: 'unserved', resource: 'watch paths', group };
  const found = readResourcePath(rest.map(decoded));
  if (found === undefined) return unknownIn(group);
  const resource = findResource({ group, version, resource: found.resource });
  if (resource === undefined) {
    return isKubernetes({ group, version, resource: found.resource })
      ? { kind: 'unserved', resource: found.resource, group }
      : unknownIn(group);
  }
  const { namespace, name, subresource } = found;
  const isScopeRight = namespace === undefined || resource.scope === 'Namespaced';
  if (!isScopeRight) return { kind: 'unknown', isOfGroup: true };
  return {
    kind: 'resource',
    resource,
    namespace,
    name,
    subresource,
    query,
  };
}

/** Shared, and never changed. */
const noQuery = new URLSearchParams();

/** Shared, and never changed. Most queries name only a field manager. */
const queryOf: (text: string) => URLSearchParams = memoize((text) => new URLSearchParams(text));

function findResource(
  wanted: Pick<Resource, 'group' | 'version' | 'resource'>,
): Resource | undefined {
  return byName
    .get(wanted.resource)
    ?.find(({ group, version }) => group === wanted.group && version === wanted.version);
}

/** Two groups may have a resource of the same name. */
const byName: ReadonlyMap<string, readonly Resource[]> = Map.groupBy(
  resources,
  ({ resource }) => resource,
);

/** Text that is not escaped correctly is kept: it names no existing object. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface ResourcePath {
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

function readResourcePath(segments: readonly string[]): ResourcePath | undefined {
  const [first, , part] = segments;
  const isPartOfNamespace = part === 'status' || part === 'finalize';
  const isInNamespace = first === 'namespaces' && segments.length >= 3 && !isPartOfNamespace;
  const start = isInNamespace ? 2 : 0;
  const resource = segments[start];
  const name = segments[start + 1];
  const subresource = segments[start + 2];
  // The path after `proxy` belongs to the server behind the proxy.
  const isLong = segments.length > start + 3 && subresource !== 'proxy';
  if (resource === undefined || resource === '' || isLong) return undefined;
  const namespace = isInNamespace ? segments[1] : undefined;
  return { resource, namespace, name, subresource };
}

function unknownIn(group: string): Route {
  const isServed = resources.some((known) => known.group === group);
  return { kind: 'unknown', isOfGroup: isServed || isKubernetesGroup(group) };
}
