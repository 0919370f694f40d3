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

export interface JsonPatch extends PlannedPart {
  readonly resource: Resource;
}

export interface MergePatch extends Pick<JsonPatch, 'resource' | 'isWritten'> {
  /** The parts of the object to merge, its UID and resourceVersion among them. */
  readonly merge: unknown;
}

export type GuardedPatch = JsonPatch | MergePatch;

export function patchBody(patch: GuardedPatch): {
  readonly contentType: string;
  readonly body: unknown;
} {
  return 'merge' in patch
    ? { contentType: 'application/strategic-merge-patch+json', body: patch.merge }
    : { contentType: 'application/json-patch+json', body: patch.operations };
}
