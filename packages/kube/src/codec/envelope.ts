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
  if (!reader.take(magic)) throw new DecodeError('A protobuf body does not start with k8s\\0');
  return enterField(reader, 2);
}

/** Goes into the first field of this number. One that is absent is an empty message, as ever. */
export function enterField(reader: WireReader, number: number): number {
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === number) return reader.enter();
    reader.skip();
  }
  throw new DecodeError(`A message has no field ${number}`);
}
