/**
 * Room in which bytes that came in parts are put together. It is used again for the next ones, so that a
 * stream of any length needs no more than its longest piece; room that only one huge piece needed is
 * given back.
 */
export class Scratch {
  #room: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was appended is its beginning. Valid until something is appended or cleared. */
  get room(): Buffer {
    return this.#room;
  }

  /** Appends a part of `bytes`. */
  append(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(this.#length + end - start);
    // A part is copied by way of a view; most chunks are appended whole.
    const isWhole = end - start === bytes.length;
    this.#room.set(isWhole ? bytes : bytes.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  clear(): void {
    this.#length = 0;
    if (this.#room.length > keptMax) this.#room = Buffer.alloc(0);
  }

  #reserve(length: number): void {
    if (length <= this.#room.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#room.length, roomMin));
    this.#room.copy(larger, 0, 0, this.#length);
    this.#room = larger;
  }
}

/** In bytes: a usual object and a half. */
const roomMin = 16 * 1024;

/** In bytes; far above any usual object. */
const keptMax = 1024 * 1024;
