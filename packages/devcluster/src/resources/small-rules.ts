/** The rules of leases, config maps and namespaces. */
import { at, isEqual, isJsonObject, type JsonObject, listAt, textAt } from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import { type FieldError, forbidden, invalid, tooLong } from './field-error.ts';
import { configKeyProblems } from './names.ts';
import { type Rules, unprepared } from './resource.ts';

export const leaseRules: Rules = {
  ...unprepared,
  validateCreate: leaseErrors,
  validateUpdate: ({ next }) => leaseErrors(next),
};

function leaseErrors(lease: StoredObject): FieldError[] {
  const duration = at(lease, 'spec', 'leaseDurationSeconds');
  const transitions = at(lease, 'spec', 'leaseTransitions');
  return [
    ...(typeof duration === 'number' && duration <= 0
      ? [invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...(typeof transitions === 'number' && transitions < 0
      ? [invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

export const configMapRules: Rules = {
  ...unprepared,
  validateCreate: configMapErrors,
  validateUpdate: ({ next, current }) => [
    ...(at(current, 'immutable') === true ? changesOfImmutable(next, current) : []),
    ...configMapErrors(next),
  ],
};

const configMapBytesMax = 1024 * 1024;

function configMapErrors(configMap: StoredObject): FieldError[] {
  const data = mapAt(configMap, 'data');
  const binaryData = mapAt(configMap, 'binaryData');
  const isTooLong = sizeOf(data, 'utf8') + sizeOf(binaryData, 'base64') > configMapBytesMax;
  return [
    ...keyErrors('data', data),
    ...Object.keys(data)
      .filter((key) => Object.hasOwn(binaryData, key))
      .map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...keyErrors('binaryData', binaryData),
    // The field is the whole object, which has no name.
    ...(isTooLong ? [tooLong('[]', configMapBytesMax)] : []),
  ];
}

function keyErrors(field: string, map: JsonObject): FieldError[] {
  return Object.keys(map).flatMap((key) =>
    configKeyProblems(key).map((problem) => invalid(`${field}[${key}]`, key, problem)),
  );
}

function sizeOf(map: JsonObject, encoding: 'utf8' | 'base64'): number {
  return Object.keys(map).reduce(
    (sum, key) => sum + Buffer.byteLength(textAt(map, key), encoding),
    0,
  );
}

function mapAt(object: StoredObject, field: string): JsonObject {
  const map = object[field];
  return isJsonObject(map) ? map : {};
}

function changesOfImmutable(next: StoredObject, current: StoredObject): FieldError[] {
  const fields = ['immutable', 'data', 'binaryData'];
  return fields
    .filter((field) => !isEqual(next[field], current[field]))
    .map((field) => forbidden(field, 'field is immutable when `immutable` is set'));
}

export const namespaceRules: Rules = {
  prepareCreate: (namespace) => ({
    ...namespace,
    metadata: { ...namespace.metadata, labels: labelled(namespace) },
    spec: { finalizers: [...new Set([...listAt(namespace, 'spec', 'finalizers'), 'kubernetes'])] },
    status: { phase: 'Active' },
  }),
  validateCreate: () => [],
  prepareUpdate: ({ next, current, subresource }) => ({
    ...next,
    metadata: { ...next.metadata, labels: labelled(next) },
    spec: current['spec'],
    status: subresource === 'status' ? next['status'] : current['status'],
  }),
  validateUpdate: () => [],
};

/** Adds the label by which a selector finds a namespace by its name. */
function labelled(namespace: StoredObject): Record<string, string> {
  const labels = at(namespace, 'metadata', 'labels');
  const given = isJsonObject(labels) ? Object.keys(labels) : [];
  return {
    ...Object.fromEntries(given.map((key) => [key, textAt(labels, key)])),
    'kubernetes.io/metadata.name': namespace.metadata.name,
  };
}
