/**
 * The slots for requests under way. State changes go first: work in the background gets a slot only
 * while no state change waits for one, and never more than half of them, so that slow events cannot
 * hold up an initialisation. The waiting is bounded too.
 */
import { CcmError } from '@tandem/runtime';

export type Priority = 'state' | 'background';

export interface RequestSlots {
  /** Runs the task when a slot is free. A caller whose signal aborts leaves the queue at once. */
  run<T>(priority: Priority, signal: AbortSignal, task: () => Promise<T>): Promise<T>;
}

/** Far more than a manager of 5,000 nodes ever has waiting; past it something is wrong. */
const waitingMax = 20_000;

export function createRequestSlots(concurrency: number): RequestSlots {
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number of at least 1, not ${concurrency}`);
  }
  const slotsOf = { state: concurrency, background: Math.ceil(concurrency / 2) };
  const active = { state: 0, background: 0 };
  const waiting = { state: new Set<() => void>(), background: new Set<() => void>() };

  const isFree = (priority: Priority): boolean =>
    active.state + active.background < concurrency && active[priority] < slotsOf[priority];

  const admitNext = (): void => {
    for (const priority of ['state', 'background'] as const) {
      for (const admit of waiting[priority]) {
        if (!isFree(priority)) break;
        waiting[priority].delete(admit);
        active[priority]++;
        admit();
      }
    }
  };

  const enter = (priority: Priority, signal: AbortSignal): Promise<void> => {
    if (waiting[priority].size >= waitingMax) return Promise.reject(tooManyWaiting());
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiting[priority].delete(admit);
        reject(signal.reason);
      };
      const admit = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting[priority].add(admit);
      admitNext();
    });
  };

  return {
    async run(priority, signal, task) {
      signal.throwIfAborted();
      // Usually a slot is free and no request waits, so the task starts at once.
      if (waiting[priority].size === 0 && isFree(priority)) active[priority]++;
      else await enter(priority, signal);
      try {
        return await task();
      } finally {
        active[priority]--;
        admitNext();
      }
    },
  };
}

function tooManyWaiting(): CcmError {
  return new CcmError(`${waitingMax} requests to the API server are already waiting`, {
    code: 'TooManyRequestsWaiting',
    retry: 'backoff',
    effect: 'none',
  });
}
