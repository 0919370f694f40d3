/**
 * How much may be said about one object: 25 events at once and one more every five minutes, as with
 * upstream's recorder. What is said for the first time gets through nevertheless, so that a noisy
 * reason never hides another.
 */
import type { Clock } from '@tandem/runtime';
import type { NewEvent } from './event.ts';
import { RecentMap } from './recent-map.ts';

const eventsAtOnce = 25;
export const refillMs = 300_000;

interface Budget {
  tokens: number;
  filledMs: number;
  /** Constants of the program, hence few. */
  readonly reasons: string[];
}

/** Objects remembered at most, as many as client-go does. */
const objectsMax = 4_096;

export class ObjectBudgets {
  readonly #clock: Clock;
  readonly #budgets: RecentMap<Budget>;

  constructor(clock: Clock) {
    this.#clock = clock;
    // After that long a budget is full, and nothing is lost with it but which reasons were said.
    const idleMsMax = eventsAtOnce * refillMs;
    this.#budgets = new RecentMap({ clock, idleMsMax, sizeMax: objectsMax });
  }

  /** Whether the event may be sent now. If so, it is taken to be. */
  spend({ regarding, type, reason }: NewEvent): boolean {
    const budget = this.#budgets.use(regarding.uid, () => ({
      tokens: eventsAtOnce,
      filledMs: this.#clock.monotonic(),
      reasons: [],
    }));
    this.#refill(budget);
    const said = `${type} ${reason}`;
    const isFirst = !budget.reasons.includes(said);
    if (isFirst) budget.reasons.push(said);
    const isCovered = budget.tokens >= 1;
    if (isCovered) budget.tokens--;
    return isCovered || isFirst;
  }

  forget(uid: string): void {
    this.#budgets.delete(uid);
  }

  #refill(budget: Budget): void {
    const refills = Math.floor((this.#clock.monotonic() - budget.filledMs) / refillMs);
    budget.tokens = Math.min(budget.tokens + refills, eventsAtOnce);
    budget.filledMs += refills * refillMs;
  }
}
