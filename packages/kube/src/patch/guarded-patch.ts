/**
 * A patch with its own guards: it says what must still hold, and the server applies all of it or nothing.
 * A JSON patch (RFC 6902) has `test` operations for exactly the fields that matter, so that a heartbeat
 * does not fail it. Only the UID and resourceVersion of the object can guard a strategic merge; it is for
 * lists that the server merges by key.
 */
import type { Resource } from '../client/index.ts';
import type { JsonPointer } from './json-pointer.ts';

export type PatchOperation =
  | { readonly op: 'test' | 'add'; readonly path: JsonPointer; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: JsonPointer };

/** Operations, and how to see on the object that they were applied. */
export interface PlannedPart {
  readonly operations: readonly PatchOperation[];
  /** Takes the object in JSON. */
  readonly isWritten: (live: unknown) => boolean;
}

/**
 * A patch is kept as text: its many small objects would otherwise live for as long as it waits to be sent, with those of
 * all other patches that wait.
 */
export interface GuardedPatch extends Pick<PlannedPart, 'isWritten'> {
  readonly resource: Resource;
  readonly contentType: string;
  readonly body: string;
}

export function jsonPatch({
  operations,
  ...rest
}: PlannedPart & Pick<GuardedPatch, 'resource'>): GuardedPatch {
  return { ...rest, contentType: 'application/json-patch+json', body: JSON.stringify(operations) };
}

/** `merge` has the parts of the object to merge, its UID and resourceVersion among them. */
export function mergePatch({
  merge,
  ...rest
}: Pick<GuardedPatch, 'resource' | 'isWritten'> & { readonly merge: unknown }): GuardedPatch {
  const contentType = 'application/strategic-merge-patch+json';
  return { ...rest, contentType, body: JSON.stringify(merge) };
}
