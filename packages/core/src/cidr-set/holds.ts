/**
 * The owners of blocks. Nearly every hold has one block that no other hold has, and is found by the
 * block's number. The other holds are in a list that is searched: holds of several blocks, and
 * further holds of one block. They come from nodes that got their CIDR from another program.
 */
import type { Cidr } from '../ip/index.ts';
import { type Span, touches } from './blocks.ts';
import { PagedArray } from './paged-array.ts';

export interface Hold extends Span {
  readonly owner: string;
  /** Undefined if the hold is exactly one block: the CIDR then follows from the number. */
  readonly cidr: Cidr | undefined;
  isInDoubt: boolean;
}

export class Holds {
  readonly #byBlock = new PagedArray<Hold>();
  readonly #others = new Set<Hold>();

  add(hold: Hold): void {
    const isFirst = hold.first === hold.last && this.#byBlock.get(hold.first) === undefined;
    if (isFirst) this.#byBlock.set(hold.first, hold);
    else this.#others.add(hold);
  }

  remove(hold: Hold): void {
    if (!this.#others.delete(hold)) this.#byBlock.delete(hold.first);
  }

  /** The holds that have a block of the span. Looks at its blocks one by one, or at all holds if they are fewer. */
  touching(span: Span): Hold[] {
    const holds: Hold[] = [];
    for (const hold of this.#others) if (touches(hold, span)) holds.push(hold);
    if (span.last - span.first > this.#byBlock.count) {
      for (const hold of this.#byBlock.values()) if (touches(hold, span)) holds.push(hold);
    } else {
      for (let block = span.first; block <= span.last; block++) {
        const hold = this.#byBlock.get(block);
        if (hold !== undefined) holds.push(hold);
      }
    }
    return holds;
  }
}
