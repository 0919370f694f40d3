/**
 * The node-ipam-controller: gives every node without podCIDRs a block of each family, in one write, and reports
 * problems with the podCIDRs that nodes have. As a RangeAllocator it serves the whole cluster, including tainted nodes
 * and nodes of other clouds. It reserves blocks one after the other in one ledger, while writes go out in parallel
 * (P4). It reserves nothing before it has taken every node of a consistent list into account (I8). A block belongs to
 * its node until the node is deleted and, if the manager manages routes, until no route leads to the block (I7).
 */
import {
  type PodCIDRLedger,
  type PodCIDRPlan,
  type RangeCounts,
  readPodCIDR,
} from '@tandem/core/allocation';
import type { View } from '@tandem/core/view';
import { type NodeProjection, podCIDRsPatch } from '@tandem/kube/node';
import type { Priority } from '@tandem/kube/queue';
import type { NodeForecast } from '../dry-run/index.ts';
import {
  isYoung,
  type Next,
  type PollPace,
  type QueuedController,
  QueuedLoop,
  type Turn,
  type Update,
  type Written,
} from '../loop/index.ts';
import { type Allocator, CloudAllocator, RangeAllocator } from './allocators.ts';
import { settlePredecessor } from './before-first-allocation.ts';
import { sayCapacity } from './capacity.ts';
import { DepartedBlocks } from './departed-blocks.ts';
import { controllerName } from './events.ts';
import { forecastOf } from './forecast.ts';
import { ForeignAllocator } from './foreign-allocator.ts';
import { IpamReports } from './ipam-reports.ts';
import { type IpamNode, type IpamState, newState } from './ipam-state.ts';
import { type IpamMetrics, ipamMetrics } from './metrics.ts';
import type { NodeIpamOptions } from './options.ts';
import { type PoolSection, poolSection } from './status.ts';
import { poolsView } from './view.ts';

type Assignment = Extract<PodCIDRPlan['outcome'], { kind: 'assign' }>;

export class NodeIpamController implements QueuedController<IpamState> {
  readonly name: string = controllerName;
  readonly metrics: IpamMetrics;
  readonly #options: NodeIpamOptions;
  readonly #allocator: Allocator;
  readonly #ledger: PodCIDRLedger;
  readonly #departed: DepartedBlocks;
  readonly #loop: QueuedLoop<IpamState>;
  readonly #reports: IpamReports;
  readonly #foreign: ForeignAllocator;
  readonly #ending = new AbortController();
  #waiting = 0;
  #writesUnderWay = 0;

