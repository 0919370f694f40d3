/**
 * The resourceVersion of an answer, which is all that callers need of the answer to a write. The request
 * asks for protobuf without spec and status: parsing the answers to ten thousand writes as JSON would cost
 * more than anything else on our side.
 */
import { parseJson } from '../codec/json-value.ts';
import {
  type BinaryReader,
  enter,
  fieldOf,
  hasMagic,
  nextTag,
  openEnvelope,
  readProtobuf,
  readText,
  skip,
} from '../protobuf.ts';
import { valueAt } from './json-pointer.ts';

/** A server without protobuf or metadata-only answers may send what it has. */
export const metadataOnly: string = [
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json',
].join(',');

/** The version of an object in either encoding; undefined for other bytes. */
export function answerVersion(body: Uint8Array): string | undefined {
  return hasMagic(body) ? protobufVersion(body) : versionOf(parseAnswer(body));
}

export function versionOf(object: unknown): string | undefined {
  const version = valueAt(object, '/metadata/resourceVersion');
  return typeof version === 'string' ? version : undefined;
}

/** Undefined for bytes that are not JSON: the status of the answer says whether the write was stored. */
export function parseAnswer(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function protobufVersion(body: Uint8Array): string | undefined {
  try {
    return readProtobuf(openEnvelope(body), readObject) || undefined;
  } catch {
    return undefined;
  }
}

/** The metadata is field 1 of every kind of object. */
function readObject(reader: BinaryReader): string {
  let version = '';
  for (let tag = nextTag(reader, reader.len); tag !== 0; tag = nextTag(reader, reader.len)) {
    if (fieldOf(tag) === 1) version = readMetadata(reader, enter(reader, tag));
    else skip(reader, tag);
  }
  return version;
}

/** The resourceVersion is field 6. Labels and managed fields are most of the bytes. */
function readMetadata(reader: BinaryReader, end: number): string {
  let version = '';
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    if (fieldOf(tag) === 6) version = readText(reader, tag);
    else skip(reader, tag);
  }
  return version;
}
