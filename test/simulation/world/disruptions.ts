/**
 * What befalls one of two managers, and when: at its time, when the API server has taken the write of pod CIDRs
 * that the plan names, or soon after the Lease changed hands.
 */
import type { TransportRequest } from '@tandem/kube/transport';
import type { Clock } from '@tandem/runtime';
import type { Disruption } from '../plan/index.ts';
import { isAssignment } from './late-writes.ts';

export class Disruptions {
  readonly #planned: readonly Disruption[];
  readonly #struck = new Set<Disruption>();
  #assignments = 0;
  #takeovers = 0;
  #isOver = false;

  constructor(planned: readonly Disruption[]) {
    this.#planned = planned;
  }

  /** Those that come at their time. */
  schedule(
    clock: Clock,
    strike: (disruption: Disruption, whom: 'leader' | 'standby') => void,
  ): void {
    for (const disruption of this.#planned) {
      const { when } = disruption;
      if (when.is !== 'time') continue;
      clock.after(when.atMs, () => {
        if (!this.#isOver) strike(disruption, when.whom);
      });
    }
  }

  /** The Lease has changed hands: what befalls the new holder, and how soon. */
  takenOver(clock: Clock, strike: (disruption: Disruption) => void): void {
    this.#takeovers++;
    for (const disruption of this.#planned) {
      const { when } = disruption;
      if (when.is !== 'takeover' || when.number !== this.#takeovers) continue;
      clock.after(when.afterMs, () => {
        if (!this.#isOver) strike(disruption);
      });
    }
  }

  /** Asked about every request that the API server takes: what befalls its sender, and makes the write late. */
  meet(request: TransportRequest, sinceRenewalMs: () => number): Disruption | undefined {
    if (this.#isOver || !isAssignment(request)) return undefined;
    this.#assignments++;
    const next = this.#planned.find(
      (disruption) =>
        disruption.when.is === 'assignment' &&
        disruption.when.number <= this.#assignments &&
        disruption.when.sinceRenewalMs <= sinceRenewalMs() &&
        !this.#struck.has(disruption),
    );
    if (next !== undefined) this.#struck.add(next);
    return next;
  }

  /** No manager is disrupted after the trouble. */
  heal(): void {
    this.#isOver = true;
  }
}
