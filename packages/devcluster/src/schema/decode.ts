/**
 * Reads a value by its schema, as the typed decoding of the API server does: the decoder drops and reports unknown
 * fields, leaves out empty ones, and refuses an object with a value of a wrong type. It recognises parts that it
 * decoded before by their identity and does not walk them again, so that a small patch of a large object costs
 * little.
 */
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json/index.ts';
import { isQuantity } from './quantity.ts';
import { isMicroTime, isTime } from './timestamps.ts';
import type { ListSchema, NamedField, ObjectSchema, Schema } from './schema.ts';

export type Decoded =
  | { readonly kind: 'decoded'; readonly value: JsonObject; readonly unknown: readonly string[] }
  | { readonly kind: 'malformed'; readonly problem: string };

/** `known` was decoded by the same schema before. */
export function decode(schema: ObjectSchema, value: Json, known?: JsonObject): Decoded {
  const decoder = new Decoder();
  try {
    const decoded = decoder.object(value, schema, { above: undefined, key: undefined, known });
    return { kind: 'decoded', value: decoded, unknown: decoder.unknown };
  } catch (err) {
    if (err instanceof TypeProblem) return { kind: 'malformed', problem: err.message };
    throw err;
  }
}

/** Ends a walk from any depth. It never leaves this file. */
class TypeProblem extends Error {}

/** The path of a field, which becomes text only in an error message, and its earlier value. */
interface FieldPath {
  readonly above: FieldPath | undefined;
  /** Undefined at the top, and for the values of a map, which have the path of the map. */
  readonly key: string | number | undefined;
  readonly known: Json | undefined;
}

class Decoder {
  /** The paths of unknown fields. */
  readonly unknown: string[] = [];

  object(value: Json, schema: ObjectSchema, path: FieldPath): JsonObject {
    if (!isJsonObject(value)) throw mismatch(value, path, schema.name.split('.').at(-1) ?? '');
    const before = isJsonObject(path.known) ? path.known : undefined;
    if (value === before) return before;
    const result: Record<string, Json | undefined> = {};
    let givenCount = 0;
    for (const field of schema.ordered) {
      const { key } = field;
      const found = value[key];
      const isGiven = found !== undefined && Object.hasOwn(value, key);
      if (isGiven) givenCount += 1;
      let kept = field.absent;
      if (isGiven && !field.isDropped) {
        kept = isPlainText(found, field.schema)
          ? found
          : this.#field(found, field, { above: path, key, known: before?.[key] });
      }
      if (kept !== undefined) result[key] = kept;
    }
    const keys = Object.keys(value);
    if (keys.length > givenCount) this.#noteUnknown(keys, schema, path);
    return result;
  }

  #noteUnknown(keys: readonly string[], { fields }: ObjectSchema, path: FieldPath): void {
    for (const key of keys) {
      if (!fields.has(key)) this.unknown.push(pathOf({ above: path, key, known: undefined }));
    }
  }

  #field(given: Json, field: NamedField, path: FieldPath): Json | undefined {
    const decoded = this.#value(given, field.schema, path);
    return decoded === undefined || isLeftOut(decoded, field) ? field.absent : decoded;
  }

  /** Undefined for null. */
  #value(value: Json, schema: Schema, path: FieldPath): Json | undefined {
    if (value === null) return undefined;
    if (typeof value === 'object' && value === path.known) return value;
    switch (schema.kind) {
      case 'object':
        return this.object(value, schema, path);
      case 'list':
        return this.#list(value, schema, path);
      case 'map':
        return this.#map(value, schema.values, path);
      case 'any':
        return value;
      default:
        return decodeScalar(value, schema, path);
    }
  }

  #list(value: Json, { items }: ListSchema, path: FieldPath): Json {
    if (!isJsonList(value)) throw mismatch(value, path, '[]');
    const before = isJsonList(path.known) ? path.known : [];
    return value.map((item, index): Json => {
      // A known item may have moved.
      if (typeof item === 'object' && item !== null && before.includes(item)) return item;
      const inside = { above: path, key: index, known: undefined };
      return this.#value(item, items, inside) ?? this.#zero(items, inside);
    });
  }

  /** Returns the same map if no value changes, which is nearly always so. */
  #map(value: Json, values: Schema, path: FieldPath): Json {
    if (!isJsonObject(value)) throw mismatch(value, path, 'map');
    const before = isJsonObject(path.known) ? path.known : undefined;
    const changed = new Map<string, Json>();
    for (const key of Object.keys(value)) {
      const item = value[key] ?? null;
      const inside = { above: path, key: undefined, known: before?.[key] };
      const kept = this.#value(item, values, inside) ?? this.#zero(values, inside);
      if (kept !== item) changed.set(key, kept);
    }
    if (changed.size === 0) return value;
    return Object.fromEntries(
      Object.keys(value).map((key) => [key, changed.get(key) ?? value[key] ?? null]),
    );
  }

  /** The value that Go has for null in a list or a map. */
  #zero(schema: Schema, path: FieldPath): Json {
    switch (schema.kind) {
      case 'object':
        return this.object({}, schema, path);
      case 'string':
      case 'quantity':
      case 'bytes':
        return '';
      case 'integer':
        return 0;
      case 'boolean':
        return false;
      default:
        return null;
    }
  }
}

