/**
 * Reads a value by its schema, as the typed decoding of the API server does: fields that nobody knows
 * are dropped and told, empty ones are left out, and a value of a wrong type refuses the whole. Parts
 * that were decoded before are recognised by identity and not walked again, so that a small patch of
 * a large object costs little.
 */
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json/index.ts';
import { isQuantity } from './quantity.ts';
import { isMicroTime, isTime } from './timestamps.ts';
import type { Field, ListSchema, ObjectSchema, Schema } from './schema.ts';

export type Decoded =
  | { readonly kind: 'decoded'; readonly value: JsonObject; readonly unknown: readonly string[] }
  | { readonly kind: 'malformed'; readonly problem: string };

/** `known` has been decoded by the same schema before. */
export function decode(schema: ObjectSchema, value: Json, known?: JsonObject): Decoded {
  const decoder = new Decoder();
  try {
    const decoded = decoder.object(value, schema, { path: '', known });
    return { kind: 'decoded', value: decoded, unknown: decoder.unknown };
  } catch (err) {
    if (err instanceof TypeProblem) return { kind: 'malformed', problem: err.message };
    throw err;
  }
}

/** Ends a walk from any depth; nobody outside sees it. */
class TypeProblem extends Error {}

/** Where a walk is, and what stood there before. */
interface Place {
  readonly path: string;
  readonly known: Json | undefined;
}

class Decoder {
  /** The places of fields that nobody knows. */
  readonly unknown: string[] = [];

  object(value: Json, schema: ObjectSchema, { path, known }: Place): JsonObject {
    if (!isJsonObject(value)) throw mismatch(value, path, schema.name.split('.').at(-1) ?? '');
    const before = isJsonObject(known) ? known : undefined;
    if (value === before) return before;
    const result: Record<string, Json | undefined> = {};
    for (const [key, field] of schema.fields) {
      const isGiven = Object.hasOwn(value, key) && field.isDropped !== true;
      const given = isGiven ? value[key] : undefined;
      const kept =
        given === undefined
          ? field.absent
          : this.#field(given, field, { path: join(path, key), known: before?.[key] });
      if (kept !== undefined) result[key] = kept;
    }
    for (const key of Object.keys(value)) {
      if (!schema.fields.has(key)) this.unknown.push(join(path, key));
    }
    return result;
  }

  #field(given: Json, field: Field, place: Place): Json | undefined {
    const decoded = this.#value(given, field.schema, place);
    return decoded === undefined || isLeftOut(decoded, field) ? field.absent : decoded;
  }

  /** Undefined for null, which stands for nothing. */
  #value(value: Json, schema: Schema, place: Place): Json | undefined {
    if (value === null) return undefined;
    if (typeof value === 'object' && value === place.known) return value;
    switch (schema.kind) {
      case 'object':
        return this.object(value, schema, place);
      case 'list':
        return this.#list(value, schema, place);
      case 'map':
        return this.#map(value, schema.values, place);
      case 'any':
        return value;
      default:
        return decodeScalar(value, schema, place.path);
    }
  }

  #list(value: Json, { items }: ListSchema, { path, known }: Place): Json {
    if (!isJsonList(value)) throw mismatch(value, path, '[]');
    const before = isJsonList(known) ? known : [];
    return value.map((item, index): Json => {
      // An item that was known may have moved.
      if (typeof item === 'object' && item !== null && before.includes(item)) return item;
      const place = { path: `${path}[${index}]`, known: undefined };
      return this.#value(item, items, place) ?? this.#zero(items, place);
    });
  }

  #map(value: Json, values: Schema, { path, known }: Place): Json {
    if (!isJsonObject(value)) throw mismatch(value, path, 'map');
    const before = isJsonObject(known) ? known : undefined;
    const entries = Object.entries(value).map(([key, item]) => {
      const place = { path, known: before?.[key] };
      return [key, this.#value(item ?? null, values, place) ?? this.#zero(values, place)] as const;
    });
    return Object.fromEntries(entries);
  }

  /** What null stands for in a list or a map. */
  #zero(schema: Schema, { path }: Place): Json {
    switch (schema.kind) {
      case 'object':
        return this.object({}, schema, { path, known: undefined });
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

function decodeScalar(value: Json, schema: Schema, path: string): Json {
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

/** Of 64 bits more than a number can hold exactly may come; only what is beyond them is refused. */
const integerMax = { int32: 2 ** 31 - 1, int64: 2 ** 63 } as const;

function decodeInteger(value: Json, path: string, format: 'int32' | 'int64'): Json {
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

/** Standard base64 with padding; breaks of lines in it are left out. */
function decodeBytes(value: Json, path: string): Json {
  if (typeof value !== 'string') throw mismatch(value, path, 'string');
  const text = value.replaceAll(/[\r\n]/g, '');
  const padding = text.indexOf('=');
  const isPadded = text.length % 4 === 0 && (padding < 0 || /^==?$/.test(text.slice(padding)));
  if (!isPadded || /[^A-Za-z0-9+/=]/.test(text)) {
    throw new TypeProblem(`illegal base64 data in ${path}`);
  }
  return Buffer.from(text, 'base64').toString('base64');
}

function decodeTime(value: Json, path: string, kind: 'time' | 'microTime'): Json {
  if (typeof value !== 'string') throw mismatch(value, path, 'string');
  const isValid = kind === 'time' ? isTime(value) : isMicroTime(value);
  const layout = `2006-01-02T15:04:05${kind === 'time' ? '' : '.000000'}Z07:00`;
  if (!isValid) throw new TypeProblem(`parsing time ${JSON.stringify(value)} as "${layout}"`);
  return value;
}

/** Empty values are left out of what is written, unless the field says otherwise. */
function isLeftOut(value: Json, { absent, keepsEmpty }: Field): boolean {
  if (absent !== undefined || keepsEmpty === true) return false;
  if (isJsonList(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

function mismatch(value: Json, path: string, wanted: string): TypeProblem {
  return new TypeProblem(
    `json: cannot unmarshal ${typeName(value)} into Go struct field ${path} of type ${wanted}`,
  );
}

function typeName(value: Json): string {
  if (isJsonList(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
