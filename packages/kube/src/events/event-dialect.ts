/**
 * The two groups under which the API server takes events, which are two views of the same stored
 * objects. An event can be created under one and continued under the other. The names of some fields
 * differ, and only core takes the timestamp that `kubectl describe` sorts by: `events.k8s.io/v1` refuses
 * it with 422, when an event is created and later. So the recorder writes core events, and those of the
 * group where core is forbidden (decision 0013).
 */
import type { Resource } from '../client/index.ts';
import { namespaceOf, type NewEvent } from './event.ts';
import type { EventName } from './event-name.ts';
import { microTime } from '../micro-time.ts';

/** One event with all its occurrences so far. Its name has the time of the first one. */
export interface EventRecord extends EventName {
  readonly event: NewEvent;
  readonly reportingInstance: string;
  /** The last occurrence, on the wall clock. */
  readonly lastMs: number;
  readonly count: number;
}

export interface EventDialect {
  readonly group: '' | 'events.k8s.io';
  readonly body: (record: EventRecord) => unknown;
  /** The only fields of a stored event that may change. */
  readonly patch: (record: EventRecord) => unknown;
}

export const coreGroup: EventDialect = {
  group: '',
  body: (record) => ({
    apiVersion: 'v1',
    ...sharedFields(record),
    involvedObject: record.event.regarding,
    message: record.event.note,
    reportingComponent: record.event.reportingController,
    firstTimestamp: wholeSeconds(record.timeMicros / 1_000),
    ...lastSeen(record),
  }),
  patch: (record) => ({ series: series(record), ...lastSeen(record) }),
};

export const eventsGroup: EventDialect = {
  group: 'events.k8s.io',
  body: (record) => ({
    apiVersion: 'events.k8s.io/v1',
    ...sharedFields(record),
    regarding: record.event.regarding,
    note: record.event.note,
    reportingController: record.event.reportingController,
  }),
  patch: (record) => ({ series: series(record) }),
};

export function eventsResource({ group }: EventDialect, { event }: EventRecord): Resource {
  const namespace = namespaceOf(event.regarding);
  return { group, version: 'v1', resource: 'events', namespace };
}

function sharedFields(record: EventRecord): Record<string, unknown> {
  const { name, timeMicros, event, reportingInstance, count } = record;
  const { type, reason, action } = event;
  return {
    kind: 'Event',
    metadata: { name, namespace: namespaceOf(event.regarding) },
    eventTime: microTime(timeMicros / 1_000),
    ...(count > 1 ? { series: series(record) } : {}),
    reportingInstance,
    action,
    reason,
    type,
  };
}

/** A series has at least two occurrences. */
function series({ count, lastMs }: EventRecord): unknown {
  return { count: Math.max(count, 2), lastObservedTime: microTime(lastMs) };
}

/** The series in the fields that only core has, which kubectl and event exporters read. */
function lastSeen({ count, lastMs }: EventRecord): Record<string, unknown> {
  return { lastTimestamp: wholeSeconds(lastMs), count };
}

/** The API's `Time`, which has no fraction. */
function wholeSeconds(epochMs: number): string {
  return microTime(epochMs).replace(/\.\d+/, '');
}
