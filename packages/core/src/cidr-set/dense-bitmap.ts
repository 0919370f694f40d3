/**
 * Up to 32,768 bits in one array, in three levels: a word for each 32 bits, a word that says which of 32
 * such words are full, and one that says so of those. A clear bit is found in three words, or in two more
 * when the search starts in the middle and has to go back up.
 */
import {
  allBits,
  type Bitmap,
  clearBitsFrom,
  countBits,
  lowestBit,
  type Probes,
  withBit,
  withoutLowestBit,
} from './bitmap.ts';

export const denseSizeMax: number = 32 ** 3;

export class DenseBitmap implements Bitmap {
  readonly size: number;
  #used = 0;
  /** One bit for each group, one word for each group, then the bits themselves. */
  readonly #words: Uint32Array;

  constructor(size: number) {
    this.size = size;
    this.#words = new Uint32Array(leavesAt + Math.ceil(size / 32)).fill(allBits);
    // Bits beyond the size always stay set, so that no search finds them.
    this.#used = size;
    this.clear(0, size - 1);
  }

  get used(): number {
    return this.#used;
  }

  findClear(from: number, probes: Probes): number {
    probes.words += 1;
    let groups = clearBitsFrom(this.#read(0), from >>> 10);
    // A group after the first one is searched from its start, where a clear bit is certain.
    for (; groups !== 0; groups = withoutLowestBit(groups)) {
      const group = lowestBit(groups);
      const isFirstGroup = group === from >>> 10;
      const found = this.#findInGroup(group, isFirstGroup ? from : group << 10, probes);
      if (found >= 0) return found;
    }
    return -1;
  }

  set(first: number, last: number): void {
    for (let leaf = first >>> 5; leaf <= last >>> 5; leaf++) {
      this.#write(leaf, this.#read(leavesAt + leaf) | maskOf(leaf, first, last));
    }
  }

  clear(first: number, last: number): void {
    for (let leaf = first >>> 5; leaf <= last >>> 5; leaf++) {
      this.#write(leaf, this.#read(leavesAt + leaf) & ~maskOf(leaf, first, last));
    }
  }

  #findInGroup(group: number, from: number, probes: Probes): number {
    probes.words += 1;
    let leaves = clearBitsFrom(this.#read(groupsAt + group), (from >>> 5) & 31);
    for (; leaves !== 0; leaves = withoutLowestBit(leaves)) {
      const leaf = group * 32 + lowestBit(leaves);
      probes.words += 1;
      const bits = clearBitsFrom(this.#read(leavesAt + leaf), leaf === from >>> 5 ? from & 31 : 0);
      if (bits !== 0) return leaf * 32 + lowestBit(bits);
    }
    return -1;
  }

  /** Stores 32 bits and updates the two levels above. */
  #write(leaf: number, bits: number): void {
    const words = this.#words;
    this.#used += countBits(bits) - countBits(this.#read(leavesAt + leaf));
    words[leavesAt + leaf] = bits;
    const group = leaf >>> 5;
    const leaves = withBit(this.#read(groupsAt + group), leaf & 31, bits === allBits);
    words[groupsAt + group] = leaves;
    words[0] = withBit(this.#read(0), group, leaves === allBits);
  }

  /** As a signed word, which is what the bitwise operators give. */
  #read(at: number): number {
    return (this.#words[at] ?? allBits) | 0;
  }
}

const groupsAt = 1;
const leavesAt = groupsAt + 32;

/** The bits of this word that lie within the range. */
function maskOf(leaf: number, first: number, last: number): number {
  const from = Math.max(first - leaf * 32, 0);
  const to = Math.min(last - leaf * 32, 31);
  return (allBits << from) & (allBits >>> (31 - to));
}
