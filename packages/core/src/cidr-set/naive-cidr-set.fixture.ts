/**
 * A second CidrSet that is simple and slow: it lists every block and every holding, and searches
 * both lists for each answer. It uses BigInt for addresses, and neither bitmaps nor block numbers
 * nor spans.
 */
import assert from 'node:assert/strict';
import { type Cidr, type IpAddress, parseAddress } from '../ip/index.ts';
import type { BlockCounts, CidrSet, CidrSetOptions, Holding } from './cidr-set.ts';

/** The type of the real set, so that both keep the same methods. */
type Contract = Pick<CidrSet, Exclude<keyof CidrSet, 'probes'>>;

export class NaiveCidrSet implements Contract {
  readonly range: Cidr;
  readonly blockPrefixLength: number;
  readonly #blocks: readonly Cidr[];
  readonly #excluded: Cidr[] = [];
  #holdings: Holding[] = [];
  #next = 0;

  constructor({ range, blockPrefixLength }: CidrSetOptions) {
    this.range = range;
    this.blockPrefixLength = blockPrefixLength;
    const bits = range.network.family === 'IPv4' ? 32 : 128;
    const size = 1n << BigInt(bits - blockPrefixLength);
    const count = 2 ** (blockPrefixLength - range.prefixLength);
    const [start] = endsOf(range);
    this.#blocks = Array.from({ length: count }, (_, index) => ({
      network: addressAt(start + BigInt(index) * size, range),
      prefixLength: blockPrefixLength,
    }));
  }

  get counts(): BlockCounts {
    const counts = { capacity: this.#blocks.length, free: 0, bound: 0, inDoubt: 0, excluded: 0 };
    for (const block of this.#blocks) counts[this.#stateOf(block)] += 1;
    return counts;
  }

  allocate(owner: string): Cidr | undefined {
    const order = [...this.#blocks.slice(this.#next), ...this.#blocks.slice(0, this.#next)];
    const block = order.find((one) => this.#stateOf(one) === 'free');
    if (block === undefined) return undefined;
    this.#next = this.#blocks.indexOf(block) + 1;
    this.#holdings.push({ owner, cidr: block, isInDoubt: false });
    return block;
  }

  allocateBlock(owner: string, block: Cidr): boolean {
    const isFree = this.isFree(block);
    if (isFree) this.#holdings.push({ owner, cidr: block, isInDoubt: false });
    return isFree;
  }

  isFree(block: Cidr): boolean {
    const isBlock = this.#blocks.some((one) => isSame(one, block));
    return isBlock && this.#stateOf(block) === 'free';
  }

  occupy(owner: string, cidr: Cidr): void {
    if (!share(this.range, cidr)) return;
    this.release(owner, cidr);
    this.#holdings.push({ owner, cidr, isInDoubt: false });
  }

  release(owner: string, cidr: Cidr): number {
    const before = this.counts.free;
    this.#holdings = this.#holdings.filter(
      (one) => !(one.owner === owner && isSame(one.cidr, cidr)),
    );
    return this.counts.free - before;
  }

  markInDoubt(owner: string, cidr: Cidr): void {
    this.#holdings = this.#holdings.map((one) =>
      one.owner === owner && isSame(one.cidr, cidr) ? { ...one, isInDoubt: true } : one,
    );
  }

  exclude(cidr: Cidr): void {
    this.#excluded.push(cidr);
  }

  holdersOf(cidr: Cidr): readonly Holding[] {
    return this.#holdings.filter((one) => share(one.cidr, cidr) && share(this.range, cidr));
  }

  #stateOf(block: Cidr): Exclude<keyof BlockCounts, 'capacity'> {
    if (this.#excluded.some((one) => share(one, block))) return 'excluded';
    const holders = this.#holdings.filter((one) => share(one.cidr, block));
    if (holders.some((one) => one.isInDoubt)) return 'inDoubt';
    return holders.length > 0 ? 'bound' : 'free';
  }
}

function isSame(a: Cidr, b: Cidr): boolean {
  return share(a, b) && a.prefixLength === b.prefixLength;
}

/** Whether the two have an address in common. */
function share(a: Cidr, b: Cidr): boolean {
  if (a.network.family !== b.network.family) return false;
  const [[aFirst, aLast], [bFirst, bLast]] = [endsOf(a), endsOf(b)];
  return aFirst <= bLast && bFirst <= aLast;
}

const knownEnds = new WeakMap<Cidr, [bigint, bigint]>();

function endsOf(cidr: Cidr): [bigint, bigint] {
  const known = knownEnds.get(cidr);
  if (known !== undefined) return known;
  const { network, prefixLength } = cidr;
  const first = network.words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const bits = network.family === 'IPv4' ? 32 : 128;
  const ends: [bigint, bigint] = [first, first + (1n << BigInt(bits - prefixLength)) - 1n];
  knownEnds.set(cidr, ends);
  return ends;
}

/**
 * Makes an address of the range's family from its text, because only the parser makes addresses.
 */
function addressAt(value: bigint, { network }: Cidr): IpAddress {
  const [length, width, base, separator] =
    network.family === 'IPv4' ? [4, 8n, 10, '.'] : [8, 16n, 16, ':'];
  const parts = Array.from({ length }, (_, index) => {
    const above = value >> (BigInt(length - 1 - index) * width);
    return BigInt.asUintN(Number(width), above).toString(base);
  });
  return parseAddress(parts.join(separator)) ?? assert.fail(parts.join(separator));
}
