/**
 * What all controllers of nodes share: one record per node, which follows the cache; guarded writes; the
 * gate for missing permissions; reports; and the order of shutdown. A controller decides about a node
 * only when the cache shows the last write to it (M4), otherwise on the live node. The controller gets a
 * turn, and its result says what comes next.
 */
import type { KubeClient } from '@tandem/kube/client';
import { isOlder } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';
import type { Change, Informer } from '@tandem/kube/informer';
import type { Priority } from '@tandem/kube/queue';
import type { Clock, Logger, Metrics, Random } from '@tandem/runtime';
import { gentleClient, readLiveNode } from './node-calls.ts';
import { NodeRecord, NodeRecords } from './node-record.ts';
import {
  attemptsMax,
  type Next,
  NodeWriter,
  type PlannedWrite,
  type Turn,
  type WriteMetrics,
  type Written,
} from './node-writer.ts';
import { cacheLagSeconds, lateMs, OwnWrites, type Update } from './own-writes.ts';
import { denialOf, PermissionGate } from './permission-gate.ts';
import { type Recorder, Reports } from './reports.ts';

/** The ports of a loop. Others start and stop them. */
export interface LoopPorts {
  /** Its gate is the election's: a process that does not lead never sends a write. */
  readonly client: KubeClient;
  /** Runs elsewhere. On a standby it is warm before the controller runs. */
  readonly nodes: Pick<Informer<NodeProjection>, 'get' | 'list' | 'subscribe' | 'whenSynced'>;
  readonly recorder: Recorder;
  /** `dryRun` decides everything and sends no write and no event. */
  readonly mode: 'write' | 'dryRun';
  readonly clock: Clock;
  readonly random: Random;
  /** Its lines name the controller. */
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What differs between controllers. Optional methods do nothing if left out. */
export interface LoopController<State> {
  /** Upstream's name. */
  readonly name: string;
  readonly metrics: WriteMetrics;
  /** The state of a node that is seen for the first time. */
  newState(node: NodeProjection): State;
  added?(record: NodeRecord<State>, node: NodeProjection): void;
  /** The priority of the change, or undefined if it needs no turn. */
  changed(record: NodeRecord<State>, update: Update): Priority | undefined;
  /** The cache shows a change that needs a turn and is more than our own write. */
  changedByOthers?(record: NodeRecord<State>, update: Update): void;
  /** The node and its record are gone. */
  gone?(record: NodeRecord<State>, node: NodeProjection): void;
  /** The active report of some node changed. */
  reportChanged?(): void;
}

/** A change that arrived during a write to its node. */
export interface HeldChange {
  readonly update: Update;
  readonly priority: Priority | undefined;
}

/** The permission for reading a live node. */
const readRight = 'get nodes';

export class NodeLoop<State> {
  readonly records: NodeRecords<State> = new NodeRecords();
  readonly reports: Reports;
  readonly #ports: LoopPorts;
  readonly #controller: LoopController<State>;
  readonly #client: KubeClient;
  readonly #ownWrites: OwnWrites;
  readonly #gate: PermissionGate<State>;
  readonly #writer: NodeWriter<State>;
  readonly #ending = new AbortController();
  #hasRun = false;
  #isRunning = false;

