/** The columns of `kubectl get events`. */
import { at, type Json, textAt } from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import { column, wide } from './columns.ts';
import { ageOf } from './human-duration.ts';
import type { Column } from './resource.ts';

/** Read from the stored form, that of core/v1. */
export const eventColumns: readonly Column[] = [
  column('Last Seen', 'When it last happened', (event, nowMs) => ageOf(lastSeen(event), nowMs)),
  column('Type', 'Normal or Warning', (event) => textAt(event, 'type')),
  column('Reason', 'What happened, in a word', (event) => textAt(event, 'reason')),
  column('Object', 'What it is about', objectOf),
  wide('Subobject', 'The part of the object that it is about', (event) =>
    textAt(event, 'involvedObject', 'fieldPath'),
  ),
  wide('Source', 'Who reported it', sourceOf),
  column('Message', 'What happened, for people', (event) => textAt(event, 'message').trim()),
  wide('First Seen', 'When it first happened', (event, nowMs) => ageOf(firstSeen(event), nowMs)),
  wide('Count', 'How often it happened', countOf),
  { ...wide('Name', 'The name of the object', ({ metadata }) => metadata.name), isName: true },
];

function objectOf(event: StoredObject): string {
  const kind = textAt(event, 'involvedObject', 'kind').toLowerCase();
  const name = textAt(event, 'involvedObject', 'name');
  return kind === '' ? name : `${kind}/${name}`;
}

function sourceOf(event: StoredObject): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  const host = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

function firstSeen(event: StoredObject): string {
  return textAt(event, 'firstTimestamp') || textAt(event, 'eventTime');
}

function lastSeen(event: StoredObject): string {
  return (
    textAt(event, 'series', 'lastObservedTime') ||
    textAt(event, 'lastTimestamp') ||
    firstSeen(event)
  );
}

function countOf(event: StoredObject): number {
  const count: Json | undefined = at(event, 'series', 'count') ?? at(event, 'count');
  return typeof count === 'number' && count > 0 ? count : 1;
}
