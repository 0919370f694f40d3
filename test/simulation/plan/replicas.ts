/**
 * Two managers on one Lease, and what becomes of them: they are killed, told to stop, or stand still for a while
 * and go on as if nothing had happened. Meanwhile the API server executes some of their writes long after it took
 * them, when whoever sent them has given up or is no more.
 */
export interface ReplicaPlan {
  /** When the second one is started. */
  readonly secondAtMs: number;
  readonly disruptions: readonly Disruption[];
  readonly lateWrites: LateWritePlan;
  /** How seldom the standby reads its watch of nodes: its cache may be so far behind when it takes over. */
  readonly standbyLagMs: number;
}

export interface Disruption {
  readonly when: DisruptionTime;
  readonly kind: 'kill' | 'stop' | 'pause';
  /** How long it stands still, or how long after its end it is started again. */
  readonly forMs: number;
}

export type DisruptionTime =
  /** The leader of that moment, or the standby. */
  | { readonly is: 'time'; readonly atMs: number; readonly whom: 'leader' | 'standby' }
  /**
   * When the API server has taken that write of pod CIDRs, or the next one that is so long after the last renewal of
   * the Lease. It then executes the write late.
   */
  | { readonly is: 'assignment'; readonly number: number; readonly sinceRenewalMs: number }
  /** So long after the Lease changed hands for the time of that number. */
  | { readonly is: 'takeover'; readonly number: number; readonly afterMs: number };

export interface LateWritePlan {
  /** Which writes may be late. */
  readonly of: 'assignments' | 'nodes' | 'all';
  /** How many of them are. */
  readonly rate: number;
}
