/** An object as the store keeps it: decoded, stamped, without kind and apiVersion. It is immutable. */
import { isJsonObject, type JsonObject } from '../json/index.ts';

export interface StoredObject extends JsonObject {
  readonly metadata: ObjectMeta;
}

export interface ObjectMeta extends JsonObject {
  readonly name: string;
  readonly uid: string;
  readonly creationTimestamp: string;
  /** Set by the store. */
  readonly resourceVersion?: string;
  readonly namespace?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** `namespace/name`, or the name alone. Sorting by it is the order of every list. */
export function keyOf({ metadata }: StoredObject): string {
  return metadata.namespace === undefined
    ? metadata.name
    : `${metadata.namespace}/${metadata.name}`;
}

export function isStoredObject(value: unknown): value is StoredObject {
  if (!isJsonObject(value)) return false;
  const { metadata } = value;
  return (
    isJsonObject(metadata) &&
    typeof metadata['name'] === 'string' &&
    typeof metadata['uid'] === 'string' &&
    typeof metadata['creationTimestamp'] === 'string'
  );
}
