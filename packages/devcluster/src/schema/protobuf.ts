/**
 * Converts protobuf bodies, which `kubectl create` and `kubectl auth` send, to JSON. The schema has the type of each
 * field, and the table here has its number. If a field has no number here, the whole body counts as unreadable, so
 * that no field of a client is lost silently.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json/index.ts';
import type { ObjectSchema, Schema } from './schema.ts';
import { formatTime } from './timestamps.ts';

interface ObjectType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Undefined for bytes that are not an object, and for objects whose schema or field numbers are unknown. */
export function readProtobuf(
  body: Uint8Array,
  findSchema: (type: ObjectType) => ObjectSchema | undefined,
): JsonObject | undefined {
  if (!magic.every((byte, index) => body[index] === byte)) return undefined;
  try {
    const { type, raw } = readEnvelope(body.subarray(magic.length));
    const schema = findSchema(type);
    return schema === undefined ? undefined : { ...type, ...readMessage(schema, raw) };
  } catch {
    // The library has no error class of its own.
    return undefined;
  }
}

/** `k8s` and a zero byte. */
const magic = [0x6b, 0x38, 0x73, 0x00];

/** `Unknown{typeMeta=1{apiVersion=1, kind=2}, raw=2}`, with the object in `raw`. */
function readEnvelope(bytes: Uint8Array): { readonly type: ObjectType; readonly raw: Uint8Array } {
  const type = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array();
  eachField(bytes, (number, reader, wireType) => {
    if (number === 2) raw = reader.bytes();
    else if (number !== 1) reader.skip(wireType, number);
    else {
      eachField(reader.bytes(), (part, inner) => {
        type[part === 1 ? 'apiVersion' : 'kind'] = inner.string();
      });
    }
  });
  return { type, raw };
}

/** The fields of a message by their numbers. Those that only the server writes are skipped. */
type Numbers = Readonly<Record<number, string | typeof passedOver>>;

const passedOver = Symbol('written by the server');

const inOrder = (...keys: readonly string[]): Numbers =>
  Object.fromEntries(keys.map((key, index) => [index + 1, key]));

const withStatus: Numbers = { 1: 'metadata', 2: 'spec', 3: passedOver };

const messages: Readonly<Record<string, Numbers>> = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
    ...inOrder(
      'name',
      'generateName',
      'namespace',
      'selfLink',
      'uid',
      'resourceVersion',
      'generation',
      'creationTimestamp',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
      'labels',
      'annotations',
    ),
    14: 'finalizers',
    17: passedOver,
  },
  'io.k8s.api.core.v1.ConfigMap': inOrder('metadata', 'data', 'binaryData', 'immutable'),
  'io.k8s.api.core.v1.Namespace': withStatus,
  'io.k8s.api.core.v1.NamespaceSpec': inOrder('finalizers'),
  'io.k8s.api.authentication.v1.SelfSubjectReview': { 1: 'metadata', 2: passedOver },
  'io.k8s.api.authorization.v1.SelfSubjectAccessReview': withStatus,
  'io.k8s.api.authorization.v1.SelfSubjectAccessReviewSpec': inOrder(
    'resourceAttributes',
    'nonResourceAttributes',
  ),
  'io.k8s.api.authorization.v1.ResourceAttributes': inOrder(
    'namespace',
    'verb',
    'group',
    'version',
    'resource',
    'subresource',
    'name',
  ),
  'io.k8s.api.authorization.v1.NonResourceAttributes': inOrder('path', 'verb'),
};

function readMessage({ name, fields }: ObjectSchema, bytes: Uint8Array): JsonObject {
  const numbers = messages[name] ?? {};
  const object: Record<string, Json> = {};
  eachField(bytes, (number, reader, wireType) => {
    const key = numbers[number];
    if (key === passedOver) {
      reader.skip(wireType, number);
      return;
    }
    const schema = key === undefined ? undefined : fields.get(key)?.schema;
    if (key === undefined || schema === undefined) throw new Error(`Unread field ${number}`);
    object[key] = readField(schema, { reader, wireType, before: object[key] });
  });
  return object;
}

function eachField(
  bytes: Uint8Array,
  read: (number: number, reader: BinaryReader, wireType: WireType) => void,
): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    read(number, reader, wireType);
  }
}

interface FieldAt {
  readonly reader: BinaryReader;
  readonly wireType: WireType;
  /** The entries of this field so far: protobuf encodes each entry of a list or map as a field of its own. */
  readonly before: Json | undefined;
}

function readField(schema: Schema, { reader, wireType, before }: FieldAt): Json {
  const isNumber = schema.kind === 'boolean' || schema.kind === 'integer';
  if (wireType !== (isNumber ? WireType.Varint : WireType.LengthDelimited)) {
    throw new Error(`Unexpected wire type ${wireType}`);
  }
  switch (schema.kind) {
    case 'list': {
      const item = readField(schema.items, { reader, wireType, before: undefined });
      return [...(isJsonList(before) ? before : []), item];
    }
    case 'map':
      return {
        ...(isJsonObject(before) ? before : {}),
        ...readEntry(schema.values, reader.bytes()),
      };
    case 'object':
      return readMessage(schema, reader.bytes());
    case 'string':
      return reader.string();
    case 'boolean':
      return reader.bool();
    case 'integer':
      return Number(reader.int64());
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'time':
      return readTime(reader.bytes());
    case 'any':
    case 'microTime':
    case 'quantity':
      throw new Error(`Unread ${schema.kind}`);
    default:
      return schema satisfies never;
  }
}

function readEntry(values: Schema, bytes: Uint8Array): JsonObject {
  let key = '';
  let value: Json = '';
  eachField(bytes, (number, reader, wireType) => {
    if (number === 1) key = reader.string();
    else value = readField(values, { reader, wireType, before: undefined });
  });
  return { [key]: value };
}

/** An empty message stands for no time. */
function readTime(bytes: Uint8Array): Json {
  let seconds: number | undefined;
  eachField(bytes, (number, reader, wireType) => {
    if (number === 1) seconds = Number(reader.int64());
    else reader.skip(wireType, number);
  });
  return seconds === undefined ? null : formatTime(seconds * 1_000);
}
