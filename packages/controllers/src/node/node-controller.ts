/**
 * The cloud-node-controller initialises nodes, and keeps their addresses and labels correct.
 * `reconciler.ts` decides about one node, and the loop has the parts that all controllers share.
 * This file wakes nodes: on changes, answers of the cloud, polls and refreshes. A worker never
 * waits for the cloud: it asks for a missing answer, and the answer wakes the node, so that the
 * questions of many nodes share one call. P1 to P3 and P5 to P7 depend on it.
 */
import {
  type CloudAnswer,
  isInitialised,
  isPausing,
  type NodeSettings,
  pausedAnnotation,
  type RouteRules,
} from '@tandem/core/node-init';
import type { View } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import type { Priority } from '@tandem/kube/queue';
import type { InstanceLookup, Notice } from '@tandem/provider/lookup';
import type { NodeForecast } from '../dry-run/index.ts';
import {
  type LoopPorts,
  type QueuedController,
  type Next,
  nodeRefOf,
  QueuedLoop,
  refresh,
  type Turn,
  type Update,
} from '../loop/index.ts';
import { Answers } from './answers.ts';
import { Census } from './census.ts';
import { mayChangeOwner, reactionTo } from './change.ts';
import { Claims } from './claims.ts';
import { countStates } from './count-states.ts';
import { controllerName } from './events.ts';
import { forecastOf } from './forecast.ts';
import { type NodeMetrics, nodeMetrics } from './metrics.ts';
import { NodeReports } from './node-reports.ts';
import { type CloudNodeRecord, type NodeState, newState } from './node-state.ts';
import { Reconciler } from './reconciler.ts';
import { noteRequest, requestOf } from './seen-request.ts';
import { nodesView } from './view.ts';

export interface NodeControllerOptions extends LoopPorts {
  /** Shared with other controllers, so that their questions become one call. */
  readonly lookup: InstanceLookup;
  readonly settings: NodeSettings;
  /** Set if routes are managed: a node that needs routes is marked before its taint is removed. */
  readonly managedRoutes: RouteRules | undefined;
  /** Concurrent workers. */
  readonly workers: number;
  /** The time within which every initialised node is looked up again. */
  readonly refreshPeriodMs: number;
}

export class NodeController implements QueuedController<NodeState> {
  readonly name: string = controllerName;
  readonly metrics: NodeMetrics;
  readonly #options: NodeControllerOptions;
  readonly #loop: QueuedLoop<NodeState>;
  readonly #answers: Answers;
  readonly #claims: Claims;
  readonly #census: Census;
  readonly #policies: { readonly hasPolicies: boolean };
  readonly #reconciler: Reconciler;
  /** Computed once, so that one moment is always shown as the same time. */
  readonly #wallOffsetMs: number;

