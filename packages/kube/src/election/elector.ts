/**
 * Leader election on a Lease, with client-go's protocol on the wire, so that Tandem and upstream's
 * managers exclude each other. In addition, leadership is fenced in time where writes go out
 * (`writeGate`, E1), standbys watch the Lease, and the leader releases it on exit. The gates of two
 * processes are never open at once, even if answers are lost or a process is paused.
 */
import {
  CcmError,
  type Clock,
  deadline,
  type Ids,
  type Logger,
  type Metrics,
  type Random,
} from '@tandem/runtime';
import type { KubeClient } from '../client/index.ts';
import { campaign } from './campaign.ts';
import { LeaseClaim, type Predecessor } from './claim.ts';
import { type ElectionMetrics, electionMetrics } from './election-metrics.ts';
import { Fence, type NotLeadingError } from './fence.ts';
import { cloudControllerManagerLease, type LeaseName } from './lease.ts';
import { LeaseStore } from './lease-store.ts';
import { lead, type TermEnd } from './term.ts';
import {
  type ElectionTimings,
  findTimingProblems,
  leaseCallLimitMs,
  upstreamTimings,
  lastWriteMs,
  writeLimitMs,
  writeTimeoutMs,
} from './timings.ts';

export interface ElectorOptions {
  /**
   * A client without a gate, preferably its own: neither the fence nor a queue may delay a renewal.
   */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** From `electionIdentity`; unique per process. */
  readonly identity: string;
  /** Default: the Lease of upstream's cloud-controller-manager. */
  readonly lease?: LeaseName;
  readonly timings?: ElectionTimings;
}

/** What a leader knows about the previous leader. */
export interface Leadership {
  readonly predecessor: Predecessor;
  /** How long a write of the predecessor may still be stored. */
  readonly lastWriteMs: number;
  /** A time after the Lease was won, on the monotonic clock. */
  readonly sinceMs: number;
}

/** The state when the Lease could be released. */
export interface ReleaseState {
  /** Whether the last write of a holder whose Lease expired before has ended. */
  readonly isPredecessorSettled: boolean;
}

export interface ElectionCallbacks {
  /**
   * The leader's work. It must end soon after the signal aborts, and its promise settles when none of its
   * writes is in flight. An earlier rejection ends the leadership and rejects `run`.
   */
  onStartedLeading(leading: AbortSignal, leadership: Leadership): Promise<void>;
  /**
   * Called after the work has ended, before the Lease is released. If the outcome of a write is unknown,
   * the Lease is left to expire, so that the successor waits for that write.
   */
  mayRelease?(state: ReleaseState): boolean;
  /** Called after each try that did not win the Lease: this process is a standby for now. */
  onNotWon?(): void;
  /** Called exactly once for each start, after the gate has closed. */
  onStoppedLeading?(): void;
  /** Called when another process, or this one, is first seen to lead. */
  onNewLeader?(identity: string): void;
}

/** The state of an election, for health checks. */
export interface ElectionStatus {
  readonly role: 'leader' | 'standby';
  /** The last observed holder of the Lease. */
  readonly leader: string | undefined;
  /** Leader: the time since it sent its last good renewal. Standby: since the record changed. */
  readonly leaseAgeMs: number | undefined;
  readonly isHealthy: boolean;
}

/** How far beyond the lease duration upstream's managers still report healthy. */
const lateRenewalMsMax = 20_000;

export class Elector {
  /** For `createKubeClient`: why a write must not go to a socket now; `undefined` if it may. */
  readonly writeGate: () => NotLeadingError | undefined;
  /** The longest time of a write, including its retries. The gate relies on it. */
  readonly writeLimitMs: number;
  /** How long the server may work on a write. */
  readonly writeTimeoutMs: number;
  readonly #options: Required<ElectorOptions>;
  readonly #metrics: ElectionMetrics;
  readonly #fence: Fence;
  readonly #claim: LeaseClaim;
  #isRunning = false;
  #isLeading = false;
  /**
   * When the last write of the previous leader has ended, on the monotonic clock. Unknown before a term.
   */
  #settledMs: number | undefined;
  #reportedLeader: string | undefined;

