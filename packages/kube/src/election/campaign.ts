/**
 * The time as a standby: read the Lease, take it if it is free, wait, and read again. The wait ends early
 * when the watch reports a release, and when the record of the current holder expires. Without a watch
 * the standby reads as often as client-go does.
 */
import type { Clock, Instant, Logger, Random } from '@tandem/runtime';
import type { KubeClient } from '../client/index.ts';
import type { LeaseClaim } from './claim.ts';
import type { Lease, LeaseName } from './lease.ts';
import { watchLease } from './lease-watch.ts';
import { type ElectionTimings, retryJitterFactor } from './timings.ts';

interface CampaignOptions {
  readonly claim: LeaseClaim;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly lease: LeaseName;
  readonly timings: ElectionTimings;
  /** Called after each read, and after each change that the watch reports. */
  readonly onLooked: () => void;
  /** Called after each try that did not win the Lease. */
  readonly onNotWon: () => void;
}

/** When the write that won the Lease was sent; `undefined` when the signal ended the campaign. */
export async function campaign(
  options: CampaignOptions,
  stop: AbortSignal,
): Promise<Instant | undefined> {
  const bell = new Doorbell();
  const over = new AbortController();
  const watching = watchLease(watchOptions(options, bell), AbortSignal.any([stop, over.signal]));
  try {
    return await lookUntilWon(options, { bell, stop });
  } finally {
    over.abort();
    await watching;
  }
}

async function lookUntilWon(
  options: CampaignOptions,
  { bell, stop }: { bell: Doorbell; stop: AbortSignal },
): Promise<Instant | undefined> {
  const { claim, clock, logger, timings } = options;
  let hasFailed = false;
  while (!stop.aborted) {
    const attempt = await claim.acquire(stop);
    options.onLooked();
    if (attempt.kind === 'held') return attempt.sentAt;
    options.onNotWon();
    if (attempt.kind === 'failed' && !stop.aborted) {
      logger[hasFailed ? 'debug' : 'warn']({ err: attempt.err }, 'Could not acquire the Lease');
    }
    hasFailed = attempt.kind === 'failed';
    await bell.wait(clock, waitMs(options, timings.retryPeriodMs), stop);
  }
  return undefined;
}

/** Until the next read with jitter, or until the record of the holder expires if that is sooner. */
function waitMs({ claim, random }: CampaignOptions, retryPeriodMs: number): number {
  const retryMs = retryPeriodMs * (1 + random.next() * retryJitterFactor);
  const remainingMs = claim.othersRemainingMs;
  return remainingMs === 0 ? retryMs : Math.min(retryMs, Math.ceil(remainingMs) + 1);
}

function watchOptions(options: CampaignOptions, bell: Doorbell): Parameters<typeof watchLease>[0] {
  const { claim, random, logger, timings } = options;
  return {
    ...options,
    random: random.fork('watch'),
    silenceMsMax: timings.leaseDurationMs * 2,
    retryMs: timings.retryPeriodMs,
    onChanged: (lease: Lease) => {
      claim.notice(lease);
      options.onLooked();
      if (lease.holderIdentity === '') bell.ring();
    },
    onDeleted: () => bell.ring(),
    onFailed: (err: unknown) => logger.debug({ err }, 'Lost the watch on the Lease'),
  };
}

/**
 * A wait that a ring ends early. A ring without a waiter counts for the next wait, because it may
 * announce a change after the current read.
 */
class Doorbell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, after `limitMs`, or when the signal aborts; never rejects. */
  async wait(clock: Clock, limitMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasRung && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      const timer = clock.after(limitMs, wake);
      signal.addEventListener('abort', wake);
      this.#wake = wake;
      await promise;
      signal.removeEventListener('abort', wake);
      timer.cancel();
      this.#wake = undefined;
    }
    this.#hasRung = false;
  }
}
