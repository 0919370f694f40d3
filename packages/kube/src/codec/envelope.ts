/**
 * The envelope around every protobuf body: four magic bytes, then a message with the type and, as
 * bytes, the object itself.
 */
import { DecodeError } from './decode-error.ts';
import type { WireReader } from './wire-reader.ts';

/** `k8s` and a zero. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/**
 * Goes into the object of the envelope that the cursor stands in, and gives what `leave` needs.
 * The type is not looked at: who asked for nodes gets nodes, bookmarks, or an error that says so.
 */
export function enterEnvelope(reader: WireReader): number {
  if (!reader.take(magic)) throw noMagic();
  return enterField(reader, 2);
}

/** Where an envelope that lies in `bytes` from `start` to `end` goes on after its magic bytes. */
export function pastMagic(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < magic.length) throw noMagic();
  for (let index = 0; index < magic.length; index += 1) {
    if (bytes[start + index] !== magic[index]) throw noMagic();
  }
  return start + magic.length;
}

/** Goes into the first field of this number. One that is absent is an empty message, as ever. */
export function enterField(reader: WireReader, number: number): number {
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === number) return reader.enter();
    reader.skip();
  }
  throw new DecodeError(`A message has no field ${number}`);
}

function noMagic(): DecodeError {
  return new DecodeError('A protobuf body does not start with k8s\\0');
}
