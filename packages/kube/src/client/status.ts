/**
 * Reads the `Status` object of a refusal from JSON or protobuf: the server refuses a request for protobuf
 * in protobuf. The parser is total: bytes that are not a Status give `undefined`, and a field of the
 * wrong type counts as absent.
 */
import { isRecord } from '@tandem/runtime';
import { parseJson } from '../codec/json-value.ts';
import {
  hasMagic,
  integerAt,
  listAt,
  messageAt,
  readEnvelope,
  readMessage,
  textAt,
} from '../protobuf.ts';
import type { ApiStatus } from './client.ts';

export function parseStatus(body: Uint8Array): ApiStatus | undefined {
  try {
    return hasMagic(body) ? readProtobuf(body) : readJson(body);
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

/** `Status{message=3, reason=4, details=5{causes=4, retryAfterSeconds=5}, code=6}`. */
function readProtobuf(body: Uint8Array): ApiStatus | undefined {
  const envelope = readEnvelope(body);
  if (textAt(messageAt(envelope, 1), 2) !== 'Status') return undefined;
  const status = messageAt(envelope, 2);
  const details = messageAt(status, 5);
  return {
    code: integerAt(status, 6),
    reason: textAt(status, 4),
    message: textAt(status, 3),
    // `StatusCause{reason=1, message=2, field=3}`.
    causes: listAt(details, 4)
      .map(readMessage)
      .map((cause) => ({
        reason: textAt(cause, 1),
        message: textAt(cause, 2),
        field: textAt(cause, 3),
      })),
    retryAfterSeconds: integerAt(details, 5) || undefined,
  };
}
