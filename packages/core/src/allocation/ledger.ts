/**
 * The ledger of pod CIDRs (P4): the CIDRs that nodes show, and blocks that are reserved for nodes
 * that do not show them yet. A node's blocks belong to its UID, so that a namesake never inherits
 * or releases them. Families are reserved together or not at all (I4). A reservation whose write
 * may have been stored is in doubt. It stays with the node until the node shows its podCIDRs or is
 * gone (I5), and the same value is written again. Service ranges are excluded permanently. Blocks
 * of a deleted node can be held as long as routes may lead to them (I7). The ledger does not decide
 * when a block may be assigned: the controller takes every node into account first (I8).
 */
import { type BlockCounts, CidrSet } from '../cidr-set/index.ts';
import { type Cidr, containsCidr, overlaps } from '../ip/index.ts';
import { OverlapIndex } from './overlap-index.ts';
import { cidrsOf, type PodCIDR } from './pod-cidrs.ts';
import type { PodCIDRPool } from './pool.ts';

export interface LedgerOptions {
  readonly pools: readonly PodCIDRPool[];
  /** Service ranges: never allocated, whatever nodes show. */
  readonly excluded: readonly Cidr[];
}

/** A node as far as its pod CIDRs are concerned. */
export interface Holder {
  readonly uid: string;
  readonly name: string;
}

/** The CIDRs that one node holds, and whether they are certain. */
export interface Holding extends Holder {
  readonly cidrs: readonly Cidr[];
  readonly state: 'bound' | 'reserved' | 'in doubt' | 'gone';
}

export type Reserved =
  /** In the order of the pool's ranges. `searches` is empty if the blocks were reserved before. */
  | {
      readonly kind: 'reserved';
      readonly cidrs: readonly [Cidr, ...Cidr[]];
      readonly searches: readonly Search[];
    }
  /** Nothing was reserved, because no block of this range is free. */
  | { readonly kind: 'exhausted'; readonly range: Cidr };

/** How many words of a range's bitmap were read to find a free block. */
export interface Search {
  readonly range: Cidr;
  readonly words: number;
}

/** The counts of one range of a pool. */
export interface RangeCounts {
  readonly pool: string;
  readonly range: Cidr;
  readonly counts: BlockCounts;
}

/** The effect of a change of one node on other nodes. */
export interface Released {
  /** The number of blocks that became free. */
  readonly freed: number;
  /** UIDs of the nodes that share, or shared, an address with the node. */
  readonly overlapped: readonly string[];
}

/** The outcome for the blocks of a deleted node to which routes may lead. */
export interface Departed extends Released {
  /** Blocks that are held until `letGo`. */
  readonly held: readonly Cidr[];
}

/**
 * The maximum number of names whose blocks are remembered: enough for every node of a large
 * cluster.
 */
const rememberedMax = 10_000;

export class PodCIDRLedger {
  readonly #sets: readonly PoolSet[];
  readonly #shown = new OverlapIndex();
  readonly #entries = new Map<string, Entry>();
  /** The held blocks of deleted nodes, by UID. */
  readonly #departed = new Map<string, readonly Cidr[]>();
  /** The blocks that deleted nodes had, by name, oldest first. */
  readonly #previous = new Map<string, readonly Cidr[]>();

