/**
 * A bitmap of any size as a tree: up to 32 parts, of which only those that are partly used exist. A part
 * without a bit costs nothing, and neither does one that is full because a range covers it. What is made
 * of a few blocks in 2^53 therefore takes a few kilobytes; blocks that lie far apart cost about 4 KiB each.
 */
import {
  allBits,
  type Bitmap,
  clearBitsFrom,
  lowestBit,
  type Probes,
  withBit,
  withoutLowestBit,
} from './bitmap.ts';
import { DenseBitmap, denseSizeMax } from './dense-bitmap.ts';

/** All bits are clear. */
export function createBitmap(size: number): Bitmap {
  return size <= denseSizeMax ? new DenseBitmap(size) : new SparseBitmap(size);
}

class SparseBitmap implements Bitmap {
  readonly size: number;
  #used = 0;
  readonly #partSize: number;
  /** One bit for each part. Those beyond the size are full for good, so that no search finds them. */
  #full: number;
  /** A part that does not exist is full or has no bit set, as `#full` says. */
  readonly #parts: (Bitmap | undefined)[] = Array.from({ length: 32 }, () => undefined);

  constructor(size: number) {
    this.size = size;
    this.#partSize = partSizeOf(size);
    const partCount = size / this.#partSize;
    this.#full = partCount === 32 ? 0 : allBits << partCount;
  }

  get used(): number {
    return this.#used;
  }

  findClear(from: number, probes: Probes): number {
    const first = Math.floor(from / this.#partSize);
    probes.words += 1;
    let candidates = clearBitsFrom(this.#full, first);
    for (; candidates !== 0; candidates = withoutLowestBit(candidates)) {
      const at = lowestBit(candidates);
      const start = at * this.#partSize;
      const within = at === first ? from - start : 0;
      const found = this.#parts[at]?.findClear(within, probes) ?? within;
      if (found >= 0) return start + found;
    }
    return -1;
  }

  set(first: number, last: number): void {
    this.#change('set', first, last);
  }

  clear(first: number, last: number): void {
    this.#change('clear', first, last);
  }

  #change(action: 'set' | 'clear', first: number, last: number): void {
    const size = this.#partSize;
    const lastPart = Math.floor(last / size);
    for (let at = Math.floor(first / size); at <= lastPart; at++) {
      const from = Math.max(first - at * size, 0);
      const to = Math.min(last - at * size, size - 1);
      const usedBefore = this.#usedIn(at);
      if (from === 0 && to === size - 1) this.#replace(at, action);
      else this.#changePart(at)[action](from, to);
      this.#used += this.#review(at) - usedBefore;
    }
  }

  #replace(at: number, action: 'set' | 'clear'): void {
    this.#parts[at] = undefined;
    this.#full = withBit(this.#full, at, action === 'set');
  }

  /** The part as one that exists, to be changed. */
  #changePart(at: number): Bitmap {
    const part = this.#parts[at] ?? createBitmap(this.#partSize);
    if (this.#parts[at] === undefined && this.#isFull(at)) part.set(0, part.size - 1);
    this.#parts[at] = part;
    return part;
  }

  /** Brings the summary up to date and lets go of an empty part. A full one is kept: it may lose a bit soon. */
  #review(at: number): number {
    const used = this.#usedIn(at);
    this.#full = withBit(this.#full, at, used === this.#partSize);
    if (used === 0) this.#parts[at] = undefined;
    return used;
  }

  #usedIn(at: number): number {
    return this.#parts[at]?.used ?? (this.#isFull(at) ? this.#partSize : 0);
  }

  #isFull(at: number): boolean {
    return ((this.#full >>> at) & 1) === 1;
  }
}

/** The largest part size of which the bitmap has more than one: 32^3, or 32 times that, and so on. */
function partSizeOf(size: number): number {
  let partSize = denseSizeMax;
  while (partSize * 32 < size) partSize *= 32;
  return partSize;
}
