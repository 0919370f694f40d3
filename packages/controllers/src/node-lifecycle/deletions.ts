/**
 * Deletes the nodes that are gone, or holds them. The brake is judged on all of them before the first
 * is touched (L3); while it holds, every node that it holds says so by an event that stands (P6). When
 * it opens, whoever was held is first looked up again.
 */
import { type BrakeVerdict, saysAbsent } from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/codec';
import { NotLeadingError } from '@tandem/kube/election';
import { limiter } from '@tandem/runtime';
import { type DeleteOutcome, deleteNode } from './delete-node.ts';
import { DeletionBrake } from './deletion-brake.ts';
import { deletingNode, deletingNodeFailed, deletionHeld, heldMatter } from './lifecycle-events.ts';
import type { LifecycleMetrics } from './lifecycle-metrics.ts';
import type { NodeLifecycleControllerOptions } from './options.ts';
import { type LookedAt, planFor } from './plan-for.ts';
import type { WatchList } from './watch-list.ts';
import type { WatchedNode } from './watched-node.ts';

export type DeletionsOptions = Omit<NodeLifecycleControllerOptions, 'metrics'> & {
  readonly metrics: LifecycleMetrics;
  readonly watchList: WatchList;
};

/** At once: half of what the client has places for, so that initialisation goes on beside it. */
const deletesAtOnce = 8;

export class Deletions {
  readonly #options: DeletionsOptions;
  readonly #brake: DeletionBrake;
  readonly #limiter = limiter({ concurrency: deletesAtOnce });
  #isHolding = false;

  constructor(options: DeletionsOptions) {
    this.#options = options;
    this.#brake = new DeletionBrake(options);
  }

  /** Takes all that the pass found gone. Rejects only with the signal's reason. */
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

  /** Lets go of a node whose deletion is no longer held, for whatever reason. */
  unhold(watched: WatchedNode): void {
    if (!watched.isHeld) return;
    watched.isHeld = false;
    this.#options.recorder.end({ uid: watched.uid, matter: heldMatter });
  }

  #held(): WatchedNode[] {
    return [...this.#options.watchList.values()].filter(({ isHeld }) => isHeld);
  }

  async #judge(signal: AbortSignal): Promise<void> {
    const verdict = this.#brake.judge(this.#options.watchList.values());
    const isHolding = verdict.isEngaged && !(await this.#brake.isLifted(signal));
    if (isHolding !== this.#isHolding) this.#tell(isHolding, verdict);
    this.#isHolding = isHolding;
  }

  /** Nobody is gone any more: what was held was found again, or went another way. */
  #open(): void {
    if (!this.#isHolding) return;
    this.#tell(false, this.#brake.judge(this.#options.watchList.values()));
    this.#isHolding = false;
  }

  #tell(isHolding: boolean, { absent, owned, limit }: BrakeVerdict): void {
    const { logger } = this.#options;
    if (isHolding) {
      logger.error({ absent, owned, limit }, 'Deletion brake engaged, no node is deleted');
    } else logger.info({ absent, owned, limit }, 'Deletion brake opened');
  }

  #hold(watched: WatchedNode): void {
    const { mode, recorder, settings, lease, clock } = this.#options;
    if (watched.isHeld) return;
    watched.isHeld = true;
    if (mode === 'dryRun') return;
    recorder.sustain(deletionHeld(watched, { brake: settings.brake, lease, nowMs: clock.now() }));
  }

  async #deleteAll(
    doomed: readonly LookedAt[],
    held: readonly WatchedNode[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const watched of held) {
      this.unhold(watched);
      // Its last answer may be a minute old: it is asked about again before anything happens to it.
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
    const { client, watchList, mode, recorder } = this.#options;
    const { watched } = looked;
    if (!watchList.isCurrent(watched)) return;
    if (mode === 'dryRun') return this.#tellDryRun(watched);
    const outcome = await deleteNode({
      client,
      name: watched.name,
      objection: (live) => this.#objection(looked, live),
      onConfirmed: (live) => {
        recorder.record(deletingNode(live));
        this.#brake.deleting(live);
      },
      signal,
    });
    this.#settle(watched, outcome);
  }

  #objection(looked: LookedAt, live: NodeProjection): string | undefined {
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
        return park(watched);
      case 'gone':
        return park(watched);
      case 'spared':
        logger.info({ ...facts, reason: outcome.reason }, 'Spared node after a live look at it');
        watched.dueMs = clock.monotonic();
        return undefined;
      case 'changed':
        logger.debug(facts, 'Node changed while it was to be deleted');
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

  #tellFailure(watched: WatchedNode, err: Error): void {
    const { logger, recorder } = this.#options;
    logger.warn({ node: watched.name, err }, 'Could not delete node');
    // Who does not lead cannot say so by an event either.
    if (err instanceof NotLeadingError) return;
    recorder.record(deletingNodeFailed(watched, err));
  }

  #tellDryRun(watched: WatchedNode): void {
    if (watched.told === 'deleteNode') return;
    watched.told = 'deleteNode';
    this.#options.metrics.deletion('would_delete');
    this.#options.logger.info({ node: watched.name }, 'Would delete node');
  }

  #report(): void {
    const all = [...this.#options.watchList.values()];
    this.#options.metrics.stands({
      isEngaged: this.#isHolding,
      candidates: all.filter(({ evidence }) => saysAbsent(evidence)).length,
      held: all.filter(({ isHeld }) => isHeld).length,
    });
  }
}

/** Nothing is left to do but to wait until the informer tells. */
function park(watched: WatchedNode): void {
  watched.isParked = true;
  watched.dueMs = Number.POSITIVE_INFINITY;
}
