/**
 * Calls as HTTP requests, without credentials: method, path, headers and body. The content type is always
 * set, because for a patch it decides what the body means.
 */
import type { Method, TransportRequest } from '../transport/index.ts';
import type { Call, Resource } from './client.ts';

export type ApiRequest = Omit<TransportRequest, 'refuseAtSocket'>;

/** The field manager of everything that Tandem writes. */
export const fieldManager = 'tandem';

const json = 'application/json';

/** `writeTimeoutMs`: how long the server may work on a write. */
export function requestOf(
  call: Call,
  { writeTimeoutMs, signal }: { readonly writeTimeoutMs: number; readonly signal: AbortSignal },
): ApiRequest {
  const { verb, resource, query, body, contentType = json, accept = json } = call;
  const method = methods[verb];
  const path = resourcePath(resource, {
    // The server records no field manager for a deletion.
    ...(isMutating(method) && verb !== 'delete' ? { fieldManager } : {}),
    ...(isMutating(method) ? { timeout: `${writeTimeoutMs}ms` } : {}),
    ...query,
  });
  if (body === undefined) return { method, path, headers: { accept }, signal };
  const headers = { accept, 'content-type': contentType };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method, path, headers, body: text, signal };
}

/**
 * The path of a resource. Every segment is escaped, and segments that would leave the path are refused: a
 * name that came from a label or a flag must never reach another resource.
 */
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

export const methods: Readonly<Record<Call['verb'], Method>> = {
  get: 'GET',
  list: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

export function isMutating(method: Method): boolean {
  return method !== 'GET';
}
