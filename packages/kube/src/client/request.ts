/**
 * Calls as HTTP requests, without credentials: method, path, headers and body. The content type is always
 * set, because for a patch it decides what the body means.
 */
import type { Method, TransportRequest } from '../transport/index.ts';
import type { Call, StreamCall } from './client.ts';
import { resourcePath } from './resource-path.ts';

export type ApiRequest = Omit<TransportRequest, 'refuseAtSocket'>;

const json = 'application/json';

interface RequestOptions {
  readonly fieldManager: string;
  /** How long the server may work on a write. */
  readonly writeTimeoutMs: number;
  readonly signal: AbortSignal;
}

export function requestOf(
  call: Call,
  { fieldManager, writeTimeoutMs, signal }: RequestOptions,
): ApiRequest {
  const { verb, resource, query, body, contentType = json, accept = json } = call;
  const method = methodOf(verb);
  const path = resourcePath(resource, {
    ...(hasFieldManager(verb) ? { fieldManager } : {}),
    ...(isMutating(method) ? { timeout: `${writeTimeoutMs}ms` } : {}),
    ...query,
  });
  if (body === undefined) return { method, path, headers: { accept }, signal };
  const headers = { accept, 'content-type': contentType };
  return { method, path, headers, body: JSON.stringify(body), signal };
}

export function streamRequestOf(
  { resource, query, accept }: StreamCall,
  signal: AbortSignal,
): ApiRequest {
  return { method: 'GET', path: resourcePath(resource, query), headers: { accept }, signal };
}

/** The verbs of the API. */
export type Verb = Call['verb'];

const methods: Readonly<Record<Verb, Method>> = {
  get: 'GET',
  list: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

export function methodOf(verb: Verb): Method {
  return methods[verb];
}

export function isMutating(method: Method): boolean {
  return method !== 'GET';
}

/** Whether the server records a field manager for the verb. */
function hasFieldManager(verb: Verb): boolean {
  return verb === 'create' || verb === 'update' || verb === 'patch';
}
