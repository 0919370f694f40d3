/**
 * The state of every block, by number. The holds of owners and the excluded spans define it. The
 * bitmap and the counts are derived from them to make queries cheap: each change derives them again
 * for the affected blocks, and asserts that no block was lost.
 */
import { assert } from '../assert.ts';
import type { Bitmap, Probes } from './bitmap.ts';
import type { Span } from './blocks.ts';
import { type Hold, Holds } from './holds.ts';
import { type BlockState, type Layer, type Segment, segmentsOf } from './segments.ts';
import { createBitmap } from './sparse-bitmap.ts';

export class BlockTable {
  readonly capacity: number;
  readonly #holds = new Holds();
  readonly #excluded: Layer[] = [];
  readonly #used: Bitmap;
  readonly #counts: Record<BlockState, number>;
  readonly #probes: Probes = { words: 0 };

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#used = createBitmap(capacity);
    this.#counts = { free: capacity, bound: 0, inDoubt: 0, excluded: 0 };
  }

  get counts(): Readonly<Record<BlockState, number>> {
    return this.#counts;
  }

  /** How many words of the bitmap the last search has read. */
  get probes(): number {
    return this.#probes.words;
  }

  /** Returns the first free block at or after `from`, or else the first one before it. */
  findFree(from: number): number | undefined {
    this.#probes.words = 0;
    const behind = this.#used.findClear(from, this.#probes);
    const block = behind >= 0 ? behind : this.#used.findClear(0, this.#probes);
    return block >= 0 ? block : undefined;
  }

  isFree(block: number): boolean {
    return this.#used.findClear(block, { words: 0 }) === block;
  }

  /**
   * The same as `hold` for a single free block, without a look at other holds. This is the usual
   * case.
   */
  bindFree(owner: string, block: number): void {
    this.#holds.add({ first: block, last: block, owner, cidr: undefined, isInDoubt: false });
    this.#used.set(block, block);
    this.#counts.free -= 1;
    this.#counts.bound += 1;
    this.#assertConserved();
  }

  hold(hold: Hold): void {
    this.#change(hold, () => this.#holds.add(hold));
  }

  release(hold: Hold): void {
    this.#change(hold, () => this.#holds.remove(hold));
  }

  setInDoubt(hold: Hold, isInDoubt: boolean): void {
    this.#change(hold, () => {
      hold.isInDoubt = isInDoubt;
    });
  }

  exclude({ first, last }: Span): void {
    this.#change({ first, last }, () => this.#excluded.push({ first, last, state: 'excluded' }));
  }

  holdsTouching(span: Span): readonly Hold[] {
    return this.#holds.touching(span);
  }

  #change(span: Span, change: () => void): void {
    for (const { state, first, last } of this.#segments(span)) {
      this.#counts[state] -= last - first + 1;
    }
    change();
    for (const { state, first, last } of this.#segments(span)) {
      this.#counts[state] += last - first + 1;
      if (state === 'free') this.#used.clear(first, last);
      else this.#used.set(first, last);
    }
    this.#assertConserved();
  }

  #segments(span: Span): Segment[] {
    const held = this.#holds.touching(span).map(({ first, last, isInDoubt }): Layer => {
      return { first, last, state: isInDoubt ? 'inDoubt' : 'bound' };
    });
    return segmentsOf(span, [...held, ...this.#excluded]);
  }

  #assertConserved(): void {
    const { free, bound, inDoubt, excluded } = this.#counts;
    assert(free + bound + inDoubt + excluded === this.capacity, 'the blocks do not add up');
    assert(this.#used.used === this.capacity - free, 'the bitmap disagrees with the counts');
  }
}
