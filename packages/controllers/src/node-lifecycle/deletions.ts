/**
 * Deletes the nodes whose instances are gone, or holds the deletions. The brake judges all of them before
 * the first deletion (L3). While it holds, every held node has an event that is renewed (P6). When the
 * brake opens, held nodes are looked up again first.
 */
import { type BrakeVerdict, saysAbsent } from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/node';
import { NotLeadingError } from '@tandem/kube/election';
import { Limiter } from '@tandem/runtime';
import type { NodeLoop } from '../loop/index.ts';
import { type DeleteOutcome, deleteNode } from './delete-node.ts';
import { DeletionBrake } from './deletion-brake.ts';
import { deletingNode, deletingNodeFailed, deletionHeld, liftCommand } from './events.ts';
import type { LifecycleMetrics } from './metrics.ts';
import type { NodeLifecycleControllerOptions } from './options.ts';
import { type LookedAt, planFor } from './plan-for.ts';
import { lookMsMax } from './schedule.ts';
import type { WatchList } from './watch-list.ts';
import type { LifecycleRecord, LifecycleState, WatchedNode } from './lifecycle-state.ts';

export type DeletionsOptions = Omit<NodeLifecycleControllerOptions, 'metrics' | 'recorder'> & {
  readonly metrics: LifecycleMetrics;
  readonly loop: NodeLoop<LifecycleState>;
  readonly watchList: WatchList;
};

/** Concurrent deletions: half of the client's slots, so that initialisation continues. */
const deletesAtOnce = 8;

export class Deletions {
  readonly #options: DeletionsOptions;
  readonly #brake: DeletionBrake;
  readonly #limiter = new Limiter({ concurrency: deletesAtOnce });
  #isHolding = false;

  constructor(options: DeletionsOptions) {
    this.#options = options;
    this.#brake = new DeletionBrake(options);
  }

