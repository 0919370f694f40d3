/**
 * Events have two views: core/v1, which kubectl reads, and the newer events.k8s.io/v1. Both show the same objects,
 * with different names for some fields.
 */
import { kindOf } from './meta.ts';
import { always, int32, microTime, objectOf, type ObjectSchema, text, time } from './schema.ts';

const core = 'io.k8s.api.core.v1';

const reference = objectOf(`${core}.ObjectReference`, {
  kind: text,
  namespace: text,
  name: text,
  uid: text,
  apiVersion: text,
  resourceVersion: text,
  fieldPath: text,
});

const source = objectOf(`${core}.EventSource`, { component: text, host: text });

const seriesFields = { count: always(int32, 0), lastObservedTime: always(microTime, null) };

export const coreEvent: ObjectSchema = kindOf(`${core}.Event`, {
  involvedObject: always(reference, {}),
  reason: text,
  message: text,
  source: always(source, {}),
  firstTimestamp: always(time, null),
  lastTimestamp: always(time, null),
  count: int32,
  type: text,
  eventTime: always(microTime, null),
  series: objectOf(`${core}.EventSeries`, seriesFields),
  action: text,
  related: reference,
  reportingComponent: always(text, ''),
  reportingInstance: always(text, ''),
});

export const event: ObjectSchema = kindOf('io.k8s.api.events.v1.Event', {
  eventTime: always(microTime, null),
  series: objectOf('io.k8s.api.events.v1.EventSeries', seriesFields),
  reportingController: text,
  reportingInstance: text,
  action: text,
  reason: text,
  regarding: always(reference, {}),
  related: reference,
  note: text,
  type: text,
  deprecatedSource: always(source, {}),
  deprecatedFirstTimestamp: always(time, null),
  deprecatedLastTimestamp: always(time, null),
  deprecatedCount: int32,
});

/** The names in events.k8s.io/v1 of fields that core/v1, the stored form, names differently. */
export const renamedFields: ReadonlyMap<string, string> = new Map([
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]);
