/**
 * Counts the nodes that wait for initialisation, by reason, and the refused nodes. It counts soon after a
 * change, and a few times a minute while a node waits, because ages grow. It does not count a converged cluster.
 */
import { isInitialised } from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/node';
import type { Clock, Timer } from '@tandem/runtime';
import type { NodeRecords } from '../loop/index.ts';
import type { NodeMetrics } from './metrics.ts';
import type { NodeState } from './node-state.ts';

export interface CensusOptions {
  readonly clock: Clock;
  readonly metrics: Pick<NodeMetrics, 'counted'>;
  readonly nodes: { list(): Iterable<NodeProjection> };
  /** The problem that was reported about a node. */
  readonly records: NodeRecords<NodeState>;
}

/** The delay after a change: many changes come together. */
const soonMs = 1_000;
/** The period while a node waits: as often as metrics are usually scraped. */
const againMs = 15_000;

export class Census {
  readonly #options: CensusOptions;
  #alarm: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(options: CensusOptions) {
    this.#options = options;
  }

  /** A node or its report changed: counts again soon. */
  soon(): void {
    this.#countAfter(soonMs);
  }

  /** Sets all counts to zero: only the leader counts. */
  stop(): void {
    this.#alarm?.timer.cancel();
    this.#alarm = undefined;
    this.#options.metrics.counted({ uninitialised: new Map(), refused: new Map() });
  }

  #countAfter(delayMs: number): void {
    const { clock } = this.#options;
    const dueMs = clock.monotonic() + delayMs;
    if (this.#alarm !== undefined && this.#alarm.dueMs <= dueMs) return;
    this.#alarm?.timer.cancel();
    const timer = clock.after(delayMs, () => {
      this.#alarm = undefined;
      this.#count();
    });
    this.#alarm = { dueMs, timer };
  }

  #count(): void {
    const { clock, metrics, nodes, records } = this.#options;
    const nowSeconds = clock.now() / 1_000;
    const uninitialised = new Map<string, { nodes: number; ageSeconds: number }>();
    const refused = new Map<string, number>();
    for (const node of nodes.list()) {
      const said = records.get(node.uid)?.report;
      if (said?.isRefusal) refused.set(said.reason, (refused.get(said.reason) ?? 0) + 1);
      if (isInitialised(node)) continue;
      const reason = said?.reason ?? 'pending';
      const count = uninitialised.get(reason) ?? { nodes: 0, ageSeconds: 0 };
      const ageSeconds = Math.max(0, nowSeconds - node.creationTimestampSeconds);
      uninitialised.set(reason, {
        nodes: count.nodes + 1,
        ageSeconds: Math.max(count.ageSeconds, ageSeconds),
      });
    }
    metrics.counted({ uninitialised, refused });
    if (uninitialised.size > 0) this.#countAfter(againMs);
  }
}
