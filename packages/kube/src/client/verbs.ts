/**
 * The verbs of the API and what they are in HTTP. A verb that only reads has no effect to worry
 * about, whatever becomes of the request.
 */
import type { Method } from '../transport/index.ts';
import type { Call } from './client.ts';

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

/** Whether the server records who set which field, and so wants to know a field manager. */
export function hasFieldManager(verb: Verb): boolean {
  return verb === 'create' || verb === 'update' || verb === 'patch';
}
