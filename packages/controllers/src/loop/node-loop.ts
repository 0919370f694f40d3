/**
 * What all controllers of nodes share: one record per node, kept by the changes of the cache; guarded
 * writes; the gate for missing permissions; reports; and the order in which all of it ends. A node is
 * decided about only when the cache shows what was last written to it (M4), else on the live node. The
 * controller gets a turn, and its answer says what comes next: a call goes down once and comes back once.
 */
import type { KubeClient } from '@tandem/kube/client';
import { isOlder } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';
import type { Change, Informer } from '@tandem/kube/informer';
import type { Priority } from '@tandem/kube/queue';
import type { Clock, Logger, Metrics, Random } from '@tandem/runtime';
import { gentleClient } from './gentle-client.ts';
import { readLiveNode } from './live-node.ts';
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
import { lateMs, OwnWrites, type Update } from './own-writes.ts';
import { denialOf, PermissionGate } from './permission-gate.ts';
import { type Recorder, Reports } from './reports.ts';

/** What a loop runs on. It owns none of these: others start and stop them. */
export interface LoopPorts {
  /** Its gate is the election's: a write of a process that does not lead is never sent. */
  readonly client: KubeClient;
  /** Runs elsewhere; on a standby it is warm before the controller runs. */
  readonly nodes: Pick<Informer<NodeProjection>, 'get' | 'list' | 'subscribe' | 'whenSynced'>;
  readonly recorder: Recorder;
  /** `dryRun` decides everything and writes nothing, no event either. */
  readonly mode: 'write' | 'dryRun';
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What differs between controllers. What is left out does nothing. */
export interface LoopController<State> {
  /** As upstream calls it. */
  readonly name: string;
  readonly metrics: WriteMetrics;
  /** What is remembered of a node that is seen for the first time. */
  newState(node: NodeProjection): State;
  added?(record: NodeRecord<State>, node: NodeProjection): void;
  /** How urgent the change is, or nothing where it asks for nothing. */
  changed(record: NodeRecord<State>, update: Update): Priority | undefined;
  /** A change that asks for something and is more than our own write has shown up in the cache. */
  changedByOthers?(record: NodeRecord<State>, update: Update): void;
  /** The node is gone, and its record with it. */
  gone?(record: NodeRecord<State>, node: NodeProjection): void;
  /** What stands has changed for some node. */
  reportChanged?(): void;
}

/** A change that came while its node was written to. */
export interface HeldChange {
  readonly update: Update;
  readonly priority: Priority | undefined;
}

/** What a live look at a node needs. */
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
    const logger = ports.logger.child({ controller: controller.name });
    this.#ports = { ...ports, logger };
    this.#controller = controller;
    this.#client = gentleClient(ports.client, this.#ending.signal);
    this.reports = new Reports({
      recorder: mode === 'dryRun' ? undefined : ports.recorder,
      matter: controller.name,
      nowMs: () => clock.now(),
      onChange: () => controller.reportChanged?.(),
    });
    this.#ownWrites = new OwnWrites(clock);
    this.#gate = new PermissionGate({
      ...this.#ports,
      records: this.records,
      wake: (record) => this.wake(record),
      onTurned: (isAllowed) => controller.metrics.allowed(isAllowed),
    });
    this.#writer = new NodeWriter({
      ...this.#ports,
      client: this.#client,
      gate: this.#gate,
      ownWrites: this.#ownWrites,
      metrics: controller.metrics,
      releaseHeld: (record) => this.#releaseHeld(record),
    });
  }

  /** Whether the nodes of the cache were taken in. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Everything that is kept of nodes. */
  get remembered(): number {
    return this.records.size;
  }

  /**
   * Keeps the records of all nodes that the cache has while `work` runs, which ends when the signal
   * aborts. Calls under way are ended in order, new ones refused. A loop runs once.
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

  /** The node has to be looked at again. Controllers that work in passes come by anyway. */
  wake(_record: NodeRecord<State>, _priority?: Priority): void {}

  /** The node is gone. */
  protected dropped(_record: NodeRecord<State>): void {}

  /**
   * Lets the controller decide about a node and write to it: on the cached node where that shows all of
   * our writes, on the live one otherwise, and again on the live one while guards fail.
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
   * What was decided about a node that the cache does not show yet is looked at once more: if the node changes back
   * before the cache shows it, no change is ever told (M2).
   */
  #settle(record: NodeRecord<State>, { resourceVersion }: NodeProjection): Next {
    const cached = this.#ports.nodes.get(record.name);
    const isBehind = cached?.uid === record.uid && isOlder(cached.resourceVersion, resourceVersion);
    return isBehind ? { kind: 'again', afterMs: lateMs } : { kind: 'settled' };
  }

  /** Carries out what was planned for the node of the turn. */
  write(turn: Turn<State>, writes: readonly PlannedWrite[]): Promise<Written> {
    return this.#writer.write(turn, writes);
  }

  /** When a write that was refused is tried again. */
  afterRefusal(record: NodeRecord<State>): Next {
    return this.#writer.afterRefusal(record);
  }

  /** Nothing is to be written to the node: what is remembered of earlier writes is over. */
  noWrites(record: NodeRecord<State>): void {
    record.refusedWrites = 0;
    record.dryRunText = '';
  }

  /** Whether there is anything to do before the signal aborts. */
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
    // While the node is being written to it would have to wait anyway.
    if (record.heldChanges === undefined) this.#see(record, { update, priority });
    else record.heldChanges.push({ update, priority });
  }

  /** Wakes the node unless the change is nothing but our own write. */
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

  /** Undefined where the node is gone, a namesake in its place included. */
  async #readLive(record: NodeRecord<State>): Promise<NodeProjection | undefined> {
    const live = await readLiveNode(this.#client, record.name);
    this.#gate.allowed(readRight);
    if (record.isGone || live?.uid !== record.uid) return undefined;
    this.#ownWrites.noteRead(record, live);
    return live;
  }
}
