/** Turns protobuf bodies of the served kinds into JSON, which all other code reads. */
import { resources } from '../resources/index.ts';
import { type ObjectSchema, readProtobuf } from '../schema/index.ts';
import { mediaOf, protobufMedia } from './read-body.ts';
import { reviews } from './reviews.ts';

export interface Body {
  readonly contentType: string | undefined;
  readonly text: string;
}

/** A body that cannot be read keeps its media type. The server refuses it by that type, after the access check. */
export function readBytes(bytes: Buffer, contentType: string | undefined): Body {
  const object =
    mediaOf(contentType ?? '') === protobufMedia
      ? readProtobuf(bytes, ({ apiVersion, kind }) => schemas.get(`${apiVersion} ${kind}`))
      : undefined;
  return object === undefined
    ? { contentType, text: bytes.toString('utf8') }
    : { contentType: 'application/json', text: JSON.stringify(object) };
}

const schemas: ReadonlyMap<string, ObjectSchema> = new Map(
  [...resources, ...reviews].map(({ group, version, kind, schema }) => [
    `${group === '' ? version : `${group}/${version}`} ${kind}`,
    schema,
  ]),
);
