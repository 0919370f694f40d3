/**
 * Reads protobuf messages with the library's reader. Objects are large and many: their reader goes from tag
 * to tag, reads the fields that it knows and skips the others, whose bytes are neither copied nor decoded.
 * The few messages around them are read whole, as a `Message`. Malformed bytes end in a `DecodeError`.
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

/** Enters the field, which must be a message, and returns its end. */
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

/** A signed integer. It is not exact beyond 2^53, which no field that is read reaches. */
export function readInteger(reader: BinaryReader, tag: number): number {
  expect(tag, WireType.Varint);
  return Number(reader.int64());
}

export function skip(reader: BinaryReader, tag: number): void {
  // The library's `skip` creates a view of the skipped bytes, and most of a node is skipped.
  if (wireTypeOf(tag) === WireType.LengthDelimited) reader.pos = enter(reader, tag);
  else if (wireTypeOf(tag) === WireType.StartGroup) throw new DecodeError('A field is a group');
  else reader.skip(wireTypeOf(tag));
}

/** The values of a message by field number. Values other than numbers are views of the bytes. */
export type Message = ReadonlyMap<number, readonly (Uint8Array | number)[]>;

export function readMessage(bytes: Uint8Array): Message {
  const message = new Map<number, (Uint8Array | number)[]>();
  readProtobuf(bytes, (reader) => {
    for (let tag = nextTag(reader, reader.len); tag !== 0; tag = nextTag(reader, reader.len)) {
      const values = message.get(fieldOf(tag)) ?? [];
      message.set(fieldOf(tag), values);
      if (wireTypeOf(tag) === WireType.LengthDelimited) values.push(reader.bytes());
      else if (wireTypeOf(tag) === WireType.Varint) values.push(readInteger(reader, tag));
      else skip(reader, tag);
    }
  });
  return message;
}

/** All values of a repeated field. */
export function listAt(message: Message, field: number): readonly Uint8Array[] {
  return (message.get(field) ?? []).map((value) => {
    if (typeof value !== 'number') return value;
    throw new DecodeError(`The field ${field} is a number`);
  });
}

/** The last value of a field counts. */
export function bytesAt(message: Message, field: number): Uint8Array | undefined {
  return listAt(message, field).at(-1);
}

/** The message in a field; an empty one if the field is absent. */
export function messageAt(message: Message, field: number): Message {
  return readMessage(bytesAt(message, field) ?? new Uint8Array());
}

export function textAt(message: Message, field: number): string {
  return decoder.decode(bytesAt(message, field));
}

export function integerAt(message: Message, field: number): number {
  const value = message.get(field)?.at(-1) ?? 0;
  if (typeof value === 'number') return value;
  throw new DecodeError(`The field ${field} is not a number`);
}

const decoder = new TextDecoder();

/** Four magic bytes, then `Unknown{typeMeta=1{kind=2}, raw=2}` with the object in `raw`. */
export function readEnvelope(body: Uint8Array): Message {
  if (!hasMagic(body)) throw new DecodeError('A protobuf body does not start with k8s\\0');
  return readMessage(body.subarray(magic.length));
}

/** The object in an envelope. Its kind is not checked: an answer of another kind has an error status. */
export function openEnvelope(body: Uint8Array): Uint8Array {
  const raw = bytesAt(readEnvelope(body), 2);
  if (raw === undefined) throw new DecodeError('An envelope has no object');
  return raw;
}

/** Whether the body starts with the magic bytes of protobuf, which no JSON does. */
export function hasMagic(body: Uint8Array): boolean {
  return magic.every((byte, index) => body[index] === byte);
}

/** `k8s` and a zero. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

function wireTypeOf(tag: number): WireType {
  return tag & 7;
}

function expect(tag: number, wireType: WireType): void {
  if (wireTypeOf(tag) === wireType) return;
  throw new DecodeError(`The field ${fieldOf(tag)} cannot have the wire type ${tag & 7}`);
}

/** The library throws these classes for bytes that it cannot read. Any other error is a bug of ours. */
function isOfLibrary(err: unknown): boolean {
  return err instanceof RangeError || (err instanceof Error && err.constructor === Error);
}
