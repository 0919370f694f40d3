/**
 * Text gathered as bytes, to be written in large pieces. A line becomes bytes at once, so that of its
 * many parts nothing is left for the collector to carry along, and the room is used again once the
 * sink has let go of it, so that memory stays flat however much passes through.
 */
import { type Sink, writeAll } from '../streams.ts';

/** As much as a pipe takes at once: its reader has work while we go on. */
const pieceBytes = 64 * 1024;
/** Room for a piece and the line that completes it, unless that is an uncommonly long one. */
const roomBytes = 2 * pieceBytes;

export class GatheredText {
  #room = Buffer.allocUnsafeSlow(roomBytes);
  #length = 0;

  /** Whether there is a piece to write. */
  get isFull(): boolean {
    return this.#length >= pieceBytes;
  }

  add(text: string): void {
    // No character takes more than three bytes in UTF-8 for each of its units in a string.
    this.#ensureRoom(text.length * 3);
    this.#length += this.#room.write(text, this.#length);
  }

  /** Writes what was gathered, and waits while the reader is slower than we are. */
  async writeTo(sink: Sink): Promise<void> {
    if (this.#length === 0) return;
    const outcome = await writeAll(sink, this.#room.subarray(0, this.#length));
    this.#length = 0;
    const isReusable = outcome === 'drained' && this.#room.length === roomBytes;
    if (!isReusable) this.#room = Buffer.allocUnsafeSlow(roomBytes);
  }

  #ensureRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#room.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#room.length));
    this.#room.copy(larger, 0, 0, this.#length);
    this.#room = larger;
  }
}
