/**
 * A second, naive implementation of the rules of the work queue: it searches plain lists and steps through
 * time by the millisecond. The real queue must agree with it at every step.
 */
import type { Priority } from './ready-queue.ts';

interface Waiting {
  readonly key: string;
  readonly priority: Priority;
}

interface Delayed extends Waiting {
  readonly dueMs: number;
}

export interface NaiveSettings {
  readonly workers: number;
  readonly urgentTurnsMax: number;
  readonly delayMs: (failures: number) => number;
}

export class NaiveQueue {
  readonly #settings: NaiveSettings;
  #nowMs = 0;
  #waiting: Waiting[] = [];
  #delayed: Delayed[] = [];
  #running: Waiting[] = [];
  #again: Waiting[] = [];
  #failures: string[] = [];
  /** Runs whose key was forgotten after they began. */
  #forgotten: Waiting[] = [];
  #urgentTurns = 0;
  readonly started: string[] = [];

  constructor(settings: NaiveSettings) {
    this.#settings = settings;
  }

  get state(): Record<string, unknown> {
    return {
      running: this.#running.map(({ key }) => key),
      depth: this.#waiting.length + this.#again.length,
      delayed: this.#delayed.length,
      started: [...this.started],
    };
  }

  get runningKeys(): string[] {
    return this.#running.map(({ key }) => key);
  }

  add(key: string, asked: Priority, afterMs: number): void {
    const isDueAlready = [...this.#waiting, ...this.#again].some((entry) => entry.key === key);
    const later = this.#delayed.find((entry) => entry.key === key);
    const priority = [asked, later?.priority].includes('urgent') ? 'urgent' : 'routine';
    const others = this.#delayed.filter((entry) => entry.key !== key);
    const dueMs = this.#nowMs + afterMs;
    if (afterMs === 0 || isDueAlready) {
      this.#delayed = others;
      this.#enter(key, priority);
    } else if (later === undefined || dueMs < later.dueMs) {
      this.#delayed = [...others, { key, priority, dueMs }];
    } else {
      this.#delayed = this.#delayed.map((entry) =>
        entry === later ? { ...later, priority } : entry,
      );
    }
    this.#fill();
  }

  #enter(key: string, priority: Priority): void {
    const isRunning = this.#running.some((entry) => entry.key === key);
    const list = isRunning ? this.#again : this.#waiting;
    const known = list.find((entry) => entry.key === key);
    if (known?.priority === 'urgent') return;
    if (known !== undefined && priority === 'routine') return;
    const rest = list.filter((entry) => entry.key !== key);
    if (isRunning) this.#again = [...rest, { key, priority }];
    else this.#waiting = [...rest, { key, priority }];
  }

  forget(key: string): void {
    const isOther = (entry: Waiting): boolean => entry.key !== key;
    this.#waiting = this.#waiting.filter(isOther);
    this.#delayed = this.#delayed.filter(isOther);
    this.#again = this.#again.filter(isOther);
    this.#failures = this.#failures.filter((failed) => failed !== key);
    this.#forgotten.push(...this.#running.filter((entry) => entry.key === key));
  }

  end(key: string, hasFailed: boolean): void {
    const run = this.#running.find((entry) => entry.key === key);
    if (run === undefined) return;
    this.#running = this.#running.filter((entry) => entry !== run);
    const isFailure = hasFailed && !this.#forgotten.includes(run);
    this.#failures = isFailure
      ? [...this.#failures, key]
      : this.#failures.filter((failed) => failed !== key);
    const again = this.#again.find((entry) => entry.key === key);
    this.#again = this.#again.filter((entry) => entry !== again);
    if (again !== undefined) {
      const isUrgent = again.priority === 'urgent' || (isFailure && run.priority === 'urgent');
      this.#enter(key, isUrgent ? 'urgent' : 'routine');
    } else if (isFailure) {
      const failures = this.#failures.filter((failed) => failed === key).length;
      this.add(key, run.priority, this.#settings.delayMs(failures));
    }
    this.#fill();
  }

  advance(byMs: number): void {
    for (let stepMs = 0; stepMs < byMs; stepMs++) {
      this.#nowMs++;
      const due = this.#delayed.filter(({ dueMs }) => dueMs === this.#nowMs);
      for (const { key, priority } of due) {
        this.#delayed = this.#delayed.filter((entry) => entry.key !== key);
        this.#enter(key, priority);
      }
      this.#fill();
    }
  }

  #fill(): void {
    while (this.#running.length < this.#settings.workers && this.#waiting.length > 0) {
      const urgent = this.#waiting.find(({ priority }) => priority === 'urgent');
      const routine = this.#waiting.find(({ priority }) => priority === 'routine');
      const isTurnOfRoutine =
        urgent === undefined || this.#urgentTurns >= this.#settings.urgentTurnsMax;
      const next = (isTurnOfRoutine ? (routine ?? urgent) : urgent)!;
      this.#urgentTurns = next === urgent && routine !== undefined ? this.#urgentTurns + 1 : 0;
      this.#waiting = this.#waiting.filter((entry) => entry !== next);
      this.#running.push(next);
      this.started.push(next.key);
    }
  }
}
