/**
 * The resourceVersion of an answer, which is all that callers need of the answer to a write. The request
 * asks for protobuf without spec and status, and the reader skips everything else: parsing the answers to
 * ten thousand writes would cost more than anything else on our side.
 */
import { DecodeError } from '../decode-error.ts';
import { findBytes, hasMagic, openEnvelope, readProtobuf } from '../protobuf.ts';
import { valueAt } from './json-pointer.ts';

/** A server without protobuf or metadata-only answers may send what it has. */
export const metadataOnly: string = [
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json',
].join(',');

/** The version of an object in either encoding; undefined for other bytes. */
export function answerVersion(body: Uint8Array): string | undefined {
  return hasMagic(body) ? protobufVersion(body) : versionOf(parseJson(body));
}

export function versionOf(object: unknown): string | undefined {
  const version = valueAt(object, '/metadata/resourceVersion');
  return typeof version === 'string' ? version : undefined;
}

/** Undefined for bytes that are not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder();

function findField(message: Uint8Array, field: number): Uint8Array | undefined {
  return readProtobuf(message, (reader) => findBytes(reader, reader.len, field));
}

/** The metadata is field 1 of every kind of object, and its resourceVersion field 6 of that. */
function protobufVersion(body: Uint8Array): string | undefined {
  try {
    const metadata = findField(openEnvelope(body), 1);
    const version = metadata && findField(metadata, 6);
    return version && decoder.decode(version);
  } catch (err) {
    if (err instanceof DecodeError) return undefined;
    throw err;
  }
}
