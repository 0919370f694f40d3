/**
 * The time as a leader, from the write that won the Lease to the end of the leader's work. The order at
 * the end is always the same: no further write can go out, then callers are notified, and only then, if
 * the Lease was not lost, it may be released, once none of our writes is in flight.
 */
import { type Clock, deadline, type Logger, sleep, withDeadline } from '@tandem/runtime';
import type { LeaseClaim } from './claim.ts';
import type { Fence } from './fence.ts';
import { type ElectionTimings, windDownMsMax, writeLimitMs } from './timings.ts';

interface TermOptions {
  readonly claim: LeaseClaim;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timings: ElectionTimings;
  /** The leader's work; see `ElectionCallbacks`. */
  readonly onStartedLeading: (leading: AbortSignal) => Promise<void>;
  readonly onStoppedLeading: () => void;
}

export type TermEnd =
  /** Stopped on request. No write of ours is in flight, so the Lease can be released. */
  | { readonly kind: 'stopped' }
  /** Another process has the Lease, or may have it by now. */
  | { readonly kind: 'lost' }
  /** The leader's work failed. Otherwise as `stopped`. */
  | { readonly kind: 'failed'; readonly err: unknown };

/** Leads until the signal aborts, the Lease is lost or the work fails. The fence must be open. */
export async function lead(options: TermOptions, stop: AbortSignal): Promise<TermEnd> {
  const leading = new AbortController();
  const work = startWork(options, leading.signal);
  const holding = await holdLease(options, AbortSignal.any([stop, work.failed]));
  if (holding === 'lost') {
    options.fence.close();
    leading.abort(new Error('The Lease was lost'));
    options.onStoppedLeading();
    await endsWithin(options, work.ended, windDownMsMax(options.timings));
    return { kind: 'lost' };
  }
  leading.abort(new Error('The leader is stopping'));
  await windDown(options, work.ended);
  options.onStoppedLeading();
  const err: unknown = work.failed.reason;
  return work.failed.aborted ? { kind: 'failed', err } : { kind: 'stopped' };
}

/** Renews the Lease until it is lost or the signal aborts. */
async function holdLease(options: TermOptions, stop: AbortSignal): Promise<'lost' | 'stopped'> {
  const { claim, fence, clock, logger, timings } = options;
  for (;;) {
    // Rounded up, so that a wait never ends a fraction before the deadline and starts again.
    await pause(clock, Math.min(timings.retryPeriodMs, Math.ceil(fence.remainingMs())), stop);
    if (stop.aborted) return 'stopped';
    const remainingMs = fence.remainingMs();
    if (remainingMs === 0) return 'lost';
    using scope = deadline(clock, remainingMs, stop);
    const attempt = await claim.renew(scope.signal);
    if (attempt.kind === 'held') fence.open(attempt.sentAt);
    if (attempt.kind === 'taken') return 'lost';
    if (attempt.kind === 'failed' && !stop.aborted) {
      logger.warn({ err: attempt.err }, 'Could not renew the Lease');
    }
  }
}

/**
 * Lets the work end in order (its last event is a write like any other), but only for a limited time and
 * not beyond the renew deadline. Writes that are in flight afterwards have ended when their limit is
 * over.
 */
async function windDown(options: TermOptions, work: Promise<void>): Promise<void> {
  const { fence, timings, logger } = options;
  const limitMs = Math.min(windDownMsMax(timings), fence.remainingMs());
  const hasEnded = await endsWithin(options, work, limitMs);
  fence.close();
  if (hasEnded) return;
  logger.warn({ limitMs }, 'Timed out waiting for leader work to stop');
  await endsWithin(options, work, writeLimitMs(timings));
}

interface Work {
  /** Resolves when the work has ended, with or without an error. */
  readonly ended: Promise<void>;
  /** Aborts with the error if the work fails before it is stopped. */
  readonly failed: AbortSignal;
}

function startWork({ onStartedLeading, logger }: TermOptions, leading: AbortSignal): Work {
  const failed = new AbortController();
  const run = async (): Promise<void> => {
    try {
      await onStartedLeading(leading);
    } catch (err) {
      if (!leading.aborted) failed.abort(err);
      else if (err !== leading.reason) logger.warn({ err }, 'Leader work failed while stopping');
    }
  };
  return { ended: run(), failed: failed.signal };
}

function endsWithin(
  { clock }: TermOptions,
  work: Promise<void>,
  limitMs: number,
): Promise<boolean> {
  return withDeadline({ clock, limitMs }, () => work).then(
    () => true,
    () => false,
  );
}

/** Sleeps, and resolves early if the signal aborts. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await sleep(clock, ms, signal).catch(() => undefined);
}
