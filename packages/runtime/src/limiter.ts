/**
 * Bounded concurrency: at most so many tasks at once, the rest waiting in order, and a bound on the
 * waiting too. Used wherever one caller could otherwise open a thousand requests.
 */
export class LimiterFullError extends Error {
  readonly code = 'LimiterFull';

  constructor(waitingMax: number) {
    super(`${waitingMax} tasks are already waiting`);
    this.name = 'LimiterFullError';
  }
}

export interface Limiter {
  /** Runs the task when a place is free. A caller whose signal aborts leaves the queue at once. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  readonly active: number;
  readonly waiting: number;
}

export function limiter(options: {
  readonly concurrency: number;
  readonly waitingMax?: number;
}): Limiter {
  const { concurrency, waitingMax = Number.POSITIVE_INFINITY } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number of at least 1, not ${concurrency}`);
  }
  const queue = new Set<() => void>();
  let active = 0;

  const enter = (signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (active < concurrency) {
      active++;
      return Promise.resolve();
    }
    if (queue.size >= waitingMax) return Promise.reject(new LimiterFullError(waitingMax));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        queue.delete(admit);
        reject(signal?.reason);
      };
      const admit = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      queue.add(admit);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  };

  /** Hands the place straight to the next in line, so that nobody can slip in between. */
  const leave = (): void => {
    for (const admit of queue) {
      queue.delete(admit);
      admit();
      return;
    }
    active--;
  };

  return {
    async run(task, signal) {
      await enter(signal);
      try {
        // The signal may have aborted between getting the place and getting here.
        signal?.throwIfAborted();
        return await task();
      } finally {
        leave();
      }
    },
    get active() {
      return active;
    },
    get waiting() {
      return queue.size;
    },
  };
}
