/**
 * One run of the controller: what wakes nodes up – changes of the cache, answers of the cloud, polls and
 * the refresh – and what is forgotten with a node that is gone (M6). What is then done about a node is
 * the reconciler's business.
 */
import {
  type CloudAnswer,
  isInitialised,
  isPausing,
  pausedAnnotation,
} from '@tandem/core/node-init';
import { type NodeProjection, valueAt } from '@tandem/kube/codec';
import type { Change } from '@tandem/kube/informer';
import { type Priority, WorkQueue } from '@tandem/kube/queue';
import { AnswerBook, type AskedNode } from './answer-book.ts';
import { Census } from './census.ts';
import { type Reaction, reactionTo } from './change.ts';
import { Claims } from './claims.ts';
import { DryRun } from './dry-run.ts';
import { controllerName } from './events.ts';
import { gentleClient } from './gentle-client.ts';
import type { NodeMetrics } from './metrics.ts';
import type { NodeControllerOptions } from './options.ts';
import { OwnWrites, type Update } from './own-writes.ts';
import { Permission } from './permission.ts';
import { Polls } from './polls.ts';
import { Reconciler } from './reconciler.ts';
import { refresh } from './refresh.ts';
import { Reporter } from './reporter.ts';
import { RequestTimes } from './request-times.ts';
import { RetryDelays } from './retry-delays.ts';
import { retryable } from './retryable.ts';
import { findRivals } from './rivals.ts';

type Planned = Reaction & { readonly kind: 'plan' };

export class ControllerRun {
  readonly #options: NodeControllerOptions;
  readonly #signal: AbortSignal;
  readonly #hasPolicies: boolean;
  readonly #queue: WorkQueue;
  readonly #answers: AnswerBook;
  readonly #claims = new Claims();
  readonly #writes: OwnWrites;
  readonly #requests: RequestTimes;
  readonly #permission: Permission;
  readonly #polls: Polls;
  readonly #delays: RetryDelays;
  readonly #reporter: Reporter;
  readonly #dryRun: DryRun | undefined;
  readonly #census: Census;

