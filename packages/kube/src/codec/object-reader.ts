/**
 * The contract between a kind of object and the codecs: how to read the projection that the cache keeps
 * from either encoding. Both encodings of an object give equal projections. Unknown fields are skipped.
 */
import { DecodeError } from '../decode-error.ts';
import type { BinaryReader } from '../protobuf.ts';

/** What every projection has. */
export interface ObjectFacts {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface ObjectReader<T extends ObjectFacts> {
  /** Reads a parsed JSON object. Throws a `DecodeError`. */
  fromJson(value: unknown): T;
  /** Reads the message that fills the reader's bytes. Undefined for kinds that have no protobuf. */
  readonly fromProtobuf: ((reader: BinaryReader) => T) | undefined;
}

/** The key of an object within its resource. */
export function keyOf({ namespace = '', name }: ObjectFacts): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** An object without an identity is garbage and cannot be kept. */
export function requireFacts<T extends ObjectFacts>(object: T): T {
  if (object.name === '') throw new DecodeError('An object has no name');
  if (object.uid === '') throw new DecodeError('An object has no uid');
  if (!isVersion(object.resourceVersion)) throw new DecodeError('An object has no resourceVersion');
  return object;
}

/** A decimal number without leading zeros: the only form that can be compared. */
export function isVersion(text: string): boolean {
  if (text === '' || text.startsWith('0')) return false;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text.charCodeAt(index) - zero;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}

const zero = 0x30;

/**
 * resourceVersions are decimal numbers of any length, kept as text. They compare by length, then by
 * text; as JavaScript numbers the larger ones would lose digits.
 */
export function isOlder(version: string, than: string): boolean {
  return version.length === than.length ? version < than : version.length < than.length;
}
