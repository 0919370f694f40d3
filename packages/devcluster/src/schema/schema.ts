/**
 * The schemas of API objects as data. From a schema, the decoder knows which fields and types are valid, strategic
 * merge patches know their merge keys, and the OpenAPI documents for kubectl are generated.
 */
import type { Json } from '../json/index.ts';

export type Schema =
  | { readonly kind: 'string' | 'boolean' | 'time' | 'microTime' | 'quantity' | 'bytes' | 'any' }
  | { readonly kind: 'integer'; readonly format: 'int32' | 'int64' }
  | { readonly kind: 'map'; readonly values: Schema }
  | ListSchema
  | ObjectSchema;

export interface ListSchema {
  readonly kind: 'list';
  readonly items: Schema;
  /** How a strategic merge patch treats the list: as a whole, as a set, or by this key of its items. */
  readonly merge: 'atomic' | 'set' | { readonly key: string };
}

export interface ObjectSchema {
  readonly kind: 'object';
  /** Its name in OpenAPI documents, such as `io.k8s.api.core.v1.Node`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** The same fields as a list, for code that iterates over all of them. */
  readonly ordered: readonly NamedField[];
}

export interface Field {
  readonly schema: Schema;
  /** What is written for an absent value; most fields are left out then. */
  readonly absent?: Json;
  /** Whether an empty value differs from an absent one: `holderIdentity: ""` releases a lease. */
  readonly keepsEmpty?: true;
  /** Known, so that no warning names it, but never stored, because only a disabled feature would read it. */
  readonly isDropped?: true;
}

/** Has all properties, because V8 reads objects of one shape faster. */
export interface NamedField {
  readonly key: string;
  readonly schema: Schema;
  readonly absent: Json | undefined;
  readonly keepsEmpty: boolean;
  readonly isDropped: boolean;
}

export const text: Schema = { kind: 'string' };
export const flag: Schema = { kind: 'boolean' };
export const time: Schema = { kind: 'time' };
export const microTime: Schema = { kind: 'microTime' };
export const quantity: Schema = { kind: 'quantity' };
export const bytes: Schema = { kind: 'bytes' };
export const anything: Schema = { kind: 'any' };
export const int32: Schema = { kind: 'integer', format: 'int32' };
export const int64: Schema = { kind: 'integer', format: 'int64' };

export function mapOf(values: Schema): Schema {
  return { kind: 'map', values };
}

export function listOf(items: Schema, merge: ListSchema['merge'] = 'atomic'): ListSchema {
  return { kind: 'list', items, merge };
}

/** A field that is written even when it is empty. */
export function always(schema: Schema, absent: Json): Field {
  return { schema, absent };
}

/** A field in which an empty value differs from an absent one. */
export function pointer(schema: Schema): Field {
  return { schema, keepsEmpty: true };
}

/** A field of a disabled feature. */
export function dropped(schema: Schema): Field {
  return { schema, isDropped: true };
}

export function objectOf(
  name: string,
  fields: Readonly<Record<string, Schema | Field>>,
): ObjectSchema {
  const entries = Object.entries(fields).map(([key, value]): [string, Field] => [
    key,
    'schema' in value ? value : { schema: value },
  ]);
  const ordered = entries.map(([key, field]) => named(key, field));
  return { kind: 'object', name, fields: new Map(entries), ordered };
}

function named(key: string, { schema, absent, keepsEmpty, isDropped }: Field): NamedField {
  return {
    key,
    schema,
    absent,
    keepsEmpty: keepsEmpty === true,
    isDropped: isDropped === true,
  };
}
