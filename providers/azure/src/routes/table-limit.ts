/**
 * How many routes the table takes. Azure does not say: 1,000 by default, fewer in old subscriptions, more where
 * its support raised the limit. The default is believed until the table has that many routes; after that, and
 * where the limit is lower, only a refusal tells. A limit that was learnt holds off writes that Azure would
 * refuse. It is forgotten after a while, because limits are raised, and with it when the table has more.
 */
import type { Clock } from '@tandem/runtime';

const routesByDefault = 1_000;

/** How long a learnt limit holds off routes that would be refused again. */
const learntForMs = 600_000;

export class TableLimit {
  readonly #clock: Clock;
  #learnt: { readonly limit: number; readonly untilMs: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What a table with so many routes takes; undefined where that is not known. */
  capacityOf(used: number): number | undefined {
    const learnt = this.#learnt;
    if (learnt !== undefined && used <= learnt.limit && this.#clock.monotonic() < learnt.untilMs) {
      return learnt.limit;
    }
    return used < routesByDefault && learnt === undefined ? routesByDefault : undefined;
  }

  /** Whether this was the limit when it was learnt, however long ago. */
  wasLimit(used: number): boolean {
    return this.#learnt?.limit === used;
  }

  /** Azure takes so many routes and not one more. */
  note(limit: number): void {
    this.#learnt = { limit, untilMs: this.#clock.monotonic() + learntForMs };
  }
}