  constructor(ports: LoopPorts, controller: LoopController<State>) {
    const { clock, mode } = ports;
    this.#ports = ports;
    this.#controller = controller;
    this.#client = gentleClient(ports.client, this.#ending.signal);
    this.reports = new Reports({
      recorder: mode === 'dryRun' ? undefined : ports.recorder,
      matter: controller.name,
      nowMs: () => clock.now(),
      onChange: () => controller.reportChanged?.(),
    });
    const cacheLag = ports.metrics.histogram(cacheLagSeconds);
    this.#ownWrites = new OwnWrites(clock, (afterMs) => cacheLag.observe(afterMs / 1000));
    this.#gate = new PermissionGate({
      ...ports,
      records: this.records,
      wake: (record) => this.wake(record),
      onTurned: (isAllowed) => controller.metrics.allowed(isAllowed),
    });
    this.#writer = new NodeWriter({
      ...ports,
      client: this.#client,
      gate: this.#gate,
      ownWrites: this.#ownWrites,
      metrics: controller.metrics,
      releaseHeld: (record) => this.#releaseHeld(record),
    });
  }

  /** Whether the loop has taken in the nodes of the cache. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The number of remembered nodes. */
  get remembered(): number {
    return this.records.size;
  }

  /**
   * Keeps the records of all nodes in the cache while `work` runs, which ends when the signal aborts.
   * Current calls finish, new ones are refused. A loop runs once.
   */
  async run(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    if (this.#hasRun) throw new Error('this should never happen: a controller runs once');
    this.#hasRun = true;
    if (!(await this.#hasSynced(signal))) return;
    const end = (): void => this.#ending.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    const unsubscribe = this.#ports.nodes.subscribe((change) => this.#take(change));
    this.#isRunning = true;
    try {
      await work();
    } finally {
      unsubscribe();
      signal.removeEventListener('abort', end);
    }
  }

  /** The node needs a turn. Controllers that work in passes ignore this. */
  wake(_record: NodeRecord<State>, _priority?: Priority): void {}

  /** The node is gone. */
  protected dropped(_record: NodeRecord<State>): void {}

  /**
   * Lets the controller decide about a node and write to it: on the cached node if that shows all of our
   * writes, otherwise on the live one, and again on the live one while guards fail.
   */
  async turn(
    record: NodeRecord<State>,
    reconcile: (turn: Turn<State>) => Promise<Next>,
    { failures }: { readonly failures: number } = { failures: 0 },
  ): Promise<Next> {
    const cached = this.#ports.nodes.get(record.name);
    if (cached?.uid !== record.uid) return { kind: 'settled' };
    const view = this.#ownWrites.viewOf(record, cached);
    if (view.kind === 'wait') return { kind: 'again', afterMs: view.afterMs };
    const waitMs = view.kind === 'live' ? this.#gate.waitMs(record, [readRight]) : 0;
    if (waitMs > 0) return { kind: 'again', afterMs: waitMs };
    try {
      let node = view.kind === 'live' ? await this.#readLive(record) : cached;
      for (let attempt = 1; node !== undefined; attempt++) {
        const next = await reconcile({ node, record, attempt, failures });
        if (next.kind === 'settled') return this.#settle(record, node);
        if (next.kind !== 'changed' || attempt === attemptsMax) return next;
        node = await this.#readLive(record);
      }
      return { kind: 'settled' };
    } catch (err) {
      const denial = denialOf(err);
      if (denial === undefined) return { kind: 'failed', err };
      return { kind: 'again', afterMs: this.#gate.denied(record, readRight, denial) };
    }
  }

  /**
   * A decision about a version that the cache does not show yet gets another turn: if the node changes
   * back before the cache shows it, the cache never reports a change (M2).
   */
  #settle(record: NodeRecord<State>, { resourceVersion }: NodeProjection): Next {
    const cached = this.#ports.nodes.get(record.name);
    const isBehind = cached?.uid === record.uid && isOlder(cached.resourceVersion, resourceVersion);
    return isBehind ? { kind: 'again', afterMs: lateMs } : { kind: 'settled' };
  }

  /** Sends the planned writes of the turn. */
  write(turn: Turn<State>, writes: readonly PlannedWrite[]): Promise<Written> {
    return this.#writer.write(turn, writes);
  }

  /** When a refused write is retried. */
  afterRefusal(record: NodeRecord<State>): Next {
    return this.#writer.afterRefusal(record);
  }

  /** The node needs no write: forget earlier refusals and dry-run output. */
  noWrites(record: NodeRecord<State>): void {
    record.refusedWrites = 0;
    record.dryRunText = '';
  }

  /** False if the signal aborted before the cache was synced. */
  #hasSynced(signal: AbortSignal): Promise<boolean> {
    return this.#ports.nodes.whenSynced(signal).then(
      () => true,
      () => false,
    );
  }

  #take(change: Change<NodeProjection>): void {
    switch (change.kind) {
      case 'added':
        return this.#add(change.object);
      case 'updated':
        return this.#update(change);
      case 'deleted':
        return this.#drop(change.object);
    }
  }

  #add(node: NodeProjection): void {
    const record = new NodeRecord(node, this.#controller.newState(node));
    this.records.add(record);
    this.#controller.added?.(record, node);
    this.wake(record);
  }

  #update(update: Update): void {
    const record = this.records.get(update.after.uid);
    if (record === undefined) return;
    const priority = this.#controller.changed(record, update);
    // A turn would have to wait until the current write to the node ends.
    if (record.heldChanges === undefined) this.#see(record, { update, priority });
    else record.heldChanges.push({ update, priority });
  }

  /** Wakes the node unless the change is only our own write. */
  #see(record: NodeRecord<State>, { update, priority }: HeldChange): void {
    const { isEcho, isAwaited } = this.#ownWrites.see(record, update);
    const isNews = priority !== undefined && !isEcho;
    if (isNews) this.#controller.changedByOthers?.(record, update);
    if (isNews || isAwaited) this.wake(record, priority);
  }

  #releaseHeld(record: NodeRecord<State>): void {
    const held = record.heldChanges ?? [];
    record.heldChanges = undefined;
    for (const change of held) this.#see(record, change);
  }

  #drop(node: NodeProjection): void {
    const record = this.records.drop(node.uid);
    if (record === undefined) return;
    this.dropped(record);
    this.reports.forget(record);
    this.#controller.gone?.(record, node);
  }

  /** Undefined if the node is gone, or a namesake has replaced it. */
  async #readLive(record: NodeRecord<State>): Promise<NodeProjection | undefined> {
    const live = await readLiveNode(this.#client, record.name);
    this.#gate.allowed(readRight);
    if (record.isGone || live?.uid !== record.uid) return undefined;
    this.#ownWrites.noteRead(record, live);
    return live;
  }
}
