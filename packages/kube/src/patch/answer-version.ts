/**
 * The resourceVersion of an answer, which is all that callers need of the answer to a write. The request
 * asks for protobuf without spec and status: parsing the answers to ten thousand writes as JSON would cost
 * more than anything else on our side.
 */
import { parseJson } from '../codec/json-value.ts';
import { hasMagic, messageAt, openEnvelope, readMessage, textAt } from '../protobuf.ts';
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

/** The metadata is field 1 of every kind of object, and its resourceVersion field 6 of that. */
function protobufVersion(body: Uint8Array): string | undefined {
  try {
    return textAt(messageAt(readMessage(openEnvelope(body)), 1), 6) || undefined;
  } catch {
    return undefined;
  }
}