  constructor(options: NodeControllerOptions) {
    if (!(options.refreshPeriodMs > 0)) {
      throw new RangeError(`refreshPeriodMs must be above 0, not ${options.refreshPeriodMs}`);
    }
    const { lookup, nodes, workers, refreshPeriodMs: maxAgeMs } = options;
    this.#options = options;
    this.#policies = { hasPolicies: options.settings.policies.length > 0 };
    this.metrics = nodeMetrics(options.metrics);
    this.#wallOffsetMs = options.clock.now() - options.clock.monotonic();
    this.#loop = new QueuedLoop(options, this, { name: 'Nodes', workers });
    const { records, reports } = this.#loop;
    const onAnswer = (record: CloudNodeRecord, answer: CloudAnswer): void =>
      this.#takeAnswer(record, answer);
    this.#answers = new Answers({ ...options, maxAgeMs, onAnswer });
    this.#claims = new Claims({ nodes, identify: (providerID) => lookup.identify(providerID) });
    this.#census = new Census({ ...options, metrics: this.metrics, records });
    this.#reconciler = new Reconciler({
      ...options,
      loop: this.#loop,
      answers: this.#answers,
      claims: this.#claims,
      reports: new NodeReports({ ...options, reports, metrics: this.metrics }),
      census: this.#census,
    });
  }

  /** The number of entries kept for nodes: one for a healthy node, none for a node that is gone. */
  get remembered(): number {
    return this.#loop.remembered;
  }

  /** The number of nodes in each state; undefined before the controller runs. */
  states(): ReadonlyMap<string, number> | undefined {
    if (!this.#loop.isRunning) return undefined;
    const { records } = this.#loop;
    return countStates(this.#options.nodes.list(), (uid) => records.get(uid)?.report);
  }

  /** For `/statusz/nodes`; undefined before the controller runs. */
  readonly views = { nodes: (): View<'nodes'> | undefined => this.#view() } as const;

  /** What a dry run forecasts for every node so far; undefined before the controller runs. */
  forecasts(): readonly NodeForecast[] | undefined {
    if (this.#options.mode !== 'dryRun' || !this.#loop.isRunning) return undefined;
    return Array.from(this.#loop.records.values(), forecastOf);
  }

  /**
   * Runs until the signal aborts, and resolves when no write is in flight. A controller runs once.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { refreshPeriodMs: periodMs, lookup, nodes } = this.#options;
    const { batchSize: groupSize } = lookup;
    const names = (): string[] => Array.from(nodes.list(), ({ name }) => name);
    const onDue = (name: string): void => this.#refresh(nodes.get(name));
    const unsubscribe = lookup.subscribe((notice) => this.#noticed(notice));
    try {
      await this.#loop.run(signal, () =>
        refresh({ ...this.#options, periodMs, groupSize, names, onDue }, signal),
      );
    } finally {
      unsubscribe();
    }
    this.#census.stop();
  }

  reconcile(turn: Turn<NodeState>): Promise<Next> {
    return this.#reconciler.reconcile(turn);
  }

  newState(node: NodeProjection): NodeState {
    return newState(requestOf(node, this.#policies), this.#options.clock.monotonic());
  }

  added(record: CloudNodeRecord, node: NodeProjection): void {
    this.#claims.setOwn(record, node.providerID);
    if (!isInitialised(node)) this.#census.soon();
    else this.#wakeAll(this.#claims.rivals(record));
  }

  changed(record: CloudNodeRecord, update: Update): Priority | undefined {
    const { before, after } = update;
    const nowMs = this.#options.clock.monotonic();
    if (isInitialised(after)) record.state.isTaking = false;
    const hasNewID = before.providerID !== after.providerID;
    if (hasNewID) this.#claims.setOwn(record, after.providerID);
    // This decides whether other Nodes that claim its instance are refused.
    if (hasNewID || isInitialised(before) !== isInitialised(after)) {
      this.#wakeAll(this.#claims.rivals(record));
    }
    const reaction = reactionTo(update, this.#policies);
    if (reaction.kind === 'none') return undefined;
    if (reaction.asksAfresh) this.#answers.require(record, after, nowMs);
    if (!reaction.changesRequest) return this.priorityOf(after);
    noteRequest(record.state, requestOf(after, this.#policies), nowMs);
    // A person waits for this change.
    return 'urgent';
  }

  /** Answers about a node with other labels do not count. */
  changedByOthers(record: CloudNodeRecord, update: Update): void {
    if (!mayChangeOwner(update)) return;
    const { clock, lookup } = this.#options;
    lookup.renew(nodeRefOf(update.after));
    this.#answers.require(record, update.after, clock.monotonic());
  }

  priorityOf(node: NodeProjection): Priority {
    return isInitialised(node) ? 'routine' : 'urgent';
  }

  gone(record: CloudNodeRecord, node: NodeProjection): void {
    if (!isInitialised(node)) this.#census.soon();
    this.#wakeAll(this.#claims.drop(record));
  }

  reportChanged(): void {
    this.#census.soon();
  }

  poll(record: CloudNodeRecord): void {
    this.#askAgain(record, this.#options.nodes.get(record.name));
  }

  #view(): View<'nodes'> | undefined {
    if (!this.#loop.isRunning) return undefined;
    const parts = { ...this.#options, claims: this.#claims, wallOffsetMs: this.#wallOffsetMs };
    return nodesView(parts, this.#loop.records.values());
  }

  #refresh(node: NodeProjection | undefined): void {
    if (node === undefined || !isInitialised(node)) return;
    const record = this.#loop.records.get(node.uid);
    if (record !== undefined) this.#askAgain(record, node);
  }

  /** Instances may have changed: look up their nodes, and nodes without an instance. */
  #noticed({ keys, sinceMs }: Notice): void {
    const all = [...this.#loop.records.values()];
    const concerned = new Set(
      keys.size === 0
        ? all
        : [...this.#claims.holders(keys), ...all.filter((one) => this.#answers.isMissing(one))],
    );
    for (const record of concerned) {
      const node = this.#options.nodes.get(record.name);
      if (node?.uid !== record.uid || isPausing(node.annotations[pausedAnnotation])) continue;
      // The owner of a providerID may have changed as well.
      if (keys.size === 0) this.#claims.setOwn(record, node.providerID);
      if (!this.#options.lookup.owns(node)) continue;
      this.#answers.hint(record, node, sinceMs);
    }
  }

  #askAgain(record: CloudNodeRecord, node: NodeProjection | undefined): void {
    if (node === undefined || isPausing(node.annotations[pausedAnnotation])) return;
    if (this.#options.lookup.owns(node)) this.#answers.askAgain(record, node);
  }

  #takeAnswer(record: CloudNodeRecord, answer: CloudAnswer): void {
    if (answer.kind !== 'unknown') {
      const providerID = answer.kind === 'found' ? answer.instance.providerID : '';
      this.#wakeAll(this.#claims.setFound(record, providerID));
    }
    this.#loop.wake(record);
  }

  #wakeAll(records: Iterable<CloudNodeRecord>): void {
    for (const record of records) this.#loop.wake(record);
  }
}
