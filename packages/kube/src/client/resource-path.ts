/**
 * The path of a resource. Every segment is escaped, and segments that would leave the path are refused: a
 * name that came from a label or a flag must never reach another resource.
 */
import type { Resource } from './client.ts';

export function resourcePath(
  { group, version, resource, namespace, name, subresource }: Resource,
  query: Readonly<Record<string, string>> = {},
): string {
  const root = group === '' ? '/api' : `/apis${below(group)}`;
  const scope = namespace === undefined ? '' : `/namespaces${below(namespace)}`;
  const path = root + below(version) + scope + below(resource) + below(name) + below(subresource);
  const search = Object.entries(query)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&');
  return search === '' ? path : `${path}?${search}`;
}

function below(segment: string | undefined): string {
  if (segment === undefined) return '';
  if (segment === '' || segment === '.' || segment === '..') {
    throw new RangeError(`"${segment}" cannot be part of the path of an API resource`);
  }
  return `/${encodeURIComponent(segment)}`;
}
