/**
 * The cloud-node-lifecycle-controller: deletes nodes whose instance the cloud says is gone, and marks
 * those that are shut down. A pass every few seconds looks at the nodes that are not Ready, asks the
 * cloud about all that are due at once, plans (core), and applies. It never deletes on an error (P3) nor
 * a Ready node; a cluster whose nodes are all Ready costs neither a cloud call nor an API call (P5). All
 * that it knows is in memory: started anew, it waits for new answers (P7).
 */
import { type LifecyclePlan, noEvidence, withAnswer } from '@tandem/core/lifecycle';
import { type Random, sleep } from '@tandem/runtime';
import { askCloud, type Asking } from './ask-cloud.ts';
import { Deletions } from './deletions.ts';
import { type LifecycleMetrics, lifecycleMetrics } from './lifecycle-metrics.ts';
import type { NodeLifecycleControllerOptions } from './options.ts';
import { type LookedAt, planFor } from './plan-for.ts';
import { gapMsMax, putOff } from './schedule.ts';
import { ShutdownTaints } from './shutdown-taints.ts';
import { WatchList } from './watch-list.ts';
import type { WatchedNode } from './watched-node.ts';

/** The part of a pause that is left to chance: fleets of clusters share the quota of one account. */
const pauseJitter = 0.1;

interface Planned extends LookedAt {
  readonly plan: LifecyclePlan;
  readonly retryAfterMs: number;
}

export class NodeLifecycleController {
  readonly #options: NodeLifecycleControllerOptions;
  readonly #random: Random;
  readonly #metrics: LifecycleMetrics;
  readonly #watchList: WatchList;
  readonly #deletions: Deletions;
  readonly #taints: ShutdownTaints;

  constructor(options: NodeLifecycleControllerOptions) {
    this.#options = options;
    this.#random = options.random.fork('node-lifecycle');
    this.#metrics = lifecycleMetrics(options.metrics);
    this.#watchList = new WatchList({
      clock: options.clock,
      minAgeMs: options.settings.minAgeMs,
      onDropped: (watched) => this.#deletions.unhold(watched),
    });
    const parts = { ...options, metrics: this.#metrics, watchList: this.#watchList };
    this.#deletions = new Deletions(parts);
    this.#taints = new ShutdownTaints(parts);
  }

  /** Runs until the signal aborts, and then resolves with nothing under way. */
  async run(signal: AbortSignal): Promise<void> {
    const { nodes, clock, monitorPeriodMs } = this.#options;
    let unsubscribe = (): void => {};
    try {
      await nodes.whenSynced(signal);
      unsubscribe = nodes.subscribe((change) => this.#watchList.take(change));
      while (!signal.aborted) {
        await this.#pass(signal);
        await sleep(clock, monitorPeriodMs * (1 + pauseJitter * this.#random.next()), signal);
      }
    } catch (err) {
      if (!signal.aborted) throw err;
    } finally {
      unsubscribe();
      this.#watchList.clear();
      // A standby that led before must not go on saying what it saw then.
      this.#metrics.stands({ isEngaged: false, candidates: 0, held: 0 });
    }
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const startMs = clock.monotonic();
    const planned = await this.#look(this.#watchList.due(startMs), signal);
    for (const one of planned) this.#settle(one, startMs);
    await this.#taints.carryOut(planned, signal);
    await this.#deletions.carryOut(planned.filter(isDoomed), signal);
    this.#metrics.passed(clock.monotonic() - startMs);
  }

  /** Plans for all of them, after asking about those that need it. */
  async #look(due: readonly WatchedNode[], signal: AbortSignal): Promise<Planned[]> {
    const planned: Planned[] = [];
    const asking: (Asking & { readonly watched: WatchedNode })[] = [];
    for (const watched of due) {
      const plan = this.#plan({ watched, answer: null });
      if (plan?.outcome.kind === 'lookup') {
        asking.push({ watched, node: watched, freshness: plan.outcome.freshness });
      } else if (plan !== undefined) {
        planned.push({ watched, answer: null, plan, retryAfterMs: 0 });
      }
    }
    const cachedMsMax = this.#options.monitorPeriodMs;
    const asked = await askCloud(this.#options.lookup, asking, { cachedMsMax, signal });
    for (const [index, { answer, result, retryAfterMs }] of asked.entries()) {
      this.#metrics.looked(result);
      const watched = asking[index]?.watched;
      // What was asked for may have become another node meanwhile, or Ready.
      if (watched === undefined || !this.#watchList.isCurrent(watched)) continue;
      watched.evidence = withAnswer(watched.evidence, answer, this.#rulesFor(watched));
      const plan = this.#plan({ watched, answer });
      if (plan !== undefined) planned.push({ watched, answer, plan, retryAfterMs });
    }
    return planned;
  }

  #rulesFor({ bornAtMs }: WatchedNode): { countsFromMs: number; gapMsMax: number } {
    const { settings, monitorPeriodMs } = this.#options;
    return { countsFromMs: bornAtMs + settings.minAgeMs, gapMsMax: gapMsMax(monitorPeriodMs) };
  }

  /** Nothing where the node is no longer there. */
  #plan(looked: LookedAt): LifecyclePlan | undefined {
    const seen = this.#options.nodes.get(looked.watched.name);
    return seen === undefined ? undefined : planFor(this.#options, looked, seen);
  }

  #settle({ watched, plan, retryAfterMs }: Planned, lookedAtMs: number): void {
    const { monitorPeriodMs, logger } = this.#options;
    const { outcome } = plan;
    const hasTurned = watched.lastOutcome !== outcome.kind;
    if (hasTurned) logger.debug({ node: watched.name, outcome }, 'Looked at node');
    putOff(watched, outcome.kind, { lookedAtMs, monitorPeriodMs, retryAfterMs });
    if (outcome.kind === 'leftAlone') watched.evidence = noEvidence(watched);
    // An answer that is none changes nothing about what is held.
    if (outcome.kind !== 'gone' && outcome.kind !== 'unknown') this.#deletions.unhold(watched);
  }
}

function isDoomed({ plan }: Planned): boolean {
  return plan.actions[0]?.kind === 'deleteNode';
}
