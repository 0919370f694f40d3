/**
 * A cursor over one protobuf message. It gives out field numbers one after the other; the caller reads
 * the fields it knows and skips the others, whose bytes are neither copied nor looked at. Entering a
 * nested message narrows the cursor instead of making another one, so that reading an object allocates
 * nothing but what is kept of it.
 *
 * It is written by hand because a list of nodes is mostly skipping: a general reader makes an object
 * for every message and decodes every text before anybody can say that it is known already.
 */
import { DecodeError } from './decode-error.ts';
import type { WireTape } from './wire-tape.ts';

export class WireReader {
  #bytes: Buffer = nothing;
  #position = 0;
  #end = 0;
  #wireType = 0;

  /** Sets the cursor to a message. Its bytes must not change until it was read. */
  open(bytes: Uint8Array, start = 0, end: number = bytes.length): this {
    this.#bytes = asBuffer(bytes);
    this.#position = start;
    this.#end = end;
    return this;
  }

  /** The number of the next field of this message, or 0 at its end. */
  next(): number {
    if (this.#position === this.#end) return 0;
    const tag = this.#unsigned();
    this.#wireType = tag & 7;
    const field = tag >>> 3;
    if (field === 0) throw new DecodeError('A field has the number 0');
    return field;
  }

  /** Passes over the field. */
  skip(): void {
    switch (this.#wireType) {
      case wireTypes.varint:
        this.#unsigned();
        return;
      case wireTypes.fixed64:
        this.#advance(8);
        return;
      case wireTypes.delimited:
        this.#advance(this.#unsigned());
        return;
      case wireTypes.fixed32:
        this.#advance(4);
        return;
      default:
        throw new DecodeError(`A field has the unknown wire type ${this.#wireType}`);
    }
  }

  /** Goes into the field, a message or bytes, and gives what `leave` needs to come out again. */
  enter(): number {
    const start = this.#delimited();
    const outerEnd = this.#end;
    this.#end = this.#position;
    this.#position = start;
    return outerEnd;
  }

  /** Comes out of a message, past whatever of it was not read. */
  leave(outerEnd: number): void {
    this.#position = this.#end;
    this.#end = outerEnd;
  }

  /** Whether the message goes on with these bytes, which are then passed over. */
  take(prefix: readonly number[]): boolean {
    if (prefix.length > this.#end - this.#position) return false;
    for (let index = 0; index < prefix.length; index += 1) {
      if (this.#bytes[this.#position + index] !== prefix[index]) return false;
    }
    this.#position += prefix.length;
    return true;
  }

  /** Has a tape note what it wants of the message, which is then read. */
  recordOn(tape: WireTape): void {
    tape.record(this.#bytes, this.#position, this.#end);
    this.#position = this.#end;
  }

  /**
   * Bytes that are not UTF-8 become replacement characters, as in the API server's JSON: it stores
   * what a client sent, and one such annotation must not blind us to all nodes.
   */
  text(): string {
    const start = this.#delimited();
    return this.#bytes.toString('utf8', start, this.#position);
  }

  #delimited(): number {
    this.#expect(wireTypes.delimited);
    const length = this.#unsigned();
    const start = this.#position;
    this.#advance(length);
    return start;
  }

  #expect(wireType: number): void {
    if (this.#wireType === wireType) return;
    throw new DecodeError(`A field has the wire type ${this.#wireType} instead of ${wireType}`);
  }

  #advance(length: number): void {
    if (length > this.#end - this.#position)
      throw new DecodeError('A field extends past the end of its message');
    this.#position += length;
  }

  /** Most numbers here are lengths and tags of one byte. */
  #unsigned(): number {
    const first = this.#byte();
    return first < 128 ? first : this.#unsignedAfter(first);
  }

  #unsignedAfter(first: number): number {
    let value = first & 127;
    for (let scale = 128; scale <= lastScale; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new DecodeError('A number is longer than ten bytes');
  }

  #byte(): number {
    if (this.#position >= this.#end)
      throw new DecodeError('A number extends past the end of its message');
    const byte = this.#bytes[this.#position] ?? 0;
    this.#position += 1;
    return byte;
  }
}

/** The same memory, seen as a `Buffer`. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const nothing = Buffer.alloc(0);

/** Of the tenth and last byte of a number. */
const lastScale = 128 ** 9;

const wireTypes = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;
