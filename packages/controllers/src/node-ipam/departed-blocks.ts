/**
 * Holds the blocks of deleted nodes. If the manager manages routes, such a block stays held until a list that began
 * after the deletion shows no route of ours to it (I7): a block that is still routed would send traffic for its next
 * node's pods to the machine of its last node. A list that failed or is incomplete releases nothing (P3).
 */
import type { PodCIDRLedger, Released } from '@tandem/core/allocation';
import { type Cidr, formatCidr } from '@tandem/core/ip';
import { findReleasable } from '@tandem/core/routes';
import type { Clock } from '@tandem/runtime';
import type { ManagedRoutes, RoutesSeen } from '../route/index.ts';

export interface DepartedBlocksOptions {
  readonly ledger: PodCIDRLedger;
  readonly clock: Clock;
  /** Undefined if the manager does not manage routes: blocks are then free at once. */
  readonly managedRoutes: Pick<ManagedRoutes, 'clusterCIDRs' | 'families'> | undefined;
}

interface Departure {
  readonly uid: string;
  readonly goneAtMs: number;
  readonly blocks: readonly Cidr[];
}

export class DepartedBlocks {
  readonly #options: DepartedBlocksOptions;
  #departures: Departure[] = [];

  constructor(options: DepartedBlocksOptions) {
    this.#options = options;
  }

  /** Releases the blocks of a deleted node, or holds them until a list shows that no route leads to them. */
  drop(uid: string): Released {
    const { ledger, clock, managedRoutes } = this.#options;
    if (managedRoutes === undefined) return ledger.drop(uid);
    const { held: blocks, ...released } = ledger.depart(uid);
    if (blocks.length > 0) this.#departures.push({ uid, goneAtMs: clock.monotonic(), blocks });
    return released;
  }

  /** Takes a list of the routes into account and returns how many blocks it freed. */
  listed({ asOfMs, tables, wanted }: RoutesSeen): number {
    const { ledger, managedRoutes } = this.#options;
    if (managedRoutes === undefined) return 0;
    const { clusterCIDRs, families } = managedRoutes;
    const isShown = (cidr: Cidr): boolean => ledger.isShown(cidr);
    const release = { clusterCIDRs, families, tables, wanted, isShown };
    const isPast = ({ goneAtMs }: Departure): boolean => goneAtMs < asOfMs;
    const past = this.#departures.filter(isPast);
    if (past.length === 0) return 0;
    const blocks = past.flatMap((departure) => departure.blocks);
    const free = new Set(findReleasable({ ...release, blocks }).map(formatCidr));
    const isFree = (block: Cidr): boolean => free.has(formatCidr(block));
    this.#departures = this.#departures.flatMap((departure) => {
      if (!isPast(departure)) return departure;
      const left = departure.blocks.filter((block) => !isFree(block));
      return left.length === 0 ? [] : { ...departure, blocks: left };
    });
    const freed = past.map(({ uid, blocks: held }) => ledger.letGo(uid, held.filter(isFree)));
    return freed.reduce((sum, one) => sum + one, 0);
  }
}
