/**
 * Limits the events of one object: 25 at once and one more every five minutes, as in upstream's recorder.
 * The first event of a reason always passes, so that a frequent reason never hides another. Sustained
 * events pass, too (P6): beyond the budget one such event a minute, so that it is sent within a minute,
 * and events that come and go are still bounded.
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
  /** When the next sustained event may exceed the budget. */
  sustainedMs: number;
  /** Constants of the program, hence few. */
  readonly reasons: string[];
}

/** The number of remembered objects, as in client-go. */
const objectsMax = 4_096;

export class ObjectBudgets {
  readonly #clock: Clock;
  readonly #budgets: RecentMap<Budget>;

  constructor(clock: Clock) {
    this.#clock = clock;
    // After this time the budget is full again. Only the seen reasons are lost.
    const idleMsMax = eventsAtOnce * refillMs;
    this.#budgets = new RecentMap({ clock, idleMsMax, sizeMax: objectsMax });
  }

  /** Whether the event may be sent now. If so, it is charged. */
  spend({ regarding, type, reason }: NewEvent): boolean {
    const budget = this.#of(regarding.uid);
    this.#refill(budget);
    const kind = `${type} ${reason}`;
    const isFirst = !budget.reasons.includes(kind);
    if (isFirst) budget.reasons.push(kind);
    const isCovered = budget.tokens >= 1;
    if (isCovered) budget.tokens--;
    return isCovered || isFirst;
  }

  /** How long a sustained event waits before it may exceed the budget; 0 if it need not wait. */
  sustainedWaitMs({ regarding }: NewEvent): number {
    return Math.max(0, this.#of(regarding.uid).sustainedMs - this.#clock.monotonic());
  }

  /** Charges a sustained event that exceeds the budget: the next one waits. */
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
