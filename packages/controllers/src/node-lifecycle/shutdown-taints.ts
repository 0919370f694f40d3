/**
 * Applies the plans of a pass about the shutdown taint (L4) and reports it: one guarded write per node,
 * planned on the cached node and after a failed guard on the live one. A failed write is retried at the
 * next look at the node.
 */
import {
  type AddShutdownTaint,
  type LifecyclePlan,
  type RemoveShutdownTaint,
  shutdownTaint,
} from '@tandem/core/lifecycle';
import { nodePatch, type NodeProjection } from '@tandem/kube/node';
import { type GuardedPatch } from '@tandem/kube/patch';
import { Limiter } from '@tandem/runtime';
import type { Next, PlannedWrite, Turn } from '../loop/index.ts';
import type { DeletionsOptions } from './deletions.ts';
import { nodeShutdown } from './events.ts';
import { type LookedAt, planFor } from './plan-for.ts';
import type { LifecycleState } from './lifecycle-state.ts';

/** Concurrent writes, as with deletions: a stopped zone must not block starting nodes. */
const writesAtOnce = 8;

type TaintAction = AddShutdownTaint | RemoveShutdownTaint;

export class ShutdownTaints {
  readonly #options: DeletionsOptions;
  readonly #limiter = new Limiter({ concurrency: writesAtOnce });

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  /** Rejects only with the signal's reason. */
  async carryOut(
    planned: readonly (LookedAt & { readonly plan: LifecyclePlan })[],
    signal: AbortSignal,
  ): Promise<void> {
    const wanted = planned.filter(({ plan }) => taintActionOf(plan) !== undefined);
    await Promise.all(
      wanted.map((looked) => this.#limiter.run(() => this.#write(looked, signal), signal)),
    );
  }

  async #write(looked: LookedAt, signal: AbortSignal): Promise<void> {
    const { loop, logger } = this.#options;
    const { record } = looked.watched;
    const next = await loop.turn(record, (turn) => this.#reconcile(turn, looked));
    signal.throwIfAborted();
    if (!('err' in next) || record.isGone) return;
    logger.warn({ node: record.name, err: next.err }, 'Could not write shutdown taint');
  }

  async #reconcile(turn: Turn<LifecycleState>, looked: LookedAt): Promise<Next> {
    const action = taintActionOf(planFor(this.#options, looked, turn.node));
    if (action === undefined) return { kind: 'settled' };
    const written = await this.#options.loop.write(turn, [plannedWrite(turn.node, action)]);
    switch (written.kind) {
      case 'stored':
        this.#tell(looked, action);
        return { kind: 'settled' };
      case 'dryRun':
        looked.watched.told = action.kind;
        return { kind: 'settled' };
      case 'refused':
        return { kind: 'failed', err: written.err };
      case 'ended':
        return written.next;
    }
  }

  #tell({ watched: { record } }: LookedAt, { kind }: TaintAction): void {
    const { loop, logger } = this.#options;
    const isNew = kind === 'addShutdownTaint';
    logger.info({ node: record.name }, isNew ? 'Added shutdown taint' : 'Removed shutdown taint');
    if (isNew) loop.reports.record(record, nodeShutdown(record));
  }
}

function taintActionOf({ actions }: LifecyclePlan): TaintAction | undefined {
  const [action] = actions;
  return action === undefined || action.kind === 'deleteNode' ? undefined : action;
}

function plannedWrite(node: NodeProjection, { kind, reason }: TaintAction): PlannedWrite {
  return { action: kind, patch: patchFor(node, kind), describe: () => ({ reason }) };
}

function patchFor(seen: NodeProjection, kind: TaintAction['kind']): GuardedPatch | undefined {
  const node = { ...seen, labels: {} };
  return kind === 'addShutdownTaint'
    ? nodePatch({ node, taintsToAdd: [shutdownTaint] })
    : nodePatch({ node, taintsToRemove: [shutdownTaint.key] });
}
