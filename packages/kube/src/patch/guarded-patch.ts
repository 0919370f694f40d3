/**
 * A patch that carries its own guards: it says what must still be so for the write to be right, and the
 * server applies all of it or nothing. A JSON patch (RFC 6902) guards with `test` operations that name
 * only what matters, so that a heartbeat in between does no harm. A strategic merge can only be guarded
 * by the object's UID and resourceVersion; it is for lists that the server merges by key.
 */
import type { Resource } from '../client/index.ts';
import type { JsonPointer } from './json-pointer.ts';

export type PatchOperation =
  | { readonly op: 'test' | 'add'; readonly path: JsonPointer; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: JsonPointer };

/** Some operations, and how to tell from the object whether they have been done. */
export interface PlannedPart {
  readonly operations: readonly PatchOperation[];
  /** Takes the object as the API server gives it in JSON. */
  readonly isWritten: (live: unknown) => boolean;
}

export interface JsonPatch extends PlannedPart {
  /** The one object, or its subresource, that it is for. */
  readonly resource: Resource;
}

export interface MergePatch extends Pick<JsonPatch, 'resource' | 'isWritten'> {
  /** The parts of the object to merge, its UID and resourceVersion among them. */
  readonly merge: unknown;
}

export type GuardedPatch = JsonPatch | MergePatch;

/** What a patch is sent as. */
export function patchBody(patch: GuardedPatch): {
  readonly contentType: string;
  readonly body: unknown;
} {
  return 'merge' in patch
    ? { contentType: 'application/strategic-merge-patch+json', body: patch.merge }
    : { contentType: 'application/json-patch+json', body: patch.operations };
}
