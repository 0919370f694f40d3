/**
 * Draws pools that have between two blocks too few and three to spare for the nodes of the world, in one family
 * or in two: with room to spare the mistakes of allocators stay hidden. Ranges have a power of two blocks, so a
 * service range takes some of them away, and nodes that register with large pod CIDRs take what is left over.
 */
import type { Random } from '@tandem/runtime';
import {
  type AllocationPlan,
  type Blocks,
  cidrOfBlocks,
  type PlannedPool,
  type PodFamily,
  spelledOut,
} from './allocation.ts';
import { between, isDrawn, oneOf, takeOne } from './draw.ts';
import type { Happening, PlannedMachine } from './plan.ts';

/** How many blocks are left when every node has one; fewer than none where some have to wait. */
export interface Spare {
  readonly min: number;
  readonly max: number;
}

interface PoolName {
  readonly name: string;
  readonly pool: number;
}

/** What the pools of the flags and of the file are called, and where their networks are. */
export const flagPool: PoolName = { name: 'cluster-cidr', pool: 244 };
const edgePool: PoolName = { name: 'edge', pool: 245 };
export const outsidePool = 99;

export function drawAllocation(
  random: Random,
  machines: readonly PlannedMachine[],
  spare: Spare = { min: -2, max: 3 },
): AllocationPlan {
  const families = drawFamilies(random);
  const names = machines.map(({ name }) => name);
  const labelled = isDrawn(random, 0.4)
    ? Array.from({ length: between(random, 2, 5) }, () => takeOne(random, names) ?? '')
    : [];
  const main = drawMainPool(random, { families, names, spare });
  const edge = poolOf(edgePool, families, () => 2);
  return {
    pools: labelled.length === 0 ? [main.pool] : [edge, main.pool],
    serviceRanges: main.serviceRanges,
    labelled,
    registered: main.registered,
  };
}

/** In half of the worlds something else hands out pod CIDRs as well, mostly just when a node registers. */
export function drawForeignAllocator(
  random: Random,
  machines: readonly PlannedMachine[],
  { pools }: AllocationPlan,
): readonly Happening[] {
  const families = pools[0]?.ranges.map(({ family }) => family) ?? [];
  return Array.from({ length: oneOf(random, [0, 0, 1, 3]) }, (): Happening => {
    const machine = machines[between(random, 0, machines.length - 1)];
    const isAtOnce = isDrawn(random, 0.7);
    const waitMs = isAtOnce ? between(random, 1, 5) : between(random, 100, 10_000);
    const blocks = { pool: flagPool.pool, first: between(random, 0, 31), bits: 0 };
    const taken = isDrawn(random, 0.8) ? families : families.slice(0, 1);
    return {
      kind: 'assign',
      atMs: (machine?.atMs ?? 0) + waitMs,
      machine: machine?.name ?? '',
      podCIDRs: taken.map((family) => cidrOfBlocks(family, blocks)),
    };
  });
}

export function drawFamilies(random: Random): readonly PodFamily[] {
  return oneOf<readonly PodFamily[]>(random, [
    ['IPv4', 'IPv6'],
    ['IPv4', 'IPv6'],
    ['IPv6', 'IPv4'],
    ['IPv6', 'IPv4'],
    ['IPv4'],
    ['IPv6'],
  ]);
}

interface MainPoolOrder {
  readonly families: readonly PodFamily[];
  readonly names: string[];
  readonly spare: Spare;
}

interface MainPool extends Pick<AllocationPlan, 'serviceRanges' | 'registered'> {
  readonly pool: PlannedPool;
}

