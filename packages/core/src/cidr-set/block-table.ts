/**
 * The state of every block, by number. What is true is kept in two places, the holds of owners and the
 * excluded spans. The bitmap and the counts follow from them and only make questions cheap: after a change they
 * are derived again for the blocks that it touched, and every change asserts that no block got lost.
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

  /** The first free block from there on, or before it where there is none behind. */
  findFree(from: number): number | undefined {
    this.#probes.words = 0;
    const behind = this.#used.findClear(from, this.#probes);
    const block = behind >= 0 ? behind : this.#used.findClear(0, this.#probes);
    return block >= 0 ? block : undefined;
  }

  isFree(block: number): boolean {
    return this.#used.findClear(block, { words: 0 }) === block;
  }

  /** What `hold` does to a single block that is free, without looking at others: it is done most often. */
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
