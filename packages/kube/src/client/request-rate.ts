/**
 * A bound on requests a second, for those who ask for one (`--kube-api-qps`): a bucket of tokens that
 * fills at a steady rate, one token a request. State changes take theirs first, as with slots; but
 * where tokens are scarce for minutes the background still gets one in ten, because a call that never
 * gets any would only time out. Waiters leave with their signals and nothing is left behind.
 */
import type { Clock, Timer } from '@tandem/runtime';
import type { Priority } from './request-slots.ts';

export interface RateLimit {
  readonly perSecond: number;
  /** Requests that may go out at once after a time of rest. */
  readonly burst: number;
}

export interface RequestRate {
  /** Resolves when the request may go out. A caller whose signal aborts leaves the queue at once. */
  take(priority: Priority, signal: AbortSignal): Promise<void>;
}

/** Of so many tokens that others wait for, one is the background's. */
const backgroundShare = 10;

/** Far below a millisecond; what the sums of fractions may be wrong by. */
const roundingMs = 1e-6;

export function createRequestRate({ perSecond, burst }: RateLimit, clock: Clock): RequestRate {
  refuseUseless({ perSecond, burst });
  const intervalMs = 1_000 / perSecond;
  const waiting = { state: new Set<() => void>(), background: new Set<() => void>() };
  /** When the bucket will be full, which says at any time how many tokens are in it. */
  let fullAtMs = Number.NEGATIVE_INFINITY;
  let takenSinceBackground = 0;
  let timer: Timer | undefined;

  const waitMs = (): number => fullAtMs - (burst - 1) * intervalMs - clock.monotonic();

  const next = (): Priority | undefined => {
    if (waiting.background.size === 0) return waiting.state.size === 0 ? undefined : 'state';
    const isDue = waiting.state.size === 0 || takenSinceBackground >= backgroundShare - 1;
    return isDue ? 'background' : 'state';
  };

  const grant = (priority: Priority): void => {
    for (const admit of waiting[priority]) {
      waiting[priority].delete(admit);
      fullAtMs = Math.max(fullAtMs, clock.monotonic()) + intervalMs;
      takenSinceBackground = priority === 'background' ? 0 : takenSinceBackground + 1;
      admit();
      return;
    }
  };

  const grantAll = (): void => {
    timer?.cancel();
    timer = undefined;
    for (let priority = next(); priority !== undefined; priority = next()) {
      if (waitMs() > roundingMs) {
        timer = clock.after(waitMs(), grantAll);
        return;
      }
      grant(priority);
    }
  };

  return {
    take(priority, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting[priority].delete(admit);
          reject(signal.reason);
          grantAll();
        };
        const admit = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting[priority].add(admit);
        grantAll();
      });
    },
  };
}

function refuseUseless({ perSecond, burst }: RateLimit): void {
  if (!Number.isFinite(perSecond) || perSecond <= 0) {
    throw new RangeError(`the rate must be greater than 0 requests per second, not ${perSecond}`);
  }
  if (!Number.isInteger(burst) || burst < 1) {
    throw new RangeError(`the burst must be a whole number of at least 1, not ${burst}`);
  }
}
