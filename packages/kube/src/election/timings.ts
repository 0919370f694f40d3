/**
 * The three times of an election, with upstream's defaults and rules, and the limits that follow from
 * them. A record is valid for the lease duration. Its holder stops at the renew deadline; the difference
 * is the time that a last write may take, so that it never overlaps the writes of a successor (E1).
 */
export interface ElectionTimings {
  /** How long a record is valid after others saw it change. Whole seconds on the wire. */
  readonly leaseDurationMs: number;
  /** How long a leader continues without a renewal, from the sending of the last good one. */
  readonly renewDeadlineMs: number;
  /** The time between two renewals, and the minimum between two reads of a standby. */
  readonly retryPeriodMs: number;
}

/** The defaults of upstream's managers. */
export const upstreamTimings: ElectionTimings = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** A standby waits for the retry period plus up to this multiple of it, as in client-go. */
export const retryJitterFactor = 1.2;

/** Problems of the timings, one sentence each; empty if the timings are valid. */
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
 * The longest time of a write: a write that passed at the last moment has then ended before another
 * process can lead, even if one machine's clock runs 2 % slow and the other's 2 % fast. If the times are
 * too close for that, half of the difference must do.
 */
export function writeLimitMs({ leaseDurationMs, renewDeadlineMs }: ElectionTimings): number {
  const spareMs = leaseDurationMs - renewDeadlineMs;
  return Math.max(spareMs - leaseDurationMs * clockRateSpread, spareMs / 2);
}

/**
 * How long the server may work on a leader's write: a write that passed at the last moment is then stored
 * or abandoned soon. Upstream's times give 4 s.
 */
export function writeTimeoutMs(timings: ElectionTimings): number {
  const limitMs = writeLimitMs(timings);
  return limitMs < 1_000 ? limitMs : Math.floor(limitMs / 1_000) * 1_000;
}

/**
 * How long after the expiry of its Lease a holder's last write may still be stored: the time that the
 * server works on it, plus etcd's own limit for a request, plus the drift of two clocks. In whole
 * seconds; upstream's times give 12 s.
 */
export function lastWriteMs(timings: ElectionTimings): number {
  const driftMs = timings.leaseDurationMs * clockRateSpread;
  return Math.ceil((writeTimeoutMs(timings) + etcdRequestMs + driftMs) / 1_000) * 1_000;
}

/** The API server's fixed limit for one request to etcd. */
const etcdRequestMs = 7_000;

/** Two clocks that are each off by 2 %, in opposite directions. */
const clockRateSpread = 0.04;

/**
 * The limit of one call about the Lease. As in upstream's managers, two fit before the deadline.
 */
export function leaseCallLimitMs({ renewDeadlineMs }: ElectionTimings): number {
  return renewDeadlineMs / 2;
}

/** How long the leader's work may take to end. */
export function windDownMsMax({ renewDeadlineMs }: ElectionTimings): number {
  return renewDeadlineMs / 2;
}
