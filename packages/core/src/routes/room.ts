/**
 * The room for further routes in a table. Deletions of a plan make room for the next plan, not for
 * this one, because the cloud may carry out a batch in any order, and a deletion may fail.
 */
import type { Family } from '../ip/index.ts';
import type { ListedTable } from './listing.ts';

/** A limit of a table, for all of its routes or for those of one family. */
export interface Quota {
  readonly family: Family | undefined;
  readonly capacity: number;
  readonly used: number;
}

export function quotasOf({ capacity, routes }: ListedTable): readonly Quota[] {
  if (capacity === undefined) return [];
  if (typeof capacity === 'number') return [{ family: undefined, capacity, used: routes.length }];
  return (['IPv4', 'IPv6'] as const).flatMap((family) => {
    const limit = capacity[family];
    if (limit === undefined) return [];
    // The family of a destination that is not a CIDR is unknown, so it counts for both.
    const isCounted = (other: Family | undefined): boolean =>
      other === family || other === undefined;
    const used = routes.filter(({ destination }) => isCounted(destination?.network.family)).length;
    return [{ family, capacity: limit, used }];
  });
}

/** Use above this share of a capacity is reported, so that users can act before a table is full. */
const nearlyFullShare = 0.8;

export function isNearlyFull({ capacity, used }: Quota): boolean {
  return used > capacity * nearlyFullShare;
}

/**
 * When there is room for a route: in this plan, in the next one, or not before more routes are
 * deleted.
 */
export type RoomVerdict = 'now' | 'next' | 'none';

export class Room {
  readonly #quotas: { readonly family: Family | undefined; now: number; next: number }[];

  /** Takes the families of the routes that the plan deletes. */
  constructor(table: ListedTable, deleted: readonly Family[]) {
    this.#quotas = quotasOf(table).map(({ family, capacity, used }) => {
      const freed = deleted.filter((one) => family === undefined || family === one).length;
      return { family, now: capacity - used, next: capacity - used + freed };
    });
  }

  take(family: Family): RoomVerdict {
    const quotas = this.#quotas.filter((one) => one.family === undefined || one.family === family);
    if (quotas.some(({ next }) => next < 1)) return 'none';
    const isNow = quotas.every(({ now }) => now > 0);
    for (const quota of quotas) {
      quota.next -= 1;
      if (isNow) quota.now -= 1;
    }
    return isNow ? 'now' : 'next';
  }
}
