/**
 * The equal blocks of one range and their owners (P4). An owner is the UID of a node. Only its owner
 * releases a block, and nothing undoes an exclusion. Blocks of CIDRs that nodes show are held as well,
 * whatever the size of the CIDR. A block with two owners, because another program allocated it twice, is
 * free once both have released it.
 */
import { type Cidr, compareCidrs, overlaps } from '../ip/index.ts';
import { Blocks } from './blocks.ts';
import type { Hold } from './holds.ts';
import { BlockTable } from './block-table.ts';
import type { BlockState } from './segments.ts';

export interface CidrSetOptions {
  readonly range: Cidr;
  /** At least the range's own, at most the family's. */
  readonly blockPrefixLength: number;
}

/** What an owner holds: a block that it was given, or the CIDR that was found on it. */
export interface Holding {
  readonly owner: string;
  readonly cidr: Cidr;
  readonly isInDoubt: boolean;
}

/**
 * Each block counts once: `free + bound + inDoubt + excluded = capacity`. An excluded block counts as
 * excluded, with or without an owner. A block that any owner holds in doubt counts as in doubt.
 */
export interface BlockCounts extends Readonly<Record<BlockState, number>> {
  readonly capacity: number;
}

export class CidrSet {
  readonly range: Cidr;
  readonly blockPrefixLength: number;
  readonly #blocks: Blocks;
  readonly #table: BlockTable;
  /** Where the next search starts: after the last allocated block, as in upstream. */
  #cursor = 0;

  constructor({ range, blockPrefixLength }: CidrSetOptions) {
    this.range = range;
    this.blockPrefixLength = blockPrefixLength;
    this.#blocks = new Blocks(range, blockPrefixLength);
    this.#table = new BlockTable(this.#blocks.count);
  }

  get counts(): BlockCounts {
    return { capacity: this.#table.capacity, ...this.#table.counts };
  }

  /** The number of words that the last `allocate` read to find a free block. */
  get probes(): number {
    return this.#table.probes;
  }

  /**
   * Gives the owner the next free block, lowest first, then round robin. Undefined if none is free.
   */
  allocate(owner: string): Cidr | undefined {
    const block = this.#table.findFree(this.#cursor);
    if (block === undefined) return undefined;
    this.#cursor = (block + 1) % this.#table.capacity;
    this.#table.bindFree(owner, block);
    return this.#blocks.cidrOf(block);
  }

  /**
   * Gives the owner this block if it is free. Does not change which block `allocate` gives next.
   */
  allocateBlock(owner: string, block: Cidr): boolean {
    const free = this.#findFreeBlock(block);
    if (free !== undefined) this.#table.bindFree(owner, free);
    return free !== undefined;
  }

  /** Whether this is a block of the set, and free. */
  isFree(block: Cidr): boolean {
    return this.#findFreeBlock(block) !== undefined;
  }

  /**
   * The owner certainly has this CIDR: all blocks that it overlaps are used, and it is no longer in
   * doubt.
   */
  occupy(owner: string, cidr: Cidr): void {
    const span = this.#blocks.findTouched(cidr);
    if (span === undefined) return;
    const held = this.#findHold(owner, cidr);
    if (held === undefined) {
      const isBlock = cidr.prefixLength === this.blockPrefixLength;
      this.#table.hold({ ...span, owner, cidr: isBlock ? undefined : cidr, isInDoubt: false });
    } else if (held.isInDoubt) {
      this.#table.setInDoubt(held, false);
    }
  }

  /** Releases the CIDR if the owner has it. Returns how many blocks became free. */
  release(owner: string, cidr: Cidr): number {
    const freeBefore = this.#table.counts.free;
    const hold = this.#findHold(owner, cidr);
    if (hold !== undefined) this.#table.release(hold);
    return this.#table.counts.free - freeBefore;
  }

  /** Marks a holding as uncertain: its write had no answer, or a route to it may still exist. */
  markInDoubt(owner: string, cidr: Cidr): void {
    const hold = this.#findHold(owner, cidr);
    if (hold !== undefined) this.#table.setInDoubt(hold, true);
  }

  /** No block that overlaps the CIDR is ever allocated. */
  exclude(cidr: Cidr): void {
    const span = this.#blocks.findTouched(cidr);
    if (span !== undefined) this.#table.exclude(span);
  }

  /** The holdings that share an address with the CIDR. Two CIDRs in one block may share none. */
  holdersOf(cidr: Cidr): readonly Holding[] {
    const span = this.#blocks.findTouched(cidr);
    if (span === undefined) return [];
    const holdings = this.#table.holdsTouching(span).map((hold) => this.#holdingOf(hold));
    return holdings.filter((holding) => overlaps(holding.cidr, cidr));
  }

  #findFreeBlock(block: Cidr): number | undefined {
    if (block.prefixLength !== this.blockPrefixLength) return undefined;
    const number = this.#blocks.findTouched(block)?.first;
    return number !== undefined && this.#table.isFree(number) ? number : undefined;
  }

  #findHold(owner: string, cidr: Cidr): Hold | undefined {
    const span = this.#blocks.findTouched(cidr);
    if (span === undefined) return undefined;
    return this.#table
      .holdsTouching(span)
      .find((hold) => hold.owner === owner && compareCidrs(this.#cidrOf(hold), cidr) === 0);
  }

  #holdingOf(hold: Hold): Holding {
    return { owner: hold.owner, cidr: this.#cidrOf(hold), isInDoubt: hold.isInDoubt };
  }

  #cidrOf({ cidr, first }: Hold): Cidr {
    return cidr ?? this.#blocks.cidrOf(first);
  }
}