  constructor({ pools, excluded }: LedgerOptions) {
    this.#sets = pools.flatMap((pool) =>
      pool.ranges.map(({ cidr, nodeMaskSize }) => {
        const set = new CidrSet({ range: cidr, blockPrefixLength: nodeMaskSize });
        for (const range of excluded) set.exclude(range);
        return { pool, set };
      }),
    );
  }

  /**
   * Notes the podCIDRs that a node shows and drops a different reservation. Nothing that a node has ever
   * shown is released while the node exists. Undefined if nothing changed.
   */
  show({ uid, name }: Holder, podCIDRs: readonly PodCIDR[]): Released | undefined {
    const shown = cidrsOf(podCIDRs);
    const before = this.#entries.get(uid);
    const isKnown = (cidr: Cidr): boolean =>
      before?.cidrs.some((one) => isSame(one, cidr)) ?? false;
    if (before?.isShown === true && shown.every(isKnown)) return undefined;
    const kept = before?.isShown === true ? before.cidrs : [];
    const cidrs = [...shown, ...kept];
    const others = (before?.cidrs ?? []).filter((cidr) => !cidrs.some((one) => isSame(one, cidr)));
    const freed = this.#release(uid, ...others);
    this.#entries.set(uid, { name, cidrs, isShown: true, isInDoubt: false });
    this.#shown.set(uid, cidrs);
    for (const cidr of shown) {
      for (const { set } of this.#sets) set.occupy(uid, cidr);
    }
    return { freed, overlapped: this.#overlappedBy(uid, cidrs) };
  }

  /**
   * Returns a block of each family of the pool for a node that shows none: its reservation, or new
   * blocks.
   */
  reserve({ uid, name }: Holder, pool: PodCIDRPool): Reserved {
    const entry = this.#entries.get(uid);
    const [first, ...more] = entry?.cidrs ?? [];
    if (first !== undefined) return { kind: 'reserved', cidrs: [first, ...more], searches: [] };
    const taken: Cidr[] = [];
    const searches: Search[] = [];
    for (const { set } of this.#sets.filter((one) => one.pool === pool)) {
      const block = this.#takePrevious(set, { uid, name }) ?? set.allocate(uid);
      if (block === undefined) {
        this.#release(uid, ...taken);
        return { kind: 'exhausted', range: set.range };
      }
      taken.push(block);
      searches.push({ range: set.range, words: set.probes });
    }
    const [primary, ...others] = taken;
    if (primary === undefined) throw new Error(`the pool ${pool.name} has no range`);
    this.#entries.set(uid, { name, cidrs: taken, isShown: false, isInDoubt: false });
    return { kind: 'reserved', cidrs: [primary, ...others], searches };
  }

  /** The write of the node's reservation may have been stored. */
  doubt(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined || entry.isShown) return;
    this.#entries.set(uid, { ...entry, isInDoubt: true });
    this.#markInDoubt(uid, entry.cidrs);
  }

  /**
   * The write was not stored. A reservation in doubt stays, because an earlier attempt may be
   * stored.
   */
  giveUp(uid: string): number {
    const entry = this.#entries.get(uid);
    if (entry === undefined || entry.isShown || entry.isInDoubt) return 0;
    this.#entries.delete(uid);
    return this.#release(uid, ...entry.cidrs);
  }

  /** Gives up a reservation that was made for another pool, which selected the node at that time. */
  giveUpOutside(uid: string, pool: PodCIDRPool | undefined): number {
    const [first] = this.#entries.get(uid)?.cidrs ?? [];
    const isOfPool =
      first !== undefined && pool?.ranges.some(({ cidr }) => containsCidr(cidr, first));
    return isOfPool === true ? 0 : this.giveUp(uid);
  }

  /** The node is gone. Its writes name its UID, so none of them can be stored any more. */
  drop(uid: string): Released {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return { freed: 0, overlapped: [] };
    const overlapped = this.#remove(uid, entry);
    return { freed: this.#release(uid, ...entry.cidrs), overlapped };
  }

  /**
   * The node is gone, and routes may lead to its blocks: they stay in doubt until `letGo`. Nothing was ever routed
   * to blocks that were only reserved: those are free.
   */
  depart(uid: string): Departed {
    const entry = this.#entries.get(uid);
    if (entry === undefined || !(entry.isShown || entry.isInDoubt)) {
      return { ...this.drop(uid), held: [] };
    }
    const overlapped = this.#remove(uid, entry);
    this.#departed.set(uid, entry.cidrs);
    this.#markInDoubt(uid, entry.cidrs);
    return { freed: 0, overlapped, held: entry.cidrs };
  }

  /** No route leads to these blocks of a deleted node. Returns how many blocks became free. */
  letGo(uid: string, cidrs: readonly Cidr[]): number {
    const held = this.#departed.get(uid) ?? [];
    const isLetGo = (cidr: Cidr): boolean => cidrs.some((one) => isSame(one, cidr));
    const left = held.filter((cidr) => !isLetGo(cidr));
    if (left.length === 0) this.#departed.delete(uid);
    else this.#departed.set(uid, left);
    return this.#release(uid, ...held.filter(isLetGo));
  }

  /** How many reservations in a range wait for the outcome of a write. */
  doubtsIn(range: Cidr): number {
    const doubtful = [...this.#entries.values()].filter(({ isInDoubt }) => isInDoubt);
    return doubtful.flatMap(({ cidrs }) => cidrs).filter((cidr) => overlaps(range, cidr)).length;
  }

  /** Whether a node shows this very CIDR. */
  isShown(cidr: Cidr): boolean {
    // No node has an empty UID.
    return this.#shown.others('', cidr).some((one) => isSame(one.cidr, cidr));
  }

  /** Whether some reservation may or may not be stored. */
  get hasDoubts(): boolean {
    return [...this.#entries.values()].some(({ isInDoubt }) => isInDoubt);
  }

  /** The holdings of existing nodes, and of deleted nodes, whose names are no longer known. */
  *holdings(): Iterable<Holding> {
    for (const [uid, { name, cidrs, isShown, isInDoubt }] of this.#entries) {
      const state = isShown ? 'bound' : isInDoubt ? 'in doubt' : 'reserved';
      yield { uid, name, cidrs, state };
    }
    for (const [uid, cidrs] of this.#departed) yield { uid, name: '', cidrs, state: 'gone' };
  }

  nameOf(uid: string): string {
    return this.#entries.get(uid)?.name ?? '';
  }

  /** The names of the other nodes that show an overlapping CIDR. */
  sharers(uid: string, cidr: Cidr): readonly string[] {
    const owners = new Set(this.#shown.others(uid, cidr).map(({ owner }) => owner));
    return [...owners].map((owner) => this.nameOf(owner)).toSorted();
  }

  counts(): readonly RangeCounts[] {
    return this.#sets.map(({ pool, set }) => ({
      pool: pool.name,
      range: set.range,
      counts: set.counts,
    }));
  }

  #markInDoubt(uid: string, cidrs: readonly Cidr[]): void {
    for (const cidr of cidrs) for (const { set } of this.#sets) set.markInDoubt(uid, cidr);
  }

  #overlappedBy(uid: string, cidrs: readonly Cidr[]): readonly string[] {
    const owners = cidrs.flatMap((cidr) => this.#shown.others(uid, cidr));
    return [...new Set(owners.map(({ owner }) => owner))];
  }

  /**
   * A node that registers again under its name keeps its blocks unless another node has them by now.
   */
  #takePrevious(set: CidrSet, { uid, name }: Holder): Cidr | undefined {
    const previous = this.#previous.get(name) ?? [];
    return previous.find((block) => set.allocateBlock(uid, block));
  }

  /** Removes the entry of a node that is gone. Returns the UIDs of the nodes whose CIDRs overlapped its own. */
  #remove(uid: string, entry: Entry): readonly string[] {
    const overlapped = this.#overlappedBy(uid, entry.cidrs);
    this.#entries.delete(uid);
    this.#shown.delete(uid);
    this.#remember(entry);
    return overlapped;
  }

  #remember({ name, cidrs, isShown }: Entry): void {
    if (!isShown || cidrs.length === 0) return;
    this.#previous.delete(name);
    this.#previous.set(name, cidrs);
    const [oldest] = this.#previous.keys();
    if (this.#previous.size > rememberedMax && oldest !== undefined) this.#previous.delete(oldest);
  }

  /** How many blocks became free. */
  #release(uid: string, ...cidrs: readonly Cidr[]): number {
    let freed = 0;
    for (const cidr of cidrs) for (const { set } of this.#sets) freed += set.release(uid, cidr);
    return freed;
  }
}

interface PoolSet {
  readonly pool: PodCIDRPool;
  readonly set: CidrSet;
}

/** What one node holds. */
interface Entry {
  readonly name: string;
  readonly cidrs: readonly Cidr[];
  /** Whether the node has them, or they are only reserved for it. */
  readonly isShown: boolean;
  readonly isInDoubt: boolean;
}

function isSame(a: Cidr, b: Cidr): boolean {
  return a.prefixLength === b.prefixLength && overlaps(a, b);
}
