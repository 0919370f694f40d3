/** The rules of owner references: each is complete, and at most one is a controller. */
import { at, listAt, textAt } from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import { type FieldError, invalid } from './field-error.ts';

const field = 'metadata.ownerReferences';

export function ownerErrors(object: StoredObject): FieldError[] {
  const owners = listAt(object, 'metadata', 'ownerReferences');
  if (owners.length === 0) return [];
  const controllers = owners.filter((owner) => at(owner, 'controller') === true);
  return [
    ...owners.flatMap(errorsOf),
    ...(controllers.length > 1
      ? [invalid(field, owners, 'Only one reference can have Controller set to true')]
      : []),
  ];
}

function errorsOf(owner: unknown): FieldError[] {
  const apiVersion = textAt(owner, 'apiVersion');
  const isVersion = /^(?:[^/]+\/)?[^/]+$/.test(apiVersion);
  const isEvent = textAt(owner, 'kind') === 'Event' && eventVersions.includes(apiVersion);
  return [
    ...(isVersion ? [] : [invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty')]),
    ...['kind', 'name', 'uid']
      .filter((name) => textAt(owner, name) === '')
      .map((name) => invalid(`${field}.${name}`, '', 'must not be empty')),
    ...(isEvent
      ? [invalid(field, apiVersion, `${apiVersion}, Kind=Event is disallowed from being an owner`)]
      : []),
  ];
}

/** Events expire by themselves, so that they own nothing. */
const eventVersions: readonly string[] = ['v1'];
