/**
 * Calls as HTTP requests, without credentials: method, path, headers and body. The content type is always
 * set, because for a patch it decides what the body means.
 */
import type { Method, TransportRequest } from '../transport/index.ts';
import type { Call } from './client.ts';
import { resourcePath } from './resource-path.ts';

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
  return { method, path, headers, body: JSON.stringify(body), signal };
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
