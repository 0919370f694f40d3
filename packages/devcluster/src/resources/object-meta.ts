/** The rules of metadata, which hold for objects of every kind. */
import { at, isJsonObject, listAt, textAt, textsAt } from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from './field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from './names.ts';
import { ownerErrors } from './owner-references.ts';

export type NameRule = (name: string) => string[];

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

/** What must not change while an object lives. */
export function validateMetaUpdate(next: StoredObject, current: StoredObject): FieldError[] {
  const fixed = ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];
  const changed = fixed.filter((key) => at(next, 'metadata', key) !== at(current, 'metadata', key));
  const isDeleting = at(current, 'metadata', 'deletionTimestamp') !== undefined;
  const known = listAt(current, 'metadata', 'finalizers');
  const added = listAt(next, 'metadata', 'finalizers').filter((name) => !known.includes(name));
  return [
    ...changed.map((key) =>
      invalid(`metadata.${key}`, at(next, 'metadata', key) ?? null, 'field is immutable'),
    ),
    ...(isDeleting && added.length > 0
      ? [
          forbidden(
            'metadata.finalizers',
            `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((name) => JSON.stringify(name)).join(', ')}}`,
          ),
        ]
      : []),
    // What has not changed was found good before.
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

function labelErrors(object: StoredObject): FieldError[] {
  return entriesAt(object, 'labels').flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalid('metadata.labels', key, problem)),
    ...labelValueProblems(value).map((problem) => invalid('metadata.labels', value, problem)),
  ]);
}

function annotationErrors(object: StoredObject): FieldError[] {
  const entries = entriesAt(object, 'annotations');
  const length = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  // A letter has three bytes at the most; most objects are far from the limit.
  const isNear = length * 3 > annotationsBytesMax;
  const isTooLong = isNear && Buffer.byteLength(entries.flat().join('')) > annotationsBytesMax;
  return [
    ...entries.flatMap(([key]) =>
      qualifiedNameProblems(key.toLowerCase()).map((problem) =>
        invalid('metadata.annotations', key, problem),
      ),
    ),
    ...(isTooLong ? [tooLong('metadata.annotations', annotationsBytesMax)] : []),
  ];
}

/** A few short names are known; others are to be qualified by a domain. */
const standardFinalizers: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

function finalizerErrors(object: StoredObject): FieldError[] {
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

function entriesAt(object: StoredObject, field: string): [string, string][] {
  const map = at(object, 'metadata', field);
  if (!isJsonObject(map)) return [];
  return Object.keys(map).map((key) => [key, textAt(map, key)]);
}
