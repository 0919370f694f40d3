/**
 * Reads the `Status` object of a refusal from JSON or protobuf: the server refuses a request for protobuf
 * in protobuf. The parser is total: bytes that are not a Status give `undefined`, and a field of the
 * wrong type counts as absent.
 */
import { isRecord } from '@tandem/runtime';
import { parseJson } from '../codec/json-value.ts';
import {
  type BinaryReader,
  fieldOf,
  hasMagic,
  magicBytes,
  nextTag,
  readBytes,
  readInteger,
  readProtobuf,
  readText,
  skip,
} from '../protobuf.ts';
import type { ApiStatus } from './client.ts';

type Cause = ApiStatus['causes'][number];

export function parseStatus(body: Uint8Array): ApiStatus | undefined {
  try {
    return hasMagic(body) ? readEnvelope(body.subarray(magicBytes)) : readJson(body);
  } catch {
    // Unreadable bytes are not a Status. The caller shows their beginning.
    return undefined;
  }
}

function readJson(body: Uint8Array): ApiStatus | undefined {
  const status = asRecord(parseJson(body));
  if (status['kind'] !== 'Status') return undefined;
  const details = asRecord(status['details']);
  const causes = Array.isArray(details['causes']) ? details['causes'].map(asRecord) : [];
  return {
    code: asNumber(status['code']) ?? 0,
    reason: asString(status['reason']),
    message: asString(status['message']),
    causes: causes.map((cause) => ({
      reason: asString(cause['reason']),
      message: asString(cause['message']),
      field: asString(cause['field']),
    })),
    retryAfterSeconds: asNumber(details['retryAfterSeconds']) || undefined,
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** `Unknown{typeMeta=1{kind=2}, raw=2}`, with the Status in `raw`. */
function readEnvelope(bytes: Uint8Array): ApiStatus | undefined {
  let kind = '';
  let raw: Uint8Array = new Uint8Array();
  eachField(bytes, (reader, tag) => {
    if (fieldOf(tag) === 1) kind = readStrings(readBytes(reader, tag)).get(2) ?? '';
    else if (fieldOf(tag) === 2) raw = readBytes(reader, tag);
    else skip(reader, tag);
  });
  return kind === 'Status' ? readStatus(raw) : undefined;
}

/** `Status{message=3, reason=4, details=5, code=6}`. */
function readStatus(bytes: Uint8Array): ApiStatus {
  let [message, reason, code] = ['', '', 0];
  let details: Pick<ApiStatus, 'causes' | 'retryAfterSeconds'> = readDetails(new Uint8Array());
  eachField(bytes, (reader, tag) => {
    if (fieldOf(tag) === 3) message = readText(reader, tag);
    else if (fieldOf(tag) === 4) reason = readText(reader, tag);
    else if (fieldOf(tag) === 5) details = readDetails(readBytes(reader, tag));
    else if (fieldOf(tag) === 6) code = readInteger(reader, tag);
    else skip(reader, tag);
  });
  return { code, reason, message, ...details };
}

/** `StatusDetails{causes=4, retryAfterSeconds=5}`. */
function readDetails(bytes: Uint8Array): Pick<ApiStatus, 'causes' | 'retryAfterSeconds'> {
  const causes: Cause[] = [];
  let retryAfterSeconds = 0;
  eachField(bytes, (reader, tag) => {
    if (fieldOf(tag) === 4) causes.push(readCause(readBytes(reader, tag)));
    else if (fieldOf(tag) === 5) retryAfterSeconds = readInteger(reader, tag);
    else skip(reader, tag);
  });
  return { causes, retryAfterSeconds: retryAfterSeconds || undefined };
}

/** `StatusCause{reason=1, message=2, field=3}`. */
function readCause(bytes: Uint8Array): Cause {
  const strings = readStrings(bytes);
  return {
    reason: strings.get(1) ?? '',
    message: strings.get(2) ?? '',
    field: strings.get(3) ?? '',
  };
}

/** Strings in the first three fields of a message. */
function readStrings(bytes: Uint8Array): ReadonlyMap<number, string> {
  const strings = new Map<number, string>();
  eachField(bytes, (reader, tag) => {
    if (fieldOf(tag) <= 3) strings.set(fieldOf(tag), readText(reader, tag));
    else skip(reader, tag);
  });
  return strings;
}

/** Calls back for each field. The callback reads or skips the field. */
function eachField(bytes: Uint8Array, read: (reader: BinaryReader, tag: number) => void): void {
  readProtobuf(bytes, (reader) => {
    for (let tag = nextTag(reader, reader.len); tag !== 0; tag = nextTag(reader, reader.len)) {
      read(reader, tag);
    }
  });
}