  /** Takes all nodes that the pass found gone. Rejects only with the signal's reason. */
  async carryOut(doomed: readonly LookedAt[], signal: AbortSignal): Promise<void> {
    const held = this.#held();
    if (doomed.length > 0 || held.length > 0) {
      if (!(await this.#brake.recall(signal))) return;
      await this.#judge(signal);
      if (this.#isHolding) for (const { watched } of doomed) this.#hold(watched);
      else await this.#deleteAll(doomed, held, signal);
    } else this.#open();
    this.#report();
  }

  /** Ends the report of a node whose deletion is no longer held. */
  unhold(record: LifecycleRecord): void {
    this.#options.loop.reports.end(record);
  }

  #held(): WatchedNode[] {
    return this.#options.watchList.values().filter(({ isHeld }) => isHeld);
  }

  async #judge(signal: AbortSignal): Promise<void> {
    const verdict = this.#brake.judge(this.#options.watchList.values());
    const isHolding = verdict.isEngaged && !(await this.#brake.isLifted(signal));
    if (isHolding !== this.#isHolding) this.#tell(isHolding, verdict);
    this.#isHolding = isHolding;
  }

  /** No node is gone any more: held nodes were found again or deleted by others. */
  #open(): void {
    if (!this.#isHolding) return;
    this.#tell(false, this.#brake.judge(this.#options.watchList.values()));
    this.#isHolding = false;
  }

  #tell(isHolding: boolean, verdict: BrakeVerdict): void {
    const { absent, owned, deletedRecently, limit } = verdict;
    const counts = { absent, owned, deletedRecently, limit };
    const { logger, mode, lease, clock } = this.#options;
    if (isHolding) {
      const lift = liftCommand(lease, clock.now());
      logger.error({ ...counts, lift }, engagedMessages[mode]);
    } else logger.info(counts, 'Disengaged the deletion brake');
  }

  #hold(watched: WatchedNode): void {
    const { settings, lease, clock, loop } = this.#options;
    // A node that is no longer watched would stay held forever.
    if (!watched.isCurrent) return;
    // Another event each hour: the command in it has a time, which must not have passed.
    const event = deletionHeld(watched, { brake: settings.brake, lease, nowMs: clock.now() });
    const report = { reason: event.reason, message: event.note, isRefusal: false };
    loop.reports.start(watched.record, report, event);
  }

  async #deleteAll(
    doomed: readonly LookedAt[],
    held: readonly WatchedNode[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const watched of held) {
      this.unhold(watched.record);
      // Its last answer may be a minute old, so it is looked up again before a deletion.
      watched.dueMs = this.#options.clock.monotonic();
    }
    const { mode } = this.#options;
    const going = doomed.map(({ watched }) => watched);
    if (mode === 'write' && !(await this.#brake.remember(going, signal))) return;
    await Promise.all(
      doomed.map((looked) => this.#limiter.run(() => this.#deleteOne(looked, signal), signal)),
    );
  }

  async #deleteOne(looked: LookedAt, signal: AbortSignal): Promise<void> {
    const { client, loop, mode } = this.#options;
    const { watched } = looked;
    if (!watched.isCurrent) return;
    if (mode === 'dryRun') return this.#tellDryRun(watched);
    const outcome = await deleteNode({
      client,
      name: watched.name,
      objection: (live) => this.#objection(looked, live),
      onConfirmed: (live) => {
        loop.reports.record(watched.record, deletingNode(live));
        this.#brake.deleting(live);
      },
      signal,
    });
    this.#settle(watched, outcome);
  }

  #objection(looked: LookedAt, live: NodeProjection): string | undefined {
    if (looked.watched.record.isGone || live.uid !== looked.watched.uid) {
      return 'the Node was deleted meanwhile';
    }
    const { actions, outcome } = planFor(this.#options, looked, live);
    if (actions[0]?.kind === 'deleteNode') return undefined;
    return outcome.kind === 'ready' ? 'the node is Ready' : outcome.reason;
  }

  #settle(watched: WatchedNode, outcome: DeleteOutcome): void {
    const { metrics, clock } = this.#options;
    const logger = this.#options.logger.child({ node: watched.name });
    const facts = { uid: watched.uid, providerID: watched.providerID };
    metrics.deletion(outcome.kind);
    switch (outcome.kind) {
      case 'deleted':
        logger.info(facts, 'Deleted node whose instance does not exist');
        return this.#park(watched);
      case 'gone':
        return this.#park(watched);
      case 'spared':
        logger.info({ ...facts, reason: outcome.reason }, 'Kept node after reading it again');
        watched.dueMs = clock.monotonic();
        return undefined;
      case 'changed':
        logger.debug(facts, 'Node changed before its deletion');
        this.#brake.notDeleted(watched.uid);
        watched.dueMs = clock.monotonic();
        return undefined;
      case 'failed':
        this.#brake.notDeleted(watched.uid);
        return this.#tellFailure(watched, outcome.err);
      case 'unknown':
        return this.#tellFailure(watched, outcome.err);
    }
  }

  /** Waits until the informer reports the deletion, and looks again if it does not. */
  #park(watched: WatchedNode): void {
    watched.isParked = true;
    watched.dueMs = this.#options.clock.monotonic() + lookMsMax;
  }

  #tellFailure(watched: WatchedNode, err: Error): void {
    const { logger, loop } = this.#options;
    // The node is gone, by this call or another.
    if (watched.record.isGone) return;
    logger.warn({ node: watched.name, err }, 'Could not delete node');
    // A process that does not lead cannot send an event either.
    if (err instanceof NotLeadingError) return;
    loop.reports.record(watched.record, deletingNodeFailed(watched, err));
  }

  #tellDryRun(watched: WatchedNode): void {
    if (watched.told === 'deleteNode') return;
    watched.told = 'deleteNode';
    this.#options.metrics.deletion('would_delete');
    this.#options.logger.info({ node: watched.name }, 'Would delete node');
  }

  #report(): void {
    const all = this.#options.watchList.values();
    this.#options.metrics.counted({
      isEngaged: this.#isHolding,
      candidates: all.filter(({ evidence }) => saysAbsent(evidence)).length,
      held: all.filter(({ isHeld }) => isHeld).length,
    });
  }
}

const engagedMessages = {
  write: 'Engaged the deletion brake: deleting no nodes',
  dryRun: 'Would engage the deletion brake and delete no nodes',
} as const;
