/**
 * The interface of bitmaps, and their operations on 32-bit words. A set bit is a used block. Whole
 * ranges are set and cleared at once, so that a claim of 2^40 blocks costs no more than one of a
 * few.
 */
export interface Bitmap {
  /** The number of bits: a power of two. */
  readonly size: number;
  /** The number of set bits. */
  readonly used: number;
  /** The first clear bit at or after `from`, or -1. */
  findClear(from: number, probes: Probes): number;
  /** Sets or clears the bits from `first` to `last`, both included. */
  set(first: number, last: number): void;
  clear(first: number, last: number): void;
}

/** Counts the words that a search reads. */
export interface Probes {
  words: number;
}

/** A word whose bits are all set, as the bitwise operators give it. */
export const allBits = -1;

/** The clear bits of a word from `from` on, as set bits. */
export function clearBitsFrom(word: number, from: number): number {
  return ~word & (allBits << from);
}

/** The position of the lowest set bit of a word that has one. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** The word with its lowest set bit cleared. */
export function withoutLowestBit(word: number): number {
  return word & (word - 1);
}

export function withBit(word: number, bit: number, isSet: boolean): number {
  return isSet ? word | (1 << bit) : word & ~(1 << bit);
}

/** How many bits of a word are set: added up in pairs, nibbles and bytes. */
export function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  const bytes = (nibbles + (nibbles >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bytes, 0x01010101) >>> 24;
}