  /** Throws a `CcmError` that says what is wrong when the timings cannot work. */
  constructor(options: ElectorOptions) {
    const { client, clock, identity } = options;
    const { timings = upstreamTimings, lease = cloudControllerManagerLease } = options;
    const problems = findTimingProblems(timings);
    if (problems.length > 0) {
      const code = 'InvalidElectionTimings';
      throw new CcmError(problems.join(' '), { code, retry: 'never', effect: 'none' });
    }
    const logger = options.logger.child({ lease: `${lease.namespace}/${lease.name}`, identity });
    this.#options = { ...options, timings, lease, logger };
    this.#metrics = electionMetrics(options.metrics, lease.name);
    this.#fence = new Fence({ clock, renewDeadlineMs: timings.renewDeadlineMs });
    this.#claim = new LeaseClaim({
      store: new LeaseStore({ client, clock, lease, limitMs: leaseCallLimitMs(timings) }),
      clock,
      lease,
      identity,
      leaseDurationMs: timings.leaseDurationMs,
      onSlowPath: () => this.#metrics.countSlowPath(),
    });
    this.writeGate = () => this.#fence.refusal();
    this.writeLimitMs = writeLimitMs(timings);
    this.writeTimeoutMs = writeTimeoutMs(timings);
  }

  /**
   * Campaigns and then leads, once. Resolves with `stopped` after the signal aborted and the Lease was
   * released, and with `lost` after the leadership was lost. May be called again afterwards.
   */
  async run(signal: AbortSignal, callbacks: ElectionCallbacks): Promise<'stopped' | 'lost'> {
    if (this.#isRunning) throw new Error('The elector is already running');
    this.#isRunning = true;
    try {
      this.#metrics.setLeading(false);
      this.#settledMs = undefined;
      const hasWon = await this.#campaign(signal, callbacks);
      const end: TermEnd = hasWon ? await this.#lead(signal, callbacks) : { kind: 'stopped' };
      if (end.kind === 'lost') return 'lost';
      await this.#giveBack(callbacks);
      if (end.kind === 'failed') throw end.err;
      return 'stopped';
    } finally {
      this.#isRunning = false;
    }
  }

  /**
   * A standby is always healthy. A leader is unhealthy once it has continued far beyond its Lease, which
   * only a hanging process can do.
   */
  status(): ElectionStatus {
    const { leader, ageMs } = this.#claim;
    const renewalAgeMs = this.#isLeading ? this.#fence.ageMs() : undefined;
    if (renewalAgeMs === undefined) {
      return { role: 'standby', leader, leaseAgeMs: ageMs, isHealthy: true };
    }
    const isHealthy = renewalAgeMs <= this.#options.timings.leaseDurationMs + lateRenewalMsMax;
    return { role: 'leader', leader, leaseAgeMs: renewalAgeMs, isHealthy };
  }

  /** Whether the Lease was won, and the fence is open. */
  async #campaign(signal: AbortSignal, callbacks: ElectionCallbacks): Promise<boolean> {
    const options = {
      ...this.#options,
      claim: this.#claim,
      onLooked: () => this.#reportLeader(callbacks),
      onNotWon: () => callbacks.onNotWon?.(),
    };
    for (;;) {
      const wonAt = await campaign(options, signal);
      if (wonAt === undefined) return false;
      this.#fence.open(wonAt);
      // The answer may have come too late to confirm the leadership.
      if (this.#fence.refusal() === undefined) return true;
      this.#fence.close();
    }
  }

  async #lead(signal: AbortSignal, callbacks: ElectionCallbacks): Promise<TermEnd> {
    const { clock, timings, logger } = this.#options;
    const { predecessor } = this.#claim;
    const leadership = {
      predecessor,
      lastWriteMs: predecessor === 'expired' ? lastWriteMs(timings) : 0,
      sinceMs: clock.monotonic(),
    };
    this.#settledMs = leadership.sinceMs + leadership.lastWriteMs;
    this.#claim.beginTerm();
    this.#isLeading = true;
    this.#metrics.setLeading(true);
    logger.info({}, 'Became leader');
    try {
      return await lead(
        {
          ...this.#options,
          claim: this.#claim,
          fence: this.#fence,
          onStartedLeading: (leading) => callbacks.onStartedLeading(leading, leadership),
          onStoppedLeading: () => {
            this.#metrics.setLeading(false);
            logger.info({}, 'Stopped leading');
            callbacks.onStoppedLeading?.();
          },
        },
        signal,
      );
    } finally {
      this.#fence.close();
      this.#isLeading = false;
      this.#reportLeader(callbacks);
    }
  }

  /** Releases the Lease if no write of ours or of the previous leader is in flight. */
  async #giveBack(callbacks: ElectionCallbacks): Promise<void> {
    if (!this.#claim.mayHold) return;
    const isPredecessorSettled = this.#isPredecessorSettled();
    if (callbacks.mayRelease?.({ isPredecessorSettled }) ?? true) return this.#release();
    this.#options.logger.warn({}, 'Leaving the Lease to expire: the outcome of a write is unknown');
  }

  /**
   * A released Lease tells a successor that no write is in flight. A leader that stops soon after it took
   * over an expired Lease does not know that of the previous holder.
   */
  #isPredecessorSettled(): boolean {
    if (this.#settledMs === undefined) return this.#claim.predecessor !== 'expired';
    return this.#options.clock.monotonic() >= this.#settledMs;
  }

  /**
   * Releases the Lease, so that the successor need not wait for it to expire. Tries for a limited time.
   */
  async #release(): Promise<void> {
    const { clock, timings, logger } = this.#options;
    using scope = deadline(clock, leaseCallLimitMs(timings));
    for (let tries = 1; tries <= releaseTriesMax; tries++) {
      if (await this.#claim.release(scope.signal)) return;
    }
    logger.warn({}, 'Could not release the Lease, leaving it to expire');
  }

  #reportLeader(callbacks: ElectionCallbacks): void {
    const leader = this.#claim.leader;
    if (leader === undefined || leader === this.#reportedLeader) return;
    this.#reportedLeader = leader;
    callbacks.onNewLeader?.(leader);
  }
}

/** Another read resolves a conflict or a lost answer. Otherwise the Lease expires by itself. */
const releaseTriesMax = 3;

/**
 * The identity in upstream's form: the host name for people, and a UUID, so that a restarted process on
 * the same host is not mistaken for its predecessor.
 */
export function electionIdentity({ hostname, ids }: { hostname: string; ids: Ids }): string {
  return `${hostname}_${ids.uuid()}`;
}
