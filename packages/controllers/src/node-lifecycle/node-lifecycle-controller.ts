/**
 * The cloud-node-lifecycle-controller: deletes nodes whose instance the cloud reports as absent,
 * and taints nodes that are shut down. A pass every few seconds takes the nodes that are not Ready,
 * looks up all that are due at once, plans (core), and applies. It never deletes a Ready node, nor
 * any node on an error (P3). If all nodes are Ready, it calls neither the cloud nor the API server
 * (P5). It keeps its evidence in memory: after a restart it waits for new answers (P7).
 */
import { type LifecyclePlan, noEvidence, withAnswer } from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/node';
import type { Notice } from '@tandem/provider/lookup';
import { askCloud, type Asking } from './ask-cloud.ts';
import type { NodeForecast } from '../dry-run/index.ts';
import { type LoopController, NodeLoop, nodeRefOf, runPasses, type Update } from '../loop/index.ts';
import { Deletions } from './deletions.ts';
import { forecastOf } from './forecast.ts';
import { controllerName } from './events.ts';
import { type LifecycleMetrics, lifecycleMetrics } from './metrics.ts';
import type { NodeLifecycleControllerOptions } from './options.ts';
import { type LookedAt, planFor } from './plan-for.ts';
import { gapMsMax, putOff } from './schedule.ts';
import { ShutdownTaints } from './shutdown-taints.ts';
import { WatchList } from './watch-list.ts';
import type { LifecycleRecord, LifecycleState, WatchedNode } from './lifecycle-state.ts';

interface Looked extends LookedAt {
  /** The delay that the cloud asked for. */
  readonly retryAfterMs: number;
}

interface Planned extends Looked {
  readonly plan: LifecyclePlan;
}

export class NodeLifecycleController implements LoopController<LifecycleState> {
  readonly name: string = controllerName;
  readonly metrics: LifecycleMetrics;
  readonly #options: NodeLifecycleControllerOptions;
  readonly #loop: NodeLoop<LifecycleState>;
  readonly #watchList: WatchList;
  readonly #deletions: Deletions;
  readonly #taints: ShutdownTaints;
  #forecasts: readonly NodeForecast[] | undefined;

