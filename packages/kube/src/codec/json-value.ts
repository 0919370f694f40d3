/**
 * Reads untyped JSON values. Absent and null fields are empty, as in Kubernetes. A value of another type
 * is a `DecodeError` that names the field.
 */
import { isUtf8 } from 'node:buffer';
import { isRecord } from '@tandem/runtime';
import { DecodeError } from '../decode-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses bytes that must be one JSON value. */
export function parseJson(bytes: Uint8Array): unknown {
  // An invalid byte within a string would otherwise become a replacement character.
  if (!isUtf8(bytes)) throw new DecodeError('The JSON is not UTF-8');
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw new DecodeError('The JSON is malformed', { cause });
  }
}

export function objectAt(parent: JsonObject, field: string): JsonObject {
  return asObject(parent[field] ?? empty, field);
}

export function asObject(value: unknown, what: string): JsonObject {
  if (isRecord(value)) return value;
  throw new DecodeError(`${what} is not an object`);
}

export function listAt(parent: JsonObject, field: string): readonly unknown[] {
  const value = parent[field] ?? none;
  if (Array.isArray(value)) return value;
  throw new DecodeError(`${field} is not a list`);
}

export function textAt(parent: JsonObject, field: string): string {
  const value = parent[field] ?? '';
  if (typeof value === 'string') return value;
  throw new DecodeError(`${field} is not a string`);
}

export function asText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new DecodeError(`${what} is not a string`);
}

export function booleanAt(parent: JsonObject, field: string): boolean {
  const value = parent[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw new DecodeError(`${field} is not a boolean`);
}

const decoder = new TextDecoder();
const empty: JsonObject = Object.freeze({});
const none: readonly unknown[] = Object.freeze([]);
