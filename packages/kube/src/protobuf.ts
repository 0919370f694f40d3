/**
 * Reads protobuf messages with the library's reader. The caller goes from tag to tag, reads the fields that
 * it knows and skips the others, whose bytes are neither copied nor decoded. Bytes that are not the message
 * they should be end in a `DecodeError`.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { DecodeError } from './decode-error.ts';

export type { BinaryReader };

/** Reads one message, which ends at `reader.len`. */
export function readProtobuf<T>(bytes: Uint8Array, read: (reader: BinaryReader) => T): T {
  try {
    return read(new BinaryReader(bytes));
  } catch (cause) {
    throw isOfLibrary(cause) ? new DecodeError('The protobuf is malformed', { cause }) : cause;
  }
}

/** The tag of the next field of the message that ends at `end`, or 0 at its end. */
export function nextTag(reader: BinaryReader, end: number): number {
  if (reader.pos === end) return 0;
  if (reader.pos > end) throw new DecodeError('A field extends past the end of its message');
  const tag = reader.uint32();
  if (fieldOf(tag) === 0) throw new DecodeError('A field has the number 0');
  return tag;
}

/** The field number of a tag. */
export function fieldOf(tag: number): number {
  return tag >>> 3;
}

/** Goes into the field, which must be a message, and gives where it ends. */
export function enter(reader: BinaryReader, tag: number): number {
  expect(tag, WireType.LengthDelimited);
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new DecodeError('A field extends past the end of its message');
  return end;
}

/**
 * Bytes that are not UTF-8 become replacement characters, as in the API server's JSON: it stores what a
 * client sent, and one such annotation must not hide all nodes.
 */
export function readText(reader: BinaryReader, tag: number): string {
  expect(tag, WireType.LengthDelimited);
  return reader.string();
}

/** In place, without a copy. */
export function readBytes(reader: BinaryReader, tag: number): Uint8Array {
  expect(tag, WireType.LengthDelimited);
  return reader.bytes();
}

/** A signed whole number. Beyond 2^53 it is not exact, which no field that is read reaches. */
export function readInteger(reader: BinaryReader, tag: number): number {
  expect(tag, WireType.Varint);
  return Number(reader.int64());
}

export function skip(reader: BinaryReader, tag: number): void {
  // The reader's own `skip` makes a view of what it passes over; most of a node is skipped.
  if (wireTypeOf(tag) === WireType.LengthDelimited) reader.pos = enter(reader, tag);
  else if (wireTypeOf(tag) === WireType.StartGroup) throw new DecodeError('A field is a group');
  else reader.skip(wireTypeOf(tag));
}

/** The last field of this number in the message, which ends at `end`, as bytes in place. */
export function findBytes(
  reader: BinaryReader,
  end: number,
  field: number,
): Uint8Array | undefined {
  let found: Uint8Array | undefined;
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    if (fieldOf(tag) === field) found = readBytes(reader, tag);
    else skip(reader, tag);
  }
  return found;
}

/**
 * The object in an envelope: four magic bytes, then `Unknown{typeMeta=1, raw=2}` with the object in `raw`.
 * The type is not looked at: the answer to a request for nodes has nodes, or says that it is an error.
 */
export function openEnvelope(body: Uint8Array): Uint8Array {
  if (!hasMagic(body)) throw new DecodeError('A protobuf body does not start with k8s\\0');
  const raw = readProtobuf(body.subarray(magicBytes), (reader) => findBytes(reader, reader.len, 2));
  if (raw === undefined) throw new DecodeError('An envelope has no object');
  return raw;
}

/** Whether the body starts as every protobuf body does; no JSON does. */
export function hasMagic(body: Uint8Array): boolean {
  return magic.every((byte, index) => body[index] === byte);
}

/** `k8s` and a zero. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

export const magicBytes: number = magic.length;

function wireTypeOf(tag: number): WireType {
  return tag & 7;
}

function expect(tag: number, wireType: WireType): void {
  if (wireTypeOf(tag) === wireType) return;
  throw new DecodeError(`The field ${fieldOf(tag)} cannot have the wire type ${tag & 7}`);
}

/** What the library throws at bytes that it cannot read; any other class is a mistake of ours. */
function isOfLibrary(err: unknown): boolean {
  return err instanceof RangeError || (err instanceof Error && err.constructor === Error);
}
