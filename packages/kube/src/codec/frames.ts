/**
 * Splits a stream into the pieces of a watch: frames with a length prefix (protobuf) or lines (JSON).
 * Chunks may end anywhere. A piece within one chunk is a view of it; only pieces that span chunks are
 * copied.
 */
import { DecodeError } from '../decode-error.ts';

export interface Splitter {
  /** Passes on the pieces that this chunk completes. */
  push(chunk: Uint8Array, take: (piece: Uint8Array) => void): void;
  /** Whether the stream would end within a piece if it ended now. */
  readonly isWithinPiece: boolean;
}

/**
 * In bytes, as in client-go. The API server accepts objects of up to 3 MB, so a longer piece is not an
 * object.
 */
export const pieceBytesMax: number = 16 * 1024 * 1024;

export function splitFrames(bytesMax: number = pieceBytesMax): Splitter {
  const begun = new Begun();
  /** Missing bytes of the frame, or of its length while that is not known. */
  let missing = lengthBytes;
  let isLengthKnown = false;

  const complete = (piece: Uint8Array, take: (piece: Uint8Array) => void): void => {
    if (isLengthKnown) take(piece);
    missing = isLengthKnown ? lengthBytes : readLength(piece, bytesMax);
    isLengthKnown = !isLengthKnown;
    // An empty frame has nothing more to wait for.
    if (missing === 0) complete(piece.subarray(0, 0), take);
  };
  return {
    get isWithinPiece() {
      return isLengthKnown || begun.length > 0;
    },
    push(chunk, take) {
      let start = 0;
      while (chunk.length - start >= missing) {
        const end = start + missing;
        const piece = begun.finish(chunk.subarray(start, end));
        start = end;
        complete(piece, take);
      }
      if (start < chunk.length) {
        begun.append(chunk.subarray(start));
        missing -= chunk.length - start;
      }
    },
  };
}

export function splitLines(bytesMax: number = pieceBytesMax): Splitter {
  const begun = new Begun();
  return {
    get isWithinPiece() {
      return begun.length > 0;
    },
    push(chunk, take) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const line = begun.finish(chunk.subarray(start, end));
        if (line.length > 0) take(line);
        start = end + 1;
      }
      if (start < chunk.length) begun.append(chunk.subarray(start));
      if (begun.length > bytesMax) throw tooLong(bytesMax);
    },
  };
}

/** The parts of a piece that has not ended yet. */
class Begun {
  #parts: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** Returns the whole piece and starts the next one. */
  finish(last: Uint8Array): Uint8Array {
    if (this.#parts.length === 0) return last;
    this.append(last);
    const piece = Buffer.concat(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    return piece;
  }
}

function readLength(bytes: Uint8Array, bytesMax: number): number {
  const length = new DataView(bytes.buffer, bytes.byteOffset, lengthBytes).getUint32(0);
  if (length > bytesMax) throw tooLong(bytesMax);
  return length;
}

function tooLong(bytesMax: number): DecodeError {
  return new DecodeError(`An event is longer than ${bytesMax} bytes`);
}

const lengthBytes = 4;
const newline = 0x0a;
