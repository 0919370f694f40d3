/**
 * Cuts a stream into the pieces of a watch: frames with a length in front (protobuf) or lines (JSON).
 * Chunks may end anywhere. A piece that lies within one chunk is given out in place; only what spans
 * chunks is copied.
 */
import { DecodeError } from './decode-error.ts';
import { Scratch } from '../scratch.ts';
import { asBuffer } from './wire-reader.ts';

export interface Splitter {
  /** Hands over the pieces that this chunk completes, in place: they are valid only during the call. */
  push(chunk: Uint8Array, take: TakePiece): void;
  /** Whether the stream, if it ended now, would end in the middle of a piece. */
  readonly isWithinPiece: boolean;
}

/** A piece lies in `bytes` from `start` to `end`. A view of its own for each would only be garbage. */
export type TakePiece = (bytes: Buffer, start: number, end: number) => void;

/**
 * In bytes, as client-go has it. The API server takes objects of up to 3 MB; whatever claims to be
 * longer than this is no object, and would only fill the memory.
 */
export const pieceBytesMax: number = 16 * 1024 * 1024;

export function splitFrames(bytesMax: number = pieceBytesMax): Splitter {
  const begun = new Scratch();
  /** Bytes of the frame that was begun, its length included, as far as is known yet. */
  let needed = lengthBytes;

  const frameBytes = (bytes: Buffer, start: number): number => {
    const length = bytes.readUInt32BE(start);
    if (length > bytesMax) throw tooLong(bytesMax);
    return lengthBytes + length;
  };
  const begin = (bytes: Buffer, start: number): void => {
    begun.append(bytes, start, bytes.length);
    needed = begun.length < lengthBytes ? lengthBytes : frameBytes(bytes, start);
  };
  /** Adds to the frame that was begun what it lacks; says where the chunk goes on after that. */
  const fill = (chunk: Buffer, start: number): number => {
    const end = Math.min(start + needed - begun.length, chunk.length);
    begun.append(chunk, start, end);
    return end;
  };
  const complete = (chunk: Buffer, take: TakePiece): number => {
    let position = fill(chunk, 0);
    if (begun.length === lengthBytes) {
      // Only now its length is known.
      needed = frameBytes(begun.room, 0);
      position = fill(chunk, position);
    }
    if (begun.length === needed) finish(take);
    return position;
  };
  const finish = (take: TakePiece): void => {
    take(begun.room, lengthBytes, begun.length);
    begun.clear();
  };
  return {
    get isWithinPiece() {
      return begun.length > 0;
    },
    push(bytes, take) {
      const chunk = asBuffer(bytes);
      let start = begun.length > 0 ? complete(chunk, take) : 0;
      while (chunk.length - start >= lengthBytes) {
        const end = start + frameBytes(chunk, start);
        if (end > chunk.length) break;
        take(chunk, start + lengthBytes, end);
        start = end;
      }
      if (start < chunk.length) begin(chunk, start);
    },
  };
}

export function splitLines(bytesMax: number = pieceBytesMax): Splitter {
  const begun = new Scratch();
  return {
    get isWithinPiece() {
      return begun.length > 0;
    },
    push(bytes, take) {
      const chunk = asBuffer(bytes);
      let start = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        if (begun.length > 0) {
          begun.append(chunk, start, end);
          take(begun.room, 0, begun.length);
          begun.clear();
        } else if (end > start) take(chunk, start, end);
        start = end + 1;
      }
      begun.append(chunk, start, chunk.length);
      if (begun.length > bytesMax) throw tooLong(bytesMax);
    },
  };
}

function tooLong(bytesMax: number): DecodeError {
  return new DecodeError(`An event is longer than ${bytesMax} bytes`);
}

const lengthBytes = 4;
const newline = 0x0a;
