/**
 * A JSON patch (RFC 6902) that carries its own guards: its `test` operations say what must still be so
 * for the write to be right, and the server applies all of it or nothing. Unlike a resourceVersion,
 * the guards name only what matters, so that a heartbeat in between does no harm.
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

export interface GuardedPatch extends PlannedPart {
  /** The one object, or its subresource, that it is for. */
  readonly resource: Resource;
}

export const jsonPatchType = 'application/json-patch+json';
