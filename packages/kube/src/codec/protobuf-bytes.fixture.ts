/** Writes protobuf as the API server would send it, with the writer of the protobuf library. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** A field of a message; a nested list of fields is a nested message. */
export type Field = readonly [
  number: number,
  value: string | number | boolean | Uint8Array | Message,
];
export type Message = readonly Field[];

export function encode(message: Message): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of message) {
    if (typeof value === 'number') writer.tag(number, WireType.Varint).int64(value);
    else if (typeof value === 'boolean') writer.tag(number, WireType.Varint).bool(value);
    else if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value);
    else if (value instanceof Uint8Array) {
      writer.tag(number, WireType.LengthDelimited).bytes(value);
    } else writer.tag(number, WireType.LengthDelimited).bytes(encode(value));
  }
  return writer.finish();
}

/** The body of an answer: magic bytes, type, object. */
export function envelope(kind: string, object: Message): Uint8Array {
  const typeMeta: Message = [
    [1, 'v1'],
    [2, kind],
  ];
  const unknown = encode([
    [1, typeMeta],
    [2, encode(object)],
    [3, ''],
    [4, ''],
  ]);
  return Buffer.concat([Buffer.from('k8s\0', 'latin1'), unknown]);
}

/** One frame of a watch. */
export function watchFrame(type: string, kind: string, object: Message): Uint8Array {
  const event = encode([
    [1, type],
    [2, [[1, envelope(kind, object)]]],
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}
