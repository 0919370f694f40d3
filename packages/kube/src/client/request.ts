/**
 * Calls as HTTP requests, without deadline and credentials: method, path, headers and body. The
 * content type is always said, because for a patch it decides what the body means.
 */
import type { TransportRequest } from '../transport/index.ts';
import type { Call, StreamCall } from './client.ts';
import { resourcePath } from './resource-path.ts';
import { hasFieldManager, methodOf } from './verbs.ts';

export type ApiRequest = Omit<TransportRequest, 'refuseAtSocket'>;

const json = 'application/json';

export function requestOf(call: Call, fieldManager: string): Omit<ApiRequest, 'signal'> {
  const { verb, resource, query = {}, body, contentType = json, accept = json } = call;
  const manager = hasFieldManager(verb) ? { fieldManager } : {};
  const head = { method: methodOf(verb), path: resourcePath(resource, { ...manager, ...query }) };
  if (body === undefined) return { ...head, headers: { accept } };
  const headers = { accept, 'content-type': contentType };
  return { ...head, headers, body: JSON.stringify(body) };
}

export function streamRequestOf({
  resource,
  query,
  accept,
}: StreamCall): Omit<ApiRequest, 'signal'> {
  return { method: 'GET', path: resourcePath(resource, query), headers: { accept } };
}
