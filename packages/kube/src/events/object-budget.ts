/**
 * How much may be said about one object: 25 events at once and one more every five minutes, as with
 * upstream's recorder. What is said for the first time gets through nevertheless, so that a noisy
 * reason never hides another. So does what stands now (P6): beyond the budget one such event a minute,
 * so that it is told within a minute however much was said before, and what comes and goes all the time
 * is still bounded.
 */
import type { Clock } from '@tandem/runtime';
import type { NewEvent } from './event.ts';
import { RecentMap } from './recent-map.ts';

const eventsAtOnce = 25;
const refillMs = 300_000;
const sustainedGapMs = 60_000;

interface Budget {
  tokens: number;
  filledMs: number;
  /** When an event that stands may next be sent beyond the budget. */
  sustainedMs: number;
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
    const budget = this.#of(regarding.uid);
    this.#refill(budget);
    const said = `${type} ${reason}`;
    const isFirst = !budget.reasons.includes(said);
    if (isFirst) budget.reasons.push(said);
    const isCovered = budget.tokens >= 1;
    if (isCovered) budget.tokens--;
    return isCovered || isFirst;
  }

  /** How long an event that stands has to wait for being sent beyond the budget; 0 where it need not. */
  sustainedWaitMs({ regarding }: NewEvent): number {
    return Math.max(0, this.#of(regarding.uid).sustainedMs - this.#clock.monotonic());
  }

  /** An event that stands is sent beyond the budget: the next one waits. */
  spendSustained({ regarding }: NewEvent): void {
    this.#of(regarding.uid).sustainedMs = this.#clock.monotonic() + sustainedGapMs;
  }

  #of(uid: string): Budget {
    const nowMs = this.#clock.monotonic();
    return this.#budgets.use(uid, () => ({
      tokens: eventsAtOnce,
      filledMs: nowMs,
      sustainedMs: nowMs,
      reasons: [],
    }));
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