/** The pool of the nodes without a label. */
function drawMainPool(random: Random, { families, names, spare }: MainPoolOrder): MainPool {
  const outside = takeSome(random, names, between(random, 0, 2));
  const inside = takeSome(random, names, between(random, 0, 2));
  const needed = names.length + inside.length + between(random, spare.min, spare.max);
  const size = sizes.find((one) => 2 ** one.bits - 2 ** one.servedBits >= needed) ?? roomy;
  const isTight = drawTightness(random, families);
  const space = new Space(random, 2 ** size.bits);
  const service = space.take(size.servedBits);
  const cidrs = new Map<string, Blocks>();
  const leftOver = 2 ** size.bits - 2 ** size.servedBits - needed;
  for (const bits of widths(leftOver)) {
    const [name] = takeSome(random, names, 1);
    if (name !== undefined) cidrs.set(name, { pool: flagPool.pool, ...space.take(bits) });
  }
  for (const name of inside) cidrs.set(name, { pool: flagPool.pool, ...space.take(0) });
  for (const [first, name] of outside.entries()) {
    cidrs.set(name, { pool: outsidePool, first, bits: 0 });
  }
  return {
    pool: poolOf(flagPool, families, (family) => (isTight(family) ? size.bits : roomy.bits)),
    serviceRanges: families
      .filter(isTight)
      .map((family) => cidrOfBlocks(family, { pool: flagPool.pool, ...service })),
    registered: new Map(
      Array.from(cidrs, ([name, blocks]) => [name, drawTexts(random, families, blocks)]),
    ),
  };
}

/** The sizes of ranges, and of the service ranges inside them, by what they leave to nodes. */
const sizes: readonly Size[] = [
  { bits: 4, servedBits: 2 },
  { bits: 4, servedBits: 1 },
  { bits: 4, servedBits: 0 },
  { bits: 5, servedBits: 3 },
  { bits: 5, servedBits: 2 },
];

export const roomy: Size = { bits: 6, servedBits: 0 };

interface Size {
  readonly bits: number;
  readonly servedBits: number;
}

/** Whether a family is one of those that are tight: both, or one alone, so that the other must not leak. */
function drawTightness(
  random: Random,
  families: readonly PodFamily[],
): (family: PodFamily) => boolean {
  const loose = isDrawn(random, 0.4) && families.length > 1 ? oneOf(random, [0, 1]) : undefined;
  return (family) => loose === undefined || families[loose] !== family;
}

/** The sizes of pod CIDRs, in bits, that take so many blocks more than a block for each. */
function widths(leftOver: number): readonly number[] {
  for (const bits of [3, 2, 1]) {
    const more = 2 ** bits - 1;
    if (more <= leftOver) return [bits, ...widths(leftOver - more)];
  }
  return [];
}

/** The blocks of the range that are still free. */
class Space {
  readonly #random: Random;
  readonly #isTaken: boolean[];

  constructor(random: Random, blocks: number) {
    this.#random = random;
    this.#isTaken = Array.from({ length: blocks }, () => false);
  }

  take(bits: number): Omit<Blocks, 'pool'> {
    const length = 2 ** bits;
    const starts = this.#isTaken.flatMap((_, first) =>
      first % length === 0 && this.#isFree(first, length) ? [first] : [],
    );
    const first = takeOne(this.#random, starts) ?? 0;
    this.#isTaken.fill(true, first, first + length);
    return { first, bits };
  }

  #isFree(first: number, length: number): boolean {
    return !this.#isTaken.slice(first, first + length).includes(true);
  }
}

/** Now and then one family only, or in another spelling. */
function drawTexts(
  random: Random,
  families: readonly PodFamily[],
  blocks: Blocks,
): readonly string[] {
  const some = isDrawn(random, 0.2) ? families.slice(0, 1) : families;
  const texts = some.map((family) => cidrOfBlocks(family, blocks));
  return isDrawn(random, 0.5) ? texts.map(spelledOut) : texts;
}

function poolOf(
  { name, pool }: PoolName,
  families: readonly PodFamily[],
  bitsOf: (family: PodFamily) => number,
): PlannedPool {
  const ranges = families.map((family) => ({
    family,
    cidr: cidrOfBlocks(family, { pool, first: 0, bits: bitsOf(family) }),
  }));
  return { name, ranges };
}

function takeSome(random: Random, names: string[], count: number): string[] {
  return Array.from({ length: count }, () => takeOne(random, names)).filter(
    (name) => name !== undefined,
  );
}