  constructor(options: NodeLifecycleControllerOptions) {
    this.#options = options;
    this.metrics = lifecycleMetrics(options.metrics);
    const loop = new NodeLoop(options, this);
    this.#loop = loop;
    this.#watchList = new WatchList({
      clock: options.clock,
      records: loop.records,
      minAgeMs: options.settings.minAgeMs,
      onDropped: (record) => this.#deletions.unhold(record),
    });
    const parts = { ...options, loop, metrics: this.metrics, watchList: this.#watchList };
    this.#deletions = new Deletions(parts);
    this.#taints = new ShutdownTaints(parts);
  }

  /** The number of remembered nodes. */
  get remembered(): number {
    return this.#loop.remembered;
  }

  /**
   * What the last pass of a dry run forecasts for unhealthy nodes; undefined before the first pass.
   */
  forecasts(): readonly NodeForecast[] | undefined {
    return this.#forecasts;
  }

  /** Runs until the signal aborts, and resolves when nothing is in flight. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, monitorPeriodMs: periodMs } = this.#options;
    const random = this.#options.random.fork('node-lifecycle');
    const pass = (): Promise<void> => this.#pass(signal);
    const unsubscribe = this.#options.lookup.subscribe((notice) => this.#noticed(notice));
    try {
      await this.#loop.run(signal, () => runPasses({ clock, random, periodMs, pass }, signal));
    } catch (err) {
      if (!signal.aborted) throw err;
    } finally {
      unsubscribe();
      // A standby that led before must not keep reporting its old state.
      for (const record of this.#loop.records.values()) this.#deletions.unhold(record);
      this.metrics.counted({ isEngaged: false, candidates: 0, held: 0 });
    }
  }

  newState(): LifecycleState {
    return { watched: undefined };
  }

  added(record: LifecycleRecord, node: NodeProjection): void {
    this.#watchList.see(record, node);
  }

  changed(record: LifecycleRecord, { after }: Update): undefined {
    this.#watchList.see(record, after);
  }

  /** Makes postponed nodes due, which would otherwise wait for up to a minute. */
  #noticed({ keys }: Notice): void {
    const { lookup } = this.#options;
    this.#watchList.hasten(({ providerID }) => {
      const key = lookup.identify(providerID);
      return keys.size === 0 || key === undefined || keys.has(key);
    });
  }

  /** One pass over the nodes that are due: read, plan, apply, report. */
  async #pass(signal: AbortSignal): Promise<void> {
    const startMs = this.#options.clock.monotonic();
    const looked = await this.#read(this.#watchList.due(startMs), signal);
    const planned = looked.flatMap((one) => this.#plan(one, startMs));
    await this.#taints.carryOut(planned, signal);
    await this.#deletions.carryOut(planned.filter(isDoomed), signal);
    this.#report(startMs);
  }

  /** Asks the cloud about all nodes that need it at once, and adds its answers to the evidence. */
  async #read(due: readonly WatchedNode[], signal: AbortSignal): Promise<Looked[]> {
    const looked: Looked[] = [];
    const asking: (Asking & { readonly watched: WatchedNode })[] = [];
    for (const watched of due) {
      const seen = this.#options.nodes.get(watched.name);
      if (seen?.uid !== watched.uid) continue;
      const { outcome } = planFor(this.#options, { watched, answer: null }, seen);
      if (outcome.kind !== 'lookup') looked.push({ watched, answer: null, retryAfterMs: 0 });
      else asking.push({ watched, node: nodeRefOf(seen), freshness: outcome.freshness });
    }
    const cachedMsMax = this.#options.monitorPeriodMs;
    const asked = await askCloud(this.#options.lookup, asking, { cachedMsMax, signal });
    for (const [index, { answer, result, retryAfterMs }] of asked.entries()) {
      this.metrics.looked(result);
      const watched = asking[index]?.watched;
      // The node may have been replaced or become Ready during the call.
      if (watched === undefined || !watched.isCurrent) continue;
      watched.evidence = withAnswer(watched.evidence, answer, this.#rulesFor(watched));
      looked.push({ watched, answer, retryAfterMs });
    }
    return looked;
  }

  #rulesFor({ bornAtMs }: WatchedNode): { countsFromMs: number; gapMsMax: number } {
    const { settings, monitorPeriodMs } = this.#options;
    return { countsFromMs: bornAtMs + settings.minAgeMs, gapMsMax: gapMsMax(monitorPeriodMs) };
  }

  /** Decides about one node, and when to look at it next. Empty if the node is gone. */
  #plan(looked: Looked, lookedAtMs: number): Planned[] {
    const { watched, retryAfterMs } = looked;
    const plan = this.#planFor(looked);
    if (plan === undefined) return [];
    const { monitorPeriodMs, logger } = this.#options;
    const { outcome } = plan;
    const hasTurned = watched.lastOutcome !== outcome.kind;
    if (hasTurned) logger.debug({ node: watched.name, outcome }, 'Looked at node');
    putOff(watched, outcome.kind, { lookedAtMs, monitorPeriodMs, retryAfterMs });
    if (outcome.kind === 'leftAlone') watched.evidence = noEvidence(watched);
    // A failed look-up does not change whether a deletion is held.
    const isStillGone = outcome.kind === 'gone' || outcome.kind === 'unknown';
    if (!isStillGone) this.#deletions.unhold(watched.record);
    return [{ ...looked, plan }];
  }

  #planFor(looked: LookedAt): LifecyclePlan | undefined {
    const seen = this.#options.nodes.get(looked.watched.name);
    return seen === undefined ? undefined : planFor(this.#options, looked, seen);
  }

  #report(startMs: number): void {
    const { clock, mode } = this.#options;
    this.metrics.passed(clock.monotonic() - startMs);
    if (mode !== 'dryRun') return;
    this.#forecasts = this.#watchList.values().map((one) => forecastOf(one, startMs));
  }
}

function isDoomed({ plan }: Planned): boolean {
  return plan.actions[0]?.kind === 'deleteNode';
}
