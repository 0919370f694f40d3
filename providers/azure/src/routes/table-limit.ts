/**
 * Estimates how many routes the table can hold, because Azure does not say: 1,000 by default, fewer in old
 * subscriptions, more if Azure support raised the limit. The provider assumes the default until the table has that many
 * routes. Beyond that, and if the limit is lower, only a refused write shows the limit. A limit learnt in this way
 * prevents writes that Azure would refuse. It expires after a while, because Azure may raise it, and it no longer
 * counts once the table has more routes.
 */
import type { Clock } from '@tandem/runtime';

const routesByDefault = 1_000;

/** How long a learnt limit prevents writes that Azure would refuse again. */
const learntForMs = 600_000;

export class TableLimit {
  readonly #clock: Clock;
  #learnt: { readonly limit: number; readonly untilMs: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns how many routes a table that has `used` routes can hold; undefined if that is not known. */
  capacityOf(used: number): number | undefined {
    const learnt = this.#learnt;
    if (learnt !== undefined && used <= learnt.limit && this.#clock.monotonic() < learnt.untilMs) {
      return learnt.limit;
    }
    return used < routesByDefault && learnt === undefined ? routesByDefault : undefined;
  }

  /** Returns whether this was the last learnt limit, even if it has expired. */
  wasLimit(used: number): boolean {
    return this.#learnt?.limit === used;
  }

  /** Records that Azure accepts this number of routes and not one more. */
  note(limit: number): void {
    this.#learnt = { limit, untilMs: this.#clock.monotonic() + learntForMs };
  }
}