/** Whether the value is a string that needs no decoding, as most values are. */
function isPlainText(value: Json, { kind }: Schema): boolean {
  return kind === 'string' && typeof value === 'string' && value !== '';
}

function decodeScalar(value: Json, schema: Schema, path: FieldPath): Json {
  switch (schema.kind) {
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, path, 'string');
      return value;
    case 'bytes':
      return decodeBytes(value, path);
    case 'quantity':
      return decodeQuantity(value);
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(value, path, 'bool');
      return value;
    case 'integer':
      return decodeInteger(value, path, schema.format);
    case 'time':
      return decodeTime(value, path, 'time');
    case 'microTime':
      return decodeTime(value, path, 'microTime');
    default:
      return value;
  }
}

/** A 64-bit integer may lose precision as a number; only integers beyond 64 bits are refused. */
const integerMax = { int32: 2 ** 31 - 1, int64: 2 ** 63 } as const;

function decodeInteger(value: Json, path: FieldPath, format: 'int32' | 'int64'): Json {
  const max = integerMax[format];
  const isInRange = typeof value === 'number' && value <= max && value >= -max - 1;
  if (!isInRange || !Number.isInteger(value)) throw mismatch(value, path, format);
  return value;
}

function decodeQuantity(value: Json): Json {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (isQuantity(text)) return text;
  throw new TypeProblem(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

/** Standard base64 with padding. Line breaks are ignored. */
function decodeBytes(value: Json, path: FieldPath): Json {
  if (typeof value !== 'string') throw mismatch(value, path, 'string');
  const text = value.replaceAll(/[\r\n]/g, '');
  const padding = text.indexOf('=');
  const isPadded = text.length % 4 === 0 && (padding < 0 || /^==?$/.test(text.slice(padding)));
  if (!isPadded || /[^A-Za-z0-9+/=]/.test(text)) {
    throw new TypeProblem(`illegal base64 data in ${pathOf(path)}`);
  }
  return Buffer.from(text, 'base64').toString('base64');
}

function decodeTime(value: Json, path: FieldPath, kind: 'time' | 'microTime'): Json {
  if (typeof value !== 'string') throw mismatch(value, path, 'string');
  const isValid = kind === 'time' ? isTime(value) : isMicroTime(value);
  if (isValid) return value;
  const layout = `2006-01-02T15:04:05${kind === 'time' ? '' : '.000000'}Z07:00`;
  throw new TypeProblem(`parsing time ${JSON.stringify(value)} as "${layout}"`);
}

/** Empty values are left out unless the schema of the field says otherwise. */
function isLeftOut(value: Json, { absent, keepsEmpty }: NamedField): boolean {
  if (absent !== undefined || keepsEmpty) return false;
  if (isJsonList(value)) return value.length === 0;
  if (isJsonObject(value)) return isEmpty(value);
  return value === '' || value === 0 || value === false;
}

function isEmpty(object: JsonObject): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

function mismatch(value: Json, path: FieldPath, wanted: string): TypeProblem {
  return new TypeProblem(
    `json: cannot unmarshal ${typeName(value)} into Go struct field ${pathOf(path)} of type ${wanted}`,
  );
}

function typeName(value: Json): string {
  if (isJsonList(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function pathOf({ above, key }: FieldPath): string {
  const path = above === undefined ? '' : pathOf(above);
  if (key === undefined) return path;
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}
