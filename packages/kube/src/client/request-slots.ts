/**
 * The slots for requests in flight. State changes go first: background work gets a slot only while no
 * state change waits for one, and never more than half of the slots, so that slow events cannot delay an
 * initialisation. The number of waiting requests is bounded too.
 */
import { CcmError, WaitingLine } from '@tandem/runtime';

export type RequestPriority = 'state' | 'background';

/** Far more than a manager of 5,000 nodes ever has waiting. */
const waitingMax = 20_000;

export class RequestSlots {
  readonly #slots: Readonly<Record<RequestPriority, number>>;
  readonly #active = { state: 0, background: 0 };
  readonly #waiting = { state: new WaitingLine(), background: new WaitingLine() };

  constructor(concurrency: number) {
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new RangeError(`concurrency must be a whole number of at least 1, not ${concurrency}`);
    }
    this.#slots = { state: concurrency, background: Math.ceil(concurrency / 2) };
  }

  /** Runs the task when a slot is free. A caller whose signal aborts leaves the queue at once. */
  async run<T>(priority: RequestPriority, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const line = this.#waiting[priority];
    // Usually a slot is free and no request waits, so the task starts at once.
    if (line.size === 0 && this.#isFree(priority)) this.#active[priority]++;
    else if (line.size >= waitingMax) throw tooManyWaiting();
    else {
      const admitted = line.wait(signal);
      this.#admit();
      await admitted;
    }
    try {
      return await task();
    } finally {
      this.#active[priority]--;
      this.#admit();
    }
  }

  #isFree(priority: RequestPriority): boolean {
    const { state, background } = this.#active;
    return state + background < this.#slots.state && this.#active[priority] < this.#slots[priority];
  }

  #admit(): void {
    for (const priority of ['state', 'background'] as const) {
      while (this.#isFree(priority) && this.#waiting[priority].admit()) this.#active[priority]++;
    }
  }
}

function tooManyWaiting(): CcmError {
  return new CcmError(`${waitingMax} requests to the API server are already waiting`, {
    code: 'TooManyRequestsWaiting',
    retry: 'backoff',
    effect: 'none',
  });
}
