/** The columns of `kubectl get events`. */
import { at, type Json, textAt } from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import { ageOf } from './human-duration.ts';
import type { Column } from './resource.ts';

/** Of the stored form, that of core/v1. */
export const eventColumns: readonly Column[] = [
  {
    name: 'Last Seen',
    description: 'When it last happened',
    priority: 0,
    cell: (event, nowMs) => ageOf(lastSeen(event), nowMs),
  },
  shownText('Type', 'Normal or Warning', (event) => textAt(event, 'type')),
  shownText('Reason', 'What happened, in a word', (event) => textAt(event, 'reason')),
  shownText('Object', 'What it is about', objectOf),
  {
    ...shownText('Subobject', 'The part of the object that it is about', (event) =>
      textAt(event, 'involvedObject', 'fieldPath'),
    ),
    priority: 1,
  },
  { ...shownText('Source', 'Who reported it', sourceOf), priority: 1 },
  shownText('Message', 'What happened, for people', (event) => textAt(event, 'message').trim()),
  {
    name: 'First Seen',
    description: 'When it first happened',
    priority: 1,
    cell: (event, nowMs) => ageOf(firstSeen(event), nowMs),
  },
  { name: 'Count', description: 'How often it happened', priority: 1, cell: countOf },
  {
    ...shownText('Name', 'The name of the object', ({ metadata }) => metadata.name),
    priority: 1,
    isName: true,
  },
];

function shownText(
  name: string,
  description: string,
  cell: (event: StoredObject) => string,
): Column {
  return { name, description, priority: 0, cell };
}

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
