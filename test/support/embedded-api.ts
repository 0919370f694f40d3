/** The embedded API server for tests of packages that may not import it. */
import assert from 'node:assert/strict';
import type { EmbeddedCluster } from '@tandem/devcluster/model';
import { isStoredObject, type StoredObject } from '@tandem/devcluster/store';

export { textAt } from '@tandem/devcluster/json';
export { createCluster, type EmbeddedCluster } from '@tandem/devcluster/model';
export type { Snapshot, StoredObject } from '@tandem/devcluster/store';

/** An object as a test declares it. */
export interface GivenObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** Stores an object as it is, without the rules of the API. It replaces an object of the same name. */
export function putObject(
  { store }: Pick<EmbeddedCluster, 'store'>,
  collection: string,
  { metadata, ...rest }: GivenObject,
): StoredObject {
  const named = { uid: `uid-${metadata.name}`, creationTimestamp: '2026-01-01T00:00:00Z' };
  const object: unknown = JSON.parse(
    JSON.stringify({ metadata: { ...named, ...metadata }, ...rest }),
  );
  assert.ok(isStoredObject(object), `${metadata.name} is not an object that can be stored`);
  return store.collection(collection).put(object);
}
