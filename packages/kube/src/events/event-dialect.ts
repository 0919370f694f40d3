/**
 * The two groups under which the API server takes events, which are two views of the same stored
 * objects: `events.k8s.io/v1`, and core `v1` for those who may not use it. An event can be created
 * under one and continued under the other; only the names of some fields differ.
 */
import type { Resource } from '../client/index.ts';
import { namespaceOf, type NewEvent } from './event.ts';
import { microTime } from '../micro-time.ts';

/** One event with all its occurrences so far. */
export interface EventRecord {
  readonly name: string;
  readonly event: NewEvent;
  readonly reportingInstance: string;
  /** Of the first and the last occurrence, on the wall clock. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
}

export interface EventDialect {
  readonly group: '' | 'events.k8s.io';
  readonly body: (record: EventRecord) => unknown;
}

export const eventsGroup: EventDialect = {
  group: 'events.k8s.io',
  body: (record) => ({
    apiVersion: 'events.k8s.io/v1',
    ...sharedFields(record),
    regarding: record.event.regarding,
    note: record.event.note,
    reportingController: record.event.reportingController,
  }),
};

export const coreGroup: EventDialect = {
  group: '',
  body: (record) => ({
    apiVersion: 'v1',
    ...sharedFields(record),
    involvedObject: record.event.regarding,
    message: record.event.note,
    reportingComponent: record.event.reportingController,
  }),
};

export function eventsResource({ group }: EventDialect, { event }: EventRecord): Resource {
  const namespace = namespaceOf(event.regarding);
  return { group, version: 'v1', resource: 'events', namespace };
}

/** The only fields of a stored event that may change. */
export function seriesPatch(record: EventRecord): unknown {
  return { series: series(record) };
}

function sharedFields(record: EventRecord): Record<string, unknown> {
  const { name, event, reportingInstance, firstMs, count } = record;
  const { type, reason, action } = event;
  return {
    kind: 'Event',
    metadata: { name, namespace: namespaceOf(event.regarding) },
    eventTime: microTime(firstMs),
    ...(count > 1 ? { series: series(record) } : {}),
    reportingInstance,
    action,
    reason,
    type,
  };
}

/** A series has at least two; one that is continued has, whatever else is known about it. */
function series({ count, lastMs }: EventRecord): unknown {
  return { count: Math.max(count, 2), lastObservedTime: microTime(lastMs) };
}
