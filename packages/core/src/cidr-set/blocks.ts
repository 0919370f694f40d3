/**
 * The equal blocks of a range, by number: block 0 is at the lowest address. Numbers are exact up to
 * 2^53. In a range with more blocks, only the first 2^53 are used, and the rest counts as outside.
 */
import {
  type Cidr,
  containsCidr,
  networkOf,
  overlaps,
  subnetAt,
  subnetCount,
  subnetIndexOf,
} from '../ip/index.ts';

/** The number of blocks up to this power of two is exact. */
const blockCountBitsMax = 53;

/** Blocks side by side, both ends included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

export class Blocks {
  readonly count: number;
  readonly prefixLength: number;
  readonly #range: Cidr;

  constructor(range: Cidr, prefixLength: number) {
    const rangeLengthMin = prefixLength - blockCountBitsMax;
    this.#range = networkOf(range.network, Math.max(range.prefixLength, rangeLengthMin));
    this.prefixLength = prefixLength;
    this.count = subnetCount(this.#range, prefixLength);
  }

  cidrOf(block: number): Cidr {
    return subnetAt(this.#range, { prefixLength: this.prefixLength, index: block });
  }

  /** The blocks that share an address with the CIDR, however large or small it is. */
  findTouched(cidr: Cidr): Span | undefined {
    if (!overlaps(this.#range, cidr)) return undefined;
    if (containsCidr(cidr, this.#range)) return { first: 0, last: this.count - 1 };
    const first = subnetIndexOf(this.#range, {
      prefixLength: this.prefixLength,
      address: cidr.network,
    });
    const touched = 2 ** Math.max(this.prefixLength - cidr.prefixLength, 0);
    return { first, last: first + touched - 1 };
  }
}

export function touches(a: Span, b: Span): boolean {
  return a.first <= b.last && b.first <= a.last;
}
