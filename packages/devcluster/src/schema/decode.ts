/**
 * Reads a value by its schema, as the typed decoding of the API server does: fields that nobody knows
 * are dropped and told, empty ones are left out, and a value of a wrong type refuses the whole. Parts
 * that were decoded before are recognised by identity and not walked again, so that a small patch of
 * a large object costs little.
 */
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json/index.ts';
import { isMicroTime, isTime } from './timestamps.ts';
import type { Field, ListSchema, ObjectSchema, Schema } from './schema.ts';

export type Decoded =
  | { readonly kind: 'decoded'; readonly value: JsonObject; readonly unknown: readonly string[] }
  | { readonly kind: 'malformed'; readonly problem: string };

/** `known` has been decoded by the same schema before. */
export function decode(schema: ObjectSchema, value: Json, known?: JsonObject): Decoded {
  const unknown: string[] = [];
  try {
    const decoded = decodeObject(value, { schema, path: '', known, unknown });
    return { kind: 'decoded', value: decoded, unknown };
  } catch (err) {
    if (err instanceof TypeProblem) return { kind: 'malformed', problem: err.message };
    throw err;
  }
}

/** Ends a walk from any depth; nobody outside sees it. */
class TypeProblem extends Error {}

interface Place<S extends Schema> {
  readonly schema: S;
  readonly path: string;
  readonly known: Json | undefined;
  readonly unknown: string[];
}

function decodeObject(value: Json, place: Place<ObjectSchema>): JsonObject {
  const { schema, path, known, unknown } = place;
  if (!isJsonObject(value)) throw mismatch(value, path, schema.name.split('.').at(-1) ?? '');
  const before = isJsonObject(known) ? known : undefined;
  if (value === before) return before;
  const result: Record<string, Json | undefined> = {};
  for (const [key, field] of schema.fields) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    const below = { ...place, schema: field.schema, path: join(path, key), known: before?.[key] };
    const decoded = given === undefined ? undefined : decodeValue(given, below);
    const kept = decoded === undefined || isLeftOut(decoded, field) ? field.absent : decoded;
    if (kept !== undefined) result[key] = kept;
  }
  for (const key of Object.keys(value)) {
    if (!schema.fields.has(key)) unknown.push(join(path, key));
  }
  return result;
}

/** Undefined for null, which stands for nothing. */
function decodeValue(value: Json, place: Place<Schema>): Json | undefined {
  const { schema, known } = place;
  if (value === null) return undefined;
  if (typeof value === 'object' && value === known) return value;
  switch (schema.kind) {
    case 'object':
      return decodeObject(value, { ...place, schema });
    case 'list':
      return decodeList(value, { ...place, schema });
    case 'map':
      return decodeMap(value, place, schema.values);
    case 'any':
      return value;
    default:
      return decodeScalar(value, place);
  }
}

function decodeList(value: Json, place: Place<ListSchema>): Json {
  const { schema, path, known } = place;
  if (!isJsonList(value)) throw mismatch(value, path, '[]');
  const before = isJsonList(known) ? known : [];
  const items = value.map((item, index): Json => {
    const below = { ...place, schema: schema.items, path: `${path}[${index}]` };
    // An item that was known may have moved.
    const isKnown = typeof item === 'object' && item !== null && before.includes(item);
    return isKnown ? item : (decodeValue(item, { ...below, known: undefined }) ?? zeroOf(below));
  });
  return items;
}

function zeroOf(place: Place<Schema>): Json {
  switch (place.schema.kind) {
    case 'object':
      return decodeObject({}, { ...place, schema: place.schema, known: undefined });
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

function decodeMap(value: Json, place: Place<Schema>, values: Schema): Json {
  if (!isJsonObject(value)) throw mismatch(value, place.path, 'map');
  const before = isJsonObject(place.known) ? place.known : undefined;
  const entries = Object.entries(value).map(([key, item]) => {
    const below = { ...place, schema: values, known: before?.[key] };
    return [key, decodeValue(item ?? null, below) ?? zeroOf(below)] as const;
  });
  return Object.fromEntries(entries);
}

function decodeScalar(value: Json, { schema, path }: Place<Schema>): Json {
  switch (schema.kind) {
    case 'string':
    case 'bytes':
      if (typeof value !== 'string') throw mismatch(value, path, 'string');
      return value;
    case 'quantity':
      if (typeof value === 'number') return String(value);
      if (typeof value !== 'string') throw mismatch(value, path, 'string');
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(value, path, 'bool');
      return value;
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        throw mismatch(value, path, schema.format);
      }
      return value;
    case 'time':
      return decodeTime(value, path, 'time');
    case 'microTime':
      return decodeTime(value, path, 'microTime');
    default:
      return value;
  }
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
