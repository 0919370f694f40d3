/**
 * The rules of events. The server hardly checks those of core/v1. Those of events.k8s.io/v1 must be complete when
 * they are created, and later only their series may change.
 */
import { at, isEqual, type Json, textAt } from '../json/index.ts';
import { renamedFields } from '../schema/index.ts';
import type { StoredObject } from '../store/index.ts';
import { type FieldError, invalid, required } from './field-error.ts';
import { qualifiedNameProblems } from './names.ts';
import { type Rules, type Update, unprepared, type View } from './resource.ts';

/** The stored form is that of core/v1. */
export const eventView: View = {
  shown: renamedFields,
  stored: new Map([...renamedFields].map(([core, events]) => [events, core])),
};

export const coreEventRules: Rules = {
  ...unprepared,
  validateCreate: (event) => commonErrors(event, 'reportingComponent'),
  validateUpdate: ({ next }) => commonErrors(next, 'reportingComponent'),
};

export const eventRules: Rules = {
  ...unprepared,
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

/** The namespaces of events about objects without a namespace. */
const homes = ['default', 'kube-system'];

const requiredTexts = ['reportingInstance', 'action', 'reason'];

function commonErrors(event: StoredObject, reporterField: string): FieldError[] {
  const { namespace = '' } = event.metadata;
  const about = textAt(event, 'involvedObject', 'namespace');
  const astray = (): FieldError =>
    invalid('involvedObject.namespace', about, 'does not match event.namespace');
  if (at(event, 'eventTime') === null) {
    const isAtHome = about === '' ? namespace === 'default' : about === namespace;
    return isAtHome ? [] : [astray()];
  }
  const reporter = textAt(event, 'reportingComponent');
  return [
    ...(about === '' && !homes.includes(namespace) ? [astray()] : []),
    ...(reporter === '' ? [required(reporterField)] : []),
    ...qualifiedNameProblems(reporter).map((problem) => invalid(reporterField, reporter, problem)),
    ...requiredTexts.flatMap((field) => textErrors(event, field)),
    ...lengthErrors(event, 'message', limits.message),
  ];
}

function textErrors(event: StoredObject, field: string): FieldError[] {
  if (textAt(event, field) === '') return [required(field)];
  return lengthErrors(event, field, limits.text);
}

function lengthErrors(event: StoredObject, field: string, max: number): FieldError[] {
  const text = textAt(event, field);
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (text.length * 3 <= max || Buffer.byteLength(text) <= max) return [];
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
  return [
    ...(at(event, 'eventTime') === null ? [required('eventTime')] : []),
    ...(types.includes(type) ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...deprecatedFields
      .filter((field) => isSet(event, field))
      .map((field) => invalid(field, '', 'needs to be unset')),
  ];
}

const types = ['Normal', 'Warning'];
const deprecatedFields = ['firstTimestamp', 'lastTimestamp', 'count', 'source'] as const;

function isSet(event: StoredObject, field: (typeof deprecatedFields)[number]): boolean {
  switch (field) {
    case 'source':
      return textAt(event, field, 'component') + textAt(event, field, 'host') !== '';
    case 'count':
      return event[field] !== undefined;
    default:
      return event[field] !== null;
  }
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