  constructor(options: NodeControllerOptions, metrics: NodeMetrics, signal: AbortSignal) {
    const { clock, random, nodes, lookup, mode } = options;
    const logger = options.logger.child({ controller: controllerName });
    this.#options = options;
    this.#signal = signal;
    this.#hasPolicies = options.settings.policies.length > 0;
    this.#answers = new AnswerBook({
      lookup,
      clock,
      maxAgeMs: options.refreshPeriodMs,
      onAnswer: (node, answer) => this.#takeAnswer(node, answer),
    });
    this.#writes = new OwnWrites(clock);
    this.#requests = new RequestTimes(clock);
    const onAllowed = (names: Iterable<string>): void => this.#wakeAll(names);
    this.#permission = new Permission({ clock, random, logger, metrics, onAllowed });
    this.#polls = new Polls(clock, (name) => this.#askAgain(nodes.get(name)));
    this.#delays = new RetryDelays(random);
    const recorder = mode === 'dryRun' ? undefined : options.recorder;
    const onChange = (): void => this.#census.soon();
    this.#reporter = new Reporter({ recorder, metrics, logger, clock, onChange });
    this.#dryRun = mode === 'dryRun' ? new DryRun({ logger, metrics }) : undefined;
    const standing = (uid: string) => this.#reporter.standing(uid);
    this.#census = new Census({ clock, metrics, nodes, standing });
    const reconciler = new Reconciler({
      client: gentleClient(options.client, signal),
      nodes,
      lookup,
      settings: options.settings,
      answers: this.#answers,
      claims: this.#claims,
      writes: this.#writes,
      requests: this.#requests,
      permission: this.#permission,
      polls: this.#polls,
      delays: this.#delays,
      reporter: this.#reporter,
      dryRun: this.#dryRun,
      metrics,
      clock,
      logger,
      onFreed: (node, providerIDs) => this.#wakeClaimants(providerIDs, node.uid),
      onHeld: (update) => this.#takeUpdate(update),
    });
    this.#queue = new WorkQueue({
      ...options,
      name: 'Nodes',
      logger,
      handle: (name, work) => retryable(() => reconciler.reconcile(name, work)),
    });
  }

  /** Everything that is kept of nodes: nothing of one that is gone (M6). */
  get remembered(): number {
    const parts = [
      this.#queue,
      this.#answers,
      this.#claims,
      this.#writes,
      this.#requests,
      this.#permission,
      this.#polls,
      this.#delays,
      this.#reporter,
    ];
    return parts.reduce((sum, { size }) => sum + size, this.#dryRun?.size ?? 0);
  }

  async untilAborted(): Promise<void> {
    const { clock, random, nodes, lookup, refreshPeriodMs: periodMs } = this.#options;
    const unsubscribe = nodes.subscribe((change) => this.#take(change));
    this.#census.soon();
    this.#queue.start();
    const onDue = (name: string): void => this.#refresh(nodes.get(name));
    const names = (): string[] => Array.from(nodes.list(), ({ name }) => name);
    const { batchSize: groupSize } = lookup;
    await refresh({ clock, random, periodMs, groupSize, names, onDue }, this.#signal);
    unsubscribe();
    await this.#queue.stop();
    // Last, because work that was under way may have set their timers once more.
    this.#polls.stop();
    this.#census.stop();
  }

  #take(change: Change<NodeProjection>): void {
    switch (change.kind) {
      case 'added':
        this.#requests.changed(change.object.uid);
        if (!isInitialised(change.object)) this.#census.soon();
        return this.#wake(change.object);
      case 'updated':
        return this.#takeUpdate(change);
      case 'deleted':
        return this.#forget(change.object);
    }
  }

  #takeUpdate(update: Update): void {
    const { after } = update;
    const reaction = reactionTo(update, { hasPolicies: this.#hasPolicies });
    if (reaction.kind === 'plan') this.#note(after, reaction);
    // While the node is being written to it would have to wait anyway.
    if (this.#writes.hold(update)) return;
    const { isEcho, isCaughtUp, isAwaited } = this.#writes.see(update);
    if (isCaughtUp) this.#settleClaim(after);
    const isWaitedFor = isCaughtUp && isAwaited;
    const isNews = reaction.kind === 'plan' && !isEcho;
    if (!isNews && !isWaitedFor) return;
    const isRequest = reaction.kind === 'plan' && reaction.changesRequest;
    // Somebody waits for what was asked for.
    this.#wake(after, isRequest ? 'urgent' : undefined);
  }

  /** What counts from the moment on in which it is seen. */
  #note(node: NodeProjection, { changesRequest, asksAfresh }: Planned): void {
    if (changesRequest) this.#requests.changed(node.uid);
    if (asksAfresh) this.#answers.require(node, this.#options.clock.monotonic());
  }

  /** What the node's own providerID tells needs no claim. */
  #settleClaim({ uid, providerID }: NodeProjection): void {
    this.#claims.endTaking(uid);
    if (this.#claims.of(uid) === providerID) this.#claims.drop(uid);
  }

  #takeAnswer(asked: AskedNode, answer: CloudAnswer): void {
    const { name, uid } = asked;
    const node = this.#options.nodes.get(name);
    if (node?.uid !== uid) return;
    if (answer.kind !== 'unknown') this.#claim(node, answer);
    this.#wake(node);
  }

  #claim(node: NodeProjection, answer: Exclude<CloudAnswer, { kind: 'unknown' }>): void {
    const { name, uid } = node;
    const providerID = answer.kind === 'found' ? answer.instance.providerID : '';
    const isTold = providerID === '' || providerID === node.providerID;
    const before = isTold ? this.#claims.drop(uid) : this.#claims.set({ uid, name, providerID });
    if (before !== undefined) this.#wakeClaimants([before.providerID], uid);
  }

  #refresh(node: NodeProjection | undefined): void {
    if (node !== undefined && isInitialised(node)) this.#askAgain(node);
  }

  #askAgain(node: NodeProjection | undefined): void {
    if (node === undefined || isPausing(valueAt(node.annotations, pausedAnnotation))) return;
    if (this.#options.lookup.owns(node)) this.#answers.askAgain(node);
  }

  #forget(node: NodeProjection): void {
    const { name, uid, providerID } = node;
    const freed = [providerID, this.#claims.of(uid)];
    this.#queue.forget(name);
    this.#polls.set(name, undefined);
    this.#permission.forget(name);
    this.#answers.forget(uid);
    this.#claims.drop(uid);
    this.#claims.endTaking(uid);
    this.#writes.forget(uid);
    this.#requests.forget(uid);
    this.#delays.forget(uid);
    this.#dryRun?.forget(uid);
    this.#reporter.forget(uid);
    this.#options.lookup.forget(node);
    if (!isInitialised(node)) this.#census.soon();
    this.#wakeClaimants(freed, uid);
  }

  /** Whoever else wants the same instance may have it now. */
  #wakeClaimants(providerIDs: readonly string[], exceptUid: string): void {
    const claimed = { nodes: this.#options.nodes, claims: this.#claims };
    const rivals = findRivals(claimed, { uid: exceptUid, providerIDs });
    this.#wakeAll(rivals.map(({ name }) => name));
  }

  #wakeAll(names: Iterable<string>): void {
    for (const name of names) {
      const node = this.#options.nodes.get(name);
      if (node !== undefined) this.#wake(node);
    }
  }

  #wake(
    node: NodeProjection,
    priority: Priority = isInitialised(node) ? 'routine' : 'urgent',
  ): void {
    this.#queue.add(node.name, { priority });
  }
}
