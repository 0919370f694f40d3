/**
 * Bounded concurrency: at most `concurrency` tasks run at once. The others wait in order, up to a limit.
 * Used wherever one caller could otherwise open a thousand requests.
 */
import { WaitingLine } from './waiting-line.ts';

export class LimiterFullError extends Error {
  readonly code = 'LimiterFull';

  constructor(waitingMax: number) {
    super(`${waitingMax} tasks are already waiting`);
    this.name = 'LimiterFullError';
  }
}

export class Limiter {
  readonly #concurrency: number;
  readonly #waitingMax: number;
  readonly #line = new WaitingLine();
  #active = 0;

  constructor(options: { readonly concurrency: number; readonly waitingMax?: number }) {
    const { concurrency, waitingMax = Number.POSITIVE_INFINITY } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new RangeError(`concurrency must be a whole number of at least 1, not ${concurrency}`);
    }
    this.#concurrency = concurrency;
    this.#waitingMax = waitingMax;
  }

  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /** Runs the task when a slot is free. A caller whose signal aborts leaves the queue at once. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      // The signal may have aborted between getting the slot and getting here.
      signal?.throwIfAborted();
      return await task();
    } finally {
      // A waiting caller takes over the slot, so that no other caller can get in between.
      if (!this.#line.admit()) this.#active--;
    }
  }

  #enter(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#active < this.#concurrency) {
      this.#active++;
      return Promise.resolve();
    }
    const isFull = this.#line.size >= this.#waitingMax;
    return isFull
      ? Promise.reject(new LimiterFullError(this.#waitingMax))
      : this.#line.wait(signal);
  }
}
