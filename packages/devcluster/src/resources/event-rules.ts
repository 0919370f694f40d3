/**
 * The rules of events. Those that come in by core/v1 are hardly looked at; those of events.k8s.io/v1
 * must be complete when they are created, and later only their series may change.
 */
import { at, isEqual, type Json, textAt } from '../json/index.ts';
import { renamedFields } from '../schema/index.ts';
import { isStoredObject, type StoredObject } from '../store/index.ts';
import { type FieldError, invalid, required } from './field-error.ts';
import { qualifiedNameProblems } from './names.ts';
import type { Rules, Update, View } from './resource.ts';

/** The stored form is that of core/v1. */
export const eventView: View = {
  to: (stored) => renamed(stored, renamedFields),
  from: (event) => renamed(event, originalNames),
};

const originalNames: ReadonlyMap<string, string> = new Map(
  [...renamedFields].map(([core, events]) => [events, core]),
);

/** In another order of fields nobody would recognise an object; here it stays as it was. */
function renamed(object: StoredObject, names: ReadonlyMap<string, string>): StoredObject {
  const entries = Object.entries(object).map(([key, value]) => [names.get(key) ?? key, value]);
  const result: unknown = Object.fromEntries(entries);
  return isStoredObject(result) ? result : object;
}

const asItIs = {
  prepareCreate: (event: StoredObject) => event,
  prepareUpdate: ({ next }: { readonly next: StoredObject }) => next,
};

export const coreEventRules: Rules = {
  ...asItIs,
  validateCreate: (event) => commonErrors(event, 'reportingComponent'),
  validateUpdate: ({ next }) => commonErrors(next, 'reportingComponent'),
};

export const eventRules: Rules = {
  ...asItIs,
  validateCreate: (event) => [
    ...commonErrors(event, 'reportingController'),
    ...seriesErrors(event),
    ...newEventErrors(event),
  ],
  validateUpdate: (update) => [
    ...commonErrors(update.next, 'reportingController'),
    ...(isEqual(update.next['series'], update.current['series']) ? [] : seriesErrors(update.next)),
    ...changeErrors(update),
  ],
};

const limits = { text: 128, message: 1024 };

function commonErrors(event: StoredObject, reporterField: string): FieldError[] {
  const { namespace = '' } = event.metadata;
  const about = textAt(event, 'involvedObject', 'namespace');
  const astray = invalid('involvedObject.namespace', about, 'does not match event.namespace');
  if (at(event, 'eventTime') === null) {
    const isAtHome = about === '' ? namespace === 'default' : about === namespace;
    return isAtHome ? [] : [astray];
  }
  const reporter = textAt(event, 'reportingComponent');
  return [
    ...(about === '' && !['default', 'kube-system'].includes(namespace) ? [astray] : []),
    ...(reporter === '' ? [required(reporterField)] : []),
    ...qualifiedNameProblems(reporter).map((problem) => invalid(reporterField, reporter, problem)),
    ...['reportingInstance', 'action', 'reason'].flatMap((field) => textErrors(event, field)),
    ...lengthErrors(event, 'message', limits.message),
  ];
}

function textErrors(event: StoredObject, field: string): FieldError[] {
  if (textAt(event, field) === '') return [required(field)];
  return lengthErrors(event, field, limits.text);
}

function lengthErrors(event: StoredObject, field: string, max: number): FieldError[] {
  if (Buffer.byteLength(textAt(event, field)) <= max) return [];
  return [invalid(field, '', `can have at most ${max} characters`)];
}

function seriesErrors(event: StoredObject): FieldError[] {
  if (event['series'] === undefined) return [];
  const count = at(event, 'series', 'count');
  return [
    ...(typeof count === 'number' && count >= 2
      ? []
      : [invalid('series.count', '', 'should be at least 2')]),
    ...(at(event, 'series', 'lastObservedTime') === null
      ? [required('series.lastObservedTime')]
      : []),
  ];
}

function newEventErrors(event: StoredObject): FieldError[] {
  const type = textAt(event, 'type');
  const deprecated: readonly (readonly [string, boolean])[] = [
    ['firstTimestamp', event['firstTimestamp'] !== null],
    ['lastTimestamp', event['lastTimestamp'] !== null],
    ['count', event['count'] !== undefined],
    ['source', textAt(event, 'source', 'component') + textAt(event, 'source', 'host') !== ''],
  ];
  return [
    ...(at(event, 'eventTime') === null ? [required('eventTime')] : []),
    ...(['Normal', 'Warning'].includes(type)
      ? []
      : [invalid('type', '', `has invalid value: ${type}`)]),
    ...deprecated
      .filter(([, isSet]) => isSet)
      .map(([field]) => invalid(field, '', 'needs to be unset')),
  ];
}

/** Everything but the series and the metadata. */
const fixedFields = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
];

function changeErrors({ next, current }: Update): FieldError[] {
  return fixedFields
    .filter((field) => !isEqual(next[field], current[field]))
    .map((field) => {
      const value: Json = next[field] ?? null;
      return invalid(field, value, 'field is immutable');
    });
}
