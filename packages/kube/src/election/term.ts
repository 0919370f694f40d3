/**
 * The time as a leader, from the write that won the Lease to the end of the leader's work. However it
 * ends, the order is the same: no further write can go out, then everybody is told, and only after that
 * – and only if the Lease was not lost – may it be given back, when nothing of ours is under way.
 */
import { type Clock, deadline, type Logger, sleep, withDeadline } from '@tandem/runtime';
import type { LeaseClaim } from './claim.ts';
import type { Fence } from './fence.ts';
import { type ElectionTimings, windDownMsMax, writeLimitMs } from './timings.ts';

export interface TermOptions {
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
  /** Asked to; nothing of ours is under way any more, so that the Lease can be given back. */
  | { readonly kind: 'stopped' }
  /** Another has the Lease, or may have it by now. */
  | { readonly kind: 'lost' }
  /** The leader's work failed; otherwise as `stopped`. */
  | { readonly kind: 'failed'; readonly err: unknown };

/** Leads until the signal aborts, the Lease is lost or the work fails. The fence is open before. */
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

/** Renews the Lease again and again, until it is lost or the signal aborts. */
async function holdLease(options: TermOptions, stop: AbortSignal): Promise<'lost' | 'stopped'> {
  const { claim, fence, clock, logger, timings } = options;
  for (;;) {
    // Rounded up, so that a wait never ends a fraction before the deadline, to begin once more.
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
 * Lets the work end in order – its last event is a write like any other – but not for ever, and not
 * beyond the renew deadline. Writes that are under way after that have ended when their limit is over.
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
  /** Resolves when it has ended, well or not. */
  readonly ended: Promise<void>;
  /** Aborts with the error when it fails without having been told to stop. */
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

/** Whether it ended within the limit. */
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

/** Sleeps, and wakes up early instead of rejecting when the signal aborts. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await sleep(clock, ms, signal).catch(() => undefined);
}
