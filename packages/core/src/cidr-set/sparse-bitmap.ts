/**
 * A bitmap of any size as a tree of up to 32 parts, of which only partly used ones exist. An empty
 * part costs nothing, and neither does a part that a range fills. A few blocks among 2^53 therefore
 * take a few kilobytes; blocks that are far apart cost about 4 KiB each.
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
  /** One bit for each part. Parts beyond the size are always full, so that no search finds them. */
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

  /** Returns the part for a change, and creates it if needed. */
  #changePart(at: number): Bitmap {
    const part = this.#parts[at] ?? createBitmap(this.#partSize);
    if (this.#parts[at] === undefined && this.#isFull(at)) part.set(0, part.size - 1);
    this.#parts[at] = part;
    return part;
  }

  /**
   * Updates the summary and removes an empty part. A full part is kept, because it may soon lose a
   * bit.
   */
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