  constructor(options: NodeIpamOptions) {
    this.#options = options;
    this.metrics = ipamMetrics(options.metrics);
    this.#allocator = this.#createAllocator();
    this.#ledger = this.#allocator.ledger;
    this.#departed = new DepartedBlocks({ ...options, ledger: this.#ledger });
    const queue = { name: 'cidrallocator_node', workers: options.workers };
    this.#loop = new QueuedLoop(options, this, queue);
    const parts = { ...options, metrics: this.metrics, reports: this.#loop.reports };
    this.#reports = new IpamReports(parts);
    this.#foreign = new ForeignAllocator(parts);
  }

  get remembered(): number {
    return this.#loop.remembered;
  }

  /**
   * Whether the outcome of a write is still unknown. The next leader must not allocate before such a write has ended.
   */
  get hasWriteInDoubt(): boolean {
    return this.#ledger.hasDoubts || this.#writesUnderWay > 0;
  }

  /** Returns the counts of every range and the number of waiting nodes; undefined before the loop runs. */
  pools(): { readonly ranges: readonly RangeCounts[]; readonly waiting: number } | undefined {
    if (!this.#loop.isRunning) return undefined;
    return { ranges: this.#ledger.counts(), waiting: this.#waiting };
  }

  /** Returns the section of `/statusz`. */
  status(): readonly [PoolSection] {
    const { settings, nodes } = this.#options;
    const records = [...this.#loop.records.values()];
    const waiting = records
      .filter(({ state }) => state.isWaiting)
      .flatMap(({ name }) => nodes.get(name) ?? [])
      .map(({ labels }) => labels);
    const problems = records.flatMap(({ state }) => [...state.problems.keys()]);
    return [poolSection({ ...settings, ranges: this.pools()?.ranges, waiting, problems })];
  }

  /** The content of `/statusz/pools`. */
  readonly views = { pools: (): View<'pools'> | undefined => this.#view() } as const;

  /** Returns what a dry run forecasts for every node so far; undefined outside a dry run and before the loop runs. */
  forecasts(): readonly NodeForecast[] | undefined {
    if (this.#options.mode !== 'dryRun' || !this.#loop.isRunning) return undefined;
    return Array.from(this.#loop.records.values(), forecastOf);
  }

  /** Runs until the signal aborts, and resolves when no write is in flight any more. A controller runs only once. */
  async run(signal: AbortSignal): Promise<void> {
    const { nodes, settings, logger, lookup, managedRoutes } = this.#options;
    sayCapacity({ ...settings, ranges: this.#ledger.counts(), nodes: nodes.list(), logger });
    this.metrics.counted(this.#ledger.counts());
    const subscriptions = [
      lookup.subscribe(() => this.#outdateAll()),
      nodes.subscribe((change) => {
        if (change.kind === 'deleted') this.#goneBeforeFirst(change.object);
      }),
      managedRoutes?.listed.subscribe((seen) => this.#freed(this.#departed.listed(seen))),
    ];
    try {
      if (!(await settlePredecessor(this.#options, signal))) return;
      this.#foreign.begin();
      signal.addEventListener('abort', () => this.#ending.abort(signal.reason), { once: true });
      await this.#loop.run(signal);
    } finally {
      for (const unsubscribe of subscriptions) unsubscribe?.();
    }
  }

  newState(): IpamState {
    return newState();
  }

  /** The loop calls this for every cached node before the first turn. */
  added(_record: IpamNode, node: NodeProjection): void {
    this.#show(node);
  }

  changed(record: IpamNode, { before, after }: Update): Priority | undefined {
    const hasNewCIDRs = before.podCIDRs !== after.podCIDRs;
    if (hasNewCIDRs) {
      this.#show(after);
      if (isForeign(record, { before, after })) {
        void this.#foreign.found(record, after, this.#ending.signal);
      }
    }
    const isOfInterest =
      hasNewCIDRs ||
      before.labels !== after.labels ||
      before.providerID !== after.providerID ||
      before.annotations !== after.annotations ||
      before.deletionTimestampSeconds !== after.deletionTimestampSeconds;
    return isOfInterest ? this.priorityOf(after) : undefined;
  }

  priorityOf({ podCIDRs }: NodeProjection): Priority {
    return podCIDRs.length === 0 ? 'urgent' : 'routine';
  }

  /** Asks the cloud again about an instance that it did not know or that had too few blocks. */
  poll(record: IpamNode): void {
    if (this.#allocator instanceof CloudAllocator) this.#allocator.outdate(record);
    this.#loop.wake(record);
  }

  gone(record: IpamNode): void {
    this.#setWaiting(record, false);
    this.#reports.gone(record);
    const { freed, overlapped } = this.#departed.drop(record.uid);
    this.#wakeAll(overlapped);
    this.#freed(freed);
  }

  async reconcile(turn: Turn<IpamState>): Promise<Next> {
    const { node, record } = turn;
    // Read: a node that was read live may show podCIDRs that the cache does not show yet.
    this.#show(node);
    // Plan: the allocator reserves blocks here, so that no other node gets them.
    const freed = this.#allocator.releaseOutdated(node);
    if (freed > 0) this.#freed(freed);
    const plan = this.#allocator.plan(record, node);
    record.state.dryRunPlan = this.#options.mode === 'dryRun' ? plan : undefined;
    this.#setWaiting(record, waits(record, node, plan));
    // Apply: one write with all families.
    const { outcome } = plan;
    const written = outcome.kind === 'assign' ? await this.#assign(turn, outcome) : nothing;
    // Report.
    return record.isGone ? settled : this.#report(turn, plan, written);
  }

  /**
   * Holds the blocks of a node that is deleted while the first allocation waits: the loop has no record of that node,
   * and routes may still lead to its blocks (I7).
   */
  #goneBeforeFirst(node: NodeProjection): void {
    if (this.#loop.isRunning) return;
    this.#show(node);
    this.#departed.drop(node.uid);
  }

  #view(): View<'pools'> {
    const { settings } = this.#options;
    const isAllocating = this.#loop.isRunning;
    const ledger = this.#ledger;
    return poolsView({ settings, isAllocating, ledger }, this.#loop.records);
  }

  async #assign(turn: Turn<IpamState>, assignment: Assignment): Promise<Written> {
    const { node, record } = turn;
    const { podCIDRs, reason, searches } = assignment;
    this.metrics.counted(this.#ledger.counts());
    for (const { range, words } of searches) this.metrics.searched(range, words);
    record.state.written = podCIDRs;
    this.#writesUnderWay += 1;
    const patch = podCIDRsPatch({ name: node.name, uid: node.uid, podCIDRs });
    const describe = () => ({ reason, podCIDRs: podCIDRs.join(',') });
    const written = await this.#loop.write(turn, [{ action: 'assignPodCIDRs', patch, describe }]);
    this.#writesUnderWay -= 1;
    if (record.isGone) return written;
    // A refusal frees the reservation, unless an earlier attempt is in doubt. After any other failure the reservation
    // stays, and the next attempt writes the same value.
    if (written.kind === 'stored') this.#show({ ...node, podCIDRs });
    else if (written.kind === 'refused') this.#freed(this.#ledger.giveUp(record.uid));
    else if (written.kind === 'ended' && written.isInDoubt) {
      this.#ledger.doubt(record.uid);
      this.metrics.counted(this.#ledger.counts());
    }
    return written;
  }

  #report({ node, record }: Turn<IpamState>, plan: PodCIDRPlan, written: Written): Next {
    const { outcome } = plan;
    this.#reports.problems(record, node, plan);
    if (written.kind === 'ended') return written.next;
    if (written.kind === 'refused') {
      this.#reports.writeRefused(record, node, written.err);
      return this.#loop.afterRefusal(record);
    }
    this.#loop.poll(record, paceOf(plan, { record, node, nowMs: this.#options.clock.now() }));
    if (outcome.kind === 'lookup') {
      if (node.podCIDRs.length > 0) this.#reports.settled(record, node, node.podCIDRs);
      return settled;
    }
    if (outcome.kind === 'notAvailable') {
      this.#reports.notAvailable(record, node, outcome);
      return settled;
    }
    if (outcome.kind === 'heldBack') {
      this.#reports.heldBack(record);
      return settled;
    }
    const podCIDRs = outcome.kind === 'assign' ? outcome.podCIDRs : node.podCIDRs;
    this.#reports.settled(record, node, podCIDRs);
    if (outcome.kind === 'settled') this.#loop.noWrites(record);
    else if (written.kind === 'stored') {
      this.#reports.assigned(node, outcome.podCIDRs, outcome.reason);
    }
    return settled;
  }

  /**
   * Enters the podCIDRs that a node shows in the ledger. If they overlap those of other nodes, this wakes the others
   * and also the node itself, whose last plan may be older than its own write. If the node shows other podCIDRs than
   * its reservation, the reservation becomes free.
   */
  #show(node: NodeProjection): void {
    if (node.podCIDRs.length === 0) return;
    const shown = this.#ledger.show(node, node.podCIDRs.map(readPodCIDR));
    if (shown === undefined) return;
    const { freed, overlapped } = shown;
    if (overlapped.length > 0) this.#wakeAll([node.uid, ...overlapped]);
    this.#freed(freed);
  }

  /** Updates the metrics and, if blocks became free, wakes every node that waits for one. */
  #freed(blocks: number): void {
    this.metrics.counted(this.#ledger.counts());
    if (blocks === 0 || this.#waiting === 0) return;
    for (const record of this.#loop.records.values()) {
      if (record.state.isWaiting) this.#loop.wake(record);
    }
  }

  #setWaiting({ state }: IpamNode, isWaiting: boolean): void {
    if (state.isWaiting === isWaiting) return;
    state.isWaiting = isWaiting;
    this.#waiting += isWaiting ? 1 : -1;
    this.metrics.waiting(this.#waiting);
  }

  #createAllocator(): Allocator {
    const { settings, lookup } = this.#options;
    if (settings.allocator === 'RangeAllocator') return new RangeAllocator(settings);
    const onAnswer = (uids: readonly string[]): void => this.#wakeAll(uids);
    return new CloudAllocator({ ...settings, lookup, onAnswer });
  }

  /** Asks the cloud again about every node, because it reported that instances may have changed. */
  #outdateAll(): void {
    if (!(this.#allocator instanceof CloudAllocator)) return;
    for (const record of this.#loop.records.values()) {
      this.#allocator.noticed(record);
      this.#loop.wake(record);
    }
  }

  #wakeAll(uids: readonly string[]): void {
    for (const uid of uids) {
      const record = this.#loop.records.get(uid);
      if (record !== undefined) this.#loop.wake(record);
    }
  }
}

const settled: Next = { kind: 'settled' };
const nothing: Written = { kind: 'stored', stored: 0 };

/** Returns whether the node has to wait for podCIDRs. A node that waits goes on waiting while the cloud is asked again. */
function waits(
  { state }: IpamNode,
  { podCIDRs }: NodeProjection,
  { outcome }: PodCIDRPlan,
): boolean {
  if (outcome.kind === 'lookup') return state.isWaiting && podCIDRs.length === 0;
  return outcome.kind === 'notAvailable' || outcome.kind === 'heldBack';
}

/** Returns how soon to ask the cloud again about a node. Nodes of a pool need no poll: a free block wakes them. */
function paceOf(
  { outcome }: PodCIDRPlan,
  at: { readonly record: IpamNode; readonly node: NodeProjection; readonly nowMs: number },
): PollPace | undefined {
  const answer = at.record.state.cloud?.answer;
  if (answer === undefined || outcome.kind === 'settled' || outcome.kind === 'assign') {
    return undefined;
  }
  const mayAppear = answer.kind !== 'found' && at.node.podCIDRs.length === 0;
  return mayAppear && isYoung(at.node, at.nowMs) ? 'fast' : 'slow';
}

/** Returns whether the node got podCIDRs that this process did not write. */
function isForeign({ state }: IpamNode, { before, after }: Update): boolean {
  if (before.podCIDRs.length > 0 || after.podCIDRs.length === 0) return false;
  const { written } = state;
  return written === undefined || written.join() !== after.podCIDRs.join();
}
