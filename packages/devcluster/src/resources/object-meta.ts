/** The rules of metadata, which apply to objects of every kind. */
import {
  isJsonObject,
  type JsonList,
  type JsonObject,
  listAt,
  textAt,
  textsAt,
} from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from './field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from './names.ts';
import { ownerErrors } from './owner-references.ts';

export type NameRule = (name: string) => readonly string[];

const annotationsBytesMax = 256 * 1024;

export function validateMeta(object: StoredObject, nameRule: NameRule): FieldError[] {
  const { name } = object.metadata;
  const generateName = textAt(object, 'metadata', 'generateName');
  return [
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : nameRule(name).map((problem) => invalid('metadata.name', name, problem))),
    ...(generateName === ''
      ? []
      : nameRule(generateName.replace(/-$/, 'a')).map((problem) =>
          invalid('metadata.generateName', generateName, problem),
        )),
    ...labelErrors(object),
    ...annotationErrors(object),
    ...finalizerErrors(object),
    ...ownerErrors(object),
  ];
}

/** Checks that an update does not change fixed fields, and validates what it changes. */
export function validateMetaUpdate(next: StoredObject, current: StoredObject): FieldError[] {
  const changed = fixedFields.filter((key) => next.metadata[key] !== current.metadata[key]);
  const isDeleting = current.metadata['deletionTimestamp'] !== undefined;
  const added = addedFinalizers(next, current);
  return [
    ...changed.map((key) =>
      invalid(`metadata.${key}`, next.metadata[key] ?? null, 'field is immutable'),
    ),
    ...(isDeleting && added.length > 0
      ? [
          forbidden(
            'metadata.finalizers',
            `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((name) => JSON.stringify(name)).join(', ')}}`,
          ),
        ]
      : []),
    // Values that have not changed were validated before.
    ...(next.metadata['labels'] === current.metadata['labels'] ? [] : labelErrors(next)),
    ...(next.metadata['annotations'] === current.metadata['annotations']
      ? []
      : annotationErrors(next)),
    ...(added.length === 0 ? [] : finalizerErrors(next)),
    ...(next.metadata['ownerReferences'] === current.metadata['ownerReferences']
      ? []
      : ownerErrors(next)),
  ];
}

const fixedFields = ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

function addedFinalizers(next: StoredObject, current: StoredObject): JsonList {
  if (next.metadata['finalizers'] === current.metadata['finalizers']) return [];
  const known = listAt(current, 'metadata', 'finalizers');
  return listAt(next, 'metadata', 'finalizers').filter((name) => !known.includes(name));
}

function labelErrors({ metadata }: StoredObject): FieldError[] {
  const field = 'metadata.labels';
  const errors: FieldError[] = [];
  const labels = mapIn(metadata, 'labels');
  for (const key of Object.keys(labels)) {
    const value = textAt(labels, key);
    for (const problem of qualifiedNameProblems(key)) errors.push(invalid(field, key, problem));
    for (const problem of labelValueProblems(value)) errors.push(invalid(field, value, problem));
  }
  return errors;
}

function annotationErrors({ metadata }: StoredObject): FieldError[] {
  const field = 'metadata.annotations';
  const errors: FieldError[] = [];
  const annotations = mapIn(metadata, 'annotations');
  let length = 0;
  for (const key of Object.keys(annotations)) {
    const problems = qualifiedNameProblems(key.toLowerCase());
    for (const problem of problems) errors.push(invalid(field, key, problem));
    length += key.length + textAt(annotations, key).length;
  }
  // A UTF-16 unit takes at most three bytes of UTF-8, and most objects are far from the limit.
  const isNear = length * 3 > annotationsBytesMax;
  if (isNear && bytesOf(annotations) > annotationsBytesMax) {
    errors.push(tooLong(field, annotationsBytesMax));
  }
  return errors;
}

function bytesOf(annotations: JsonObject): number {
  const texts = Object.keys(annotations).map((key) => key + textAt(annotations, key));
  return Buffer.byteLength(texts.join(''));
}

/** Kubernetes' own finalizers. All others must be qualified by a domain. */
const standardFinalizers: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

function finalizerErrors(object: StoredObject): FieldError[] {
  if (object.metadata['finalizers'] === undefined) return [];
  return textsAt(object, 'metadata', 'finalizers').flatMap((name, index) => {
    const field = `metadata.finalizers[${index}]`;
    if (standardFinalizers.includes(name)) return [];
    const problems = qualifiedNameProblems(name);
    if (problems.length > 0) return problems.map((problem) => invalid(field, name, problem));
    if (name.includes('/')) return [];
    return [
      invalid(field, name, 'name is neither a standard finalizer name nor is it fully qualified'),
    ];
  });
}

function mapIn(metadata: JsonObject, field: string): JsonObject {
  const map = metadata[field];
  return isJsonObject(map) ? map : {};
}
