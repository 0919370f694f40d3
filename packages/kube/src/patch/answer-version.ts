/**
 * The resourceVersion of an answer, which is all that anybody wants of what a write comes back with. It
 * is asked for in protobuf and without spec and status, and read past everything else: of ten thousand
 * writes, parsing their answers would otherwise cost more than anything else on our side.
 */
import { DecodeError } from '../decode-error.ts';
import { findBytes, hasMagic, openEnvelope, readProtobuf } from '../protobuf.ts';
import { valueAt } from './json-pointer.ts';

/** A server that knows no protobuf, or cannot leave the rest out, may send what it has. */
export const metadataOnly: string = [
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json',
].join(',');

/** Of an object in either encoding. Bytes that are neither say nothing. */
export function answerVersion(body: Uint8Array): string | undefined {
  return hasMagic(body) ? protobufVersion(body) : versionOf(parseJson(body));
}

export function versionOf(object: unknown): string | undefined {
  const version = valueAt(object, '/metadata/resourceVersion');
  return typeof version === 'string' ? version : undefined;
}

/** Bytes that are no JSON say nothing, just as an object without the field does. */
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
