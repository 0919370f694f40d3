/**
 * Carries out what the plans of a pass say about the shutdown taint, and tells of it. What fails is
 * tried again when the node is looked at next.
 */
import type { AddShutdownTaint, LifecyclePlan, RemoveShutdownTaint } from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/codec';
import type { GuardedOutcome } from '@tandem/kube/patch';
import { limiter } from '@tandem/runtime';
import type { DeletionsOptions } from './deletions.ts';
import { nodeShutdown } from './lifecycle-events.ts';
import { type LookedAt, planFor } from './plan-for.ts';
import { writeShutdownTaint } from './shutdown-taint.ts';

/** At once, as with deletions: a zone that is stopped must not crowd out what starts. */
const writesAtOnce = 8;

type TaintAction = AddShutdownTaint | RemoveShutdownTaint;

interface TaintWrite extends LookedAt {
  readonly kind: TaintAction['kind'];
  /** The node that the plan was made on. */
  readonly seen: NodeProjection;
}

export class ShutdownTaints {
  readonly #options: DeletionsOptions;
  readonly #limiter = limiter({ concurrency: writesAtOnce });

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  /** Rejects only with the signal's reason. */
  async carryOut(
    planned: readonly (LookedAt & { readonly plan: LifecyclePlan })[],
    signal: AbortSignal,
  ): Promise<void> {
    const writes = planned.flatMap(({ watched, answer, plan }): TaintWrite[] => {
      const [action] = plan.actions;
      const seen = this.#options.nodes.get(watched.name);
      if (action === undefined || action.kind === 'deleteNode' || seen === undefined) return [];
      return [{ watched, answer, seen, kind: action.kind }];
    });
    await Promise.all(
      writes.map((write) => this.#limiter.run(() => this.#write(write, signal), signal)),
    );
  }

  async #write(write: TaintWrite, signal: AbortSignal): Promise<void> {
    const { client, mode, metrics, logger } = this.#options;
    const { kind, seen } = write;
    if (mode === 'dryRun') return this.#tellDryRun(write);
    try {
      const outcome = await writeShutdownTaint({
        client,
        node: seen,
        plan: (node) => planFor(this.#options, write, node).actions[0],
        signal,
      });
      this.#settle(write, outcome);
    } catch (err) {
      if (signal.aborted) throw err;
      metrics.taint(verbs[kind], 'failed');
      logger.warn({ node: seen.name, err }, 'Could not write shutdown taint');
    }
  }

  #settle({ watched, kind }: TaintWrite, outcome: GuardedOutcome): void {
    const { recorder, metrics } = this.#options;
    const logger = this.#options.logger.child({ node: watched.name });
    metrics.taint(verbs[kind], outcome.kind);
    if (outcome.kind === 'applied') {
      const isNew = kind === 'addShutdownTaint';
      logger.info({}, isNew ? 'Added shutdown taint' : 'Removed shutdown taint');
      if (isNew) recorder.record(nodeShutdown(watched));
    } else if ('err' in outcome) {
      logger.warn({ err: outcome.err }, 'Could not write shutdown taint');
    }
  }

  #tellDryRun({ watched, kind }: TaintWrite): void {
    if (watched.told === kind) return;
    watched.told = kind;
    this.#options.metrics.taint(verbs[kind], 'would_write');
    const { logger } = this.#options;
    logger.info({ node: watched.name, action: verbs[kind] }, 'Would write shutdown taint');
  }
}

const verbs = { addShutdownTaint: 'add', removeShutdownTaint: 'remove' } as const;
