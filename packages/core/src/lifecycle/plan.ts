/**
 * Decides for the cloud-node-lifecycle-controller what to do about one node that may have lost its instance. (The brake
 * decides separately, because it looks at all nodes.) These nodes are never deleted: Ready nodes, paused nodes, nodes of
 * another cloud, nodes that are being deleted, and nodes without a providerID whose instance was never found, because a
 * new node of another cloud looks the same. Any other node is deleted when the cloud has answered with authority,
 * without a break and for as long as the grace lasts, that the instance is absent (L1, P3). The taint of a shut-down machine
 * follows the cloud's answers (L4). While the machine starts or stops, the taint stays as it is.
 */
import { assert } from '../assert.ts';
import { type LifecycleAction, shutdownTaint } from './action.ts';
import {
  type AbsentSpan,
  type Evidence,
  type InstanceState,
  isAbout,
  type LifecycleAnswer,
  saysAbsent,
} from './evidence.ts';
import { findBar, findDoubt, isReady, type LifecycleNode, type Ownership } from './node.ts';
import type { LifecycleSettings } from './settings.ts';

export interface LifecycleInput extends Ownership {
  readonly node: LifecycleNode;
  /** The evidence, including `answer`. */
  readonly evidence: Evidence;
  /** The last answer of the cloud; null if it has not been asked. */
  readonly answer: LifecycleAnswer | null;
  readonly settings: Pick<LifecycleSettings, 'graceMs'>;
}

export interface LifecyclePlan {
  /** At most one. */
  readonly actions: readonly LifecycleAction[];
  readonly outcome: LifecycleOutcome;
}

export type LifecycleOutcome =
  /** The node must not be changed. */
  | { readonly kind: 'leftAlone'; readonly reason: string }
  /** The cloud says that the node is not its own: it is left alone, and looked up again. */
  | { readonly kind: 'notOurs'; readonly reason: string }
  /** The node is Ready, so the cloud need not be asked. */
  | { readonly kind: 'ready' }
  /** The cloud has to be asked. */
  | {
      readonly kind: 'lookup';
      readonly freshness: 'cached' | 'authoritative';
      readonly reason: string;
    }
  /** The look-up failed. */
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'present'; readonly reason: string }
  /** The cloud reports the instance as absent, but not for long enough yet. */
  | { readonly kind: 'doubtful'; readonly reason: string }
  | { readonly kind: 'gone'; readonly reason: string };

export function planLifecycle(input: LifecycleInput): LifecyclePlan {
  const bar = findBar(input.node, input.owns);
  if (bar !== undefined) return planOf({ kind: 'leftAlone', reason: bar });
  const plan = isReady(input.node) ? planReady(input) : planByAnswer(input);
  assertSafe(input, plan.actions);
  return plan;
}

function planReady(input: LifecycleInput): LifecyclePlan {
  if (input.isNotOurs) return planOf(notOurs);
  const doubt = findDoubt(input.node, input);
  if (doubt !== undefined) return planOf({ kind: 'leftAlone', reason: doubt });
  return planOf({ kind: 'ready' }, ...untaint(input.node, 'the node is Ready'));
}

function planByAnswer(input: LifecycleInput): LifecyclePlan {
  const { node, evidence, answer, isNotOurs } = input;
  if (answer === null || !isAbout(evidence, node)) return planOf(lookup(node, evidence));
  if (isNotOurs) return planOf(notOurs);
  switch (answer.kind) {
    case 'unknown':
      return planOf({ kind: 'unknown', reason: answer.reason });
    case 'notOurs':
      return planOf(notOurs);
    case 'found':
      return planFound(node, answer.state);
    case 'absent':
      return planAbsent(input, answer.freshness === 'cached' ? null : evidence.absent);
  }
}

const notOurs: LifecycleOutcome = {
  kind: 'notOurs',
  reason: 'the cloud says that the node is not its own',
};

/** After an absence, only an answer of the source suffices. */
function lookup(node: LifecycleNode, evidence: Evidence): LifecycleOutcome {
  const hasDoubt = isAbout(evidence, node) && saysAbsent(evidence);
  return {
    kind: 'lookup',
    freshness: hasDoubt ? 'authoritative' : 'cached',
    reason: hasDoubt
      ? 'the cloud reported the instance as missing, which needs confirmation'
      : 'the node is not Ready',
  };
}

function planFound(node: LifecycleNode, state: InstanceState): LifecyclePlan {
  const outcome = {
    kind: 'present',
    reason: `the cloud reports the instance as ${state}`,
  } as const;
  if (state === 'stopped') return planOf(outcome, ...taint(node));
  if (state === 'running') return planOf(outcome, ...untaint(node, outcome.reason));
  return planOf(outcome);
}

/** Takes the consecutive absences up to the last answer, if they count. */
function planAbsent(input: LifecycleInput, absent: AbsentSpan | null): LifecyclePlan {
  const doubt = findDoubt(input.node, input);
  if (doubt !== undefined) return planOf({ kind: 'leftAlone', reason: doubt });
  const { graceMs } = input.settings;
  if (absent === null) {
    const reason = 'the cloud reports the instance as missing, but this answer does not count yet';
    return planOf({ kind: 'doubtful', reason });
  }
  const lengthMs = absent.latestMs - absent.firstMs;
  const seconds = `${Math.floor(lengthMs / 1_000)} s`;
  const hasOne = absent.latestMs === absent.firstMs;
  if (hasOne || lengthMs < graceMs) {
    const reason = `the cloud has reported the instance as missing for ${seconds} of ${graceMs / 1_000} s`;
    return planOf({ kind: 'doubtful', reason });
  }
  const reason = `the cloud has reported the instance as missing for ${seconds}`;
  return planOf({ kind: 'gone', reason }, { kind: 'deleteNode', reason });
}

function taint({ taints }: LifecycleNode): LifecycleAction[] {
  const { key, effect } = shutdownTaint;
  if (taints.some((other) => other.key === key && other.effect === effect)) return [];
  return [{ kind: 'addShutdownTaint', reason: 'the cloud reports the instance as stopped' }];
}

function untaint({ taints }: LifecycleNode, reason: string): LifecycleAction[] {
  if (taints.every(({ key }) => key !== shutdownTaint.key)) return [];
  return [{ kind: 'removeShutdownTaint', reason }];
}

function planOf(outcome: LifecycleOutcome, ...actions: LifecycleAction[]): LifecyclePlan {
  return { actions, outcome };
}

/** Asserts L1 on every plan. */
function assertSafe(input: LifecycleInput, actions: readonly LifecycleAction[]): void {
  const { node, evidence, answer, settings, wasFound, isNotOurs } = input;
  assert(actions.length <= 1, 'one thing is done at a time');
  if (actions[0]?.kind !== 'deleteNode') return;
  const { firstMs, latestMs } = evidence.absent ?? { firstMs: 0, latestMs: 0 };
  assert(!isReady(node), 'a Ready node is never deleted');
  assert(!isNotOurs, 'a node that is not ours is never deleted');
  assert(node.providerID !== '' || wasFound, 'a node without providerID was found before');
  assert(
    answer?.kind === 'absent' && answer.freshness === 'authoritative',
    'a node is deleted only on an authoritative absence in hand',
  );
  assert(latestMs > firstMs, 'one absence alone deletes nothing');
  assert(latestMs - firstMs >= settings.graceMs, 'the absences are a grace apart');
}
