/**
 * The three times of an election, with upstream's defaults and upstream's rules about them, and the
 * limits that follow. A record counts for the lease duration; its holder stops at the renew deadline
 * already, and the difference is what a last write may take to arrive, so that none arrives beside
 * those of a successor (E1).
 */
export interface ElectionTimings {
  /** How long others leave a record alone after they saw it change. Whole seconds on the wire. */
  readonly leaseDurationMs: number;
  /** How long a leader goes on without a renewal, counted from the sending of the last good one. */
  readonly renewDeadlineMs: number;
  /** The time between two renewals, and the least time between two looks of a standby. */
  readonly retryPeriodMs: number;
}

/** The defaults of upstream's managers. */
export const upstreamTimings: ElectionTimings = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** A standby waits for the retry period and up to this many times as long again, as client-go does. */
export const retryJitterFactor = 1.2;

/** What is wrong with the timings, one sentence each; nothing when they can be used. */
export function findTimingProblems(timings: ElectionTimings): string[] {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timings;
  const problems: string[] = [];
  const seconds = (ms: number): string => `${ms / 1000} s`;
  for (const [name, ms] of [
    ['lease duration', leaseDurationMs],
    ['renew deadline', renewDeadlineMs],
    ['retry period', retryPeriodMs],
  ] as const) {
    const isDuration = Number.isFinite(ms) && ms > 0;
    if (!isDuration) problems.push(`The ${name} must be more than 0 s, not ${seconds(ms)}.`);
  }
  if (problems.length > 0) return problems;
  if (leaseDurationMs % 1000 !== 0) {
    problems.push(
      `The lease duration must be a whole number of seconds, not ${seconds(leaseDurationMs)}.`,
    );
  }
  if (leaseDurationMs <= renewDeadlineMs) {
    problems.push(
      `The lease duration (${seconds(leaseDurationMs)}) must be longer than ` +
        `the renew deadline (${seconds(renewDeadlineMs)}).`,
    );
  }
  if (renewDeadlineMs <= retryPeriodMs * retryJitterFactor) {
    problems.push(
      `The renew deadline (${seconds(renewDeadlineMs)}) must be longer than ` +
        `${retryJitterFactor} times the retry period (${seconds(retryPeriodMs)}).`,
    );
  }
  return problems;
}

/**
 * How long a write may take at most, from its call to its end: one that was let through at the last
 * moment has then ended before anybody else can lead, even when one machine's clock runs 2 % slow and
 * the other's 2 % fast. Where the times are too close for that, half of the difference must do.
 */
export function writeLimitMs({ leaseDurationMs, renewDeadlineMs }: ElectionTimings): number {
  const spareMs = leaseDurationMs - renewDeadlineMs;
  return Math.max(spareMs - leaseDurationMs * clockRateSpread, spareMs / 2);
}

/**
 * How long the server may work on a write of a leader: what was let through at the last moment is then
 * either stored or given up soon after. Upstream's times give 4 s.
 */
export function writeTimeoutMs(timings: ElectionTimings): number {
  const limitMs = writeLimitMs(timings);
  return limitMs < 1_000 ? limitMs : Math.floor(limitMs / 1_000) * 1_000;
}

/**
 * How long after its Lease has expired a holder's last write may still be stored: for as long as the server
 * works on it, plus etcd's own limit of a request, plus what two clocks drift apart. In whole seconds;
 * upstream's times give 12 s.
 */
export function lastWriteMs(timings: ElectionTimings): number {
  const driftMs = timings.leaseDurationMs * clockRateSpread;
  return Math.ceil((writeTimeoutMs(timings) + etcdRequestMs + driftMs) / 1_000) * 1_000;
}

/** The API server's fixed limit for one request to etcd. */
const etcdRequestMs = 7_000;

/** Two clocks that are each off by 2 %, in opposite directions. */
const clockRateSpread = 0.04;

/** How long one call about the Lease may take: as with upstream's managers, two fit before the deadline. */
export function leaseCallLimitMs({ renewDeadlineMs }: ElectionTimings): number {
  return renewDeadlineMs / 2;
}

/** How long the leader's work may take to end once it was told to. */
export function windDownMsMax({ renewDeadlineMs }: ElectionTimings): number {
  return renewDeadlineMs / 2;
}
