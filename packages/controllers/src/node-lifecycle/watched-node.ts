/**
 * One node that is not well, and what is remembered of it between passes. It is about one providerID and
 * one state of Ready of its record: where either changes, another takes its place and starts without
 * evidence.
 */
import {
  type Evidence,
  isReady,
  type LifecycleAction,
  type LifecycleOutcome,
  noEvidence,
} from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/node';
import type { Clock } from '@tandem/runtime';
import type { NodeRecord } from '../loop/index.ts';

/** What the controller remembers of a node: nothing while the node is well. */
export interface LifecycleState {
  watched: WatchedNode | undefined;
}

export type LifecycleRecord = NodeRecord<LifecycleState>;

export class WatchedNode {
  readonly record: LifecycleRecord;
  readonly providerID: string;
  readonly isReady: boolean;
  /** When the node was created, on the monotonic clock; before its beginning for most. */
  readonly bornAtMs: number;
  readyStatus: string | undefined;
  evidence: Evidence;
  /** When it is looked at next. */
  dueMs: number;
  /** How many looks in a row brought the same, for the back-off. */
  repeats = 0;
  /** What the last look brought. */
  lastOutcome: LifecycleOutcome['kind'] | undefined;
  /** Whether nothing is to be done until the node itself changes. */
  isParked = false;
  /** What a dry run has told that it would do. */
  told: LifecycleAction['kind'] | undefined;

  constructor(
    record: LifecycleRecord,
    node: NodeProjection,
    times: { readonly bornAtMs: number; readonly dueMs: number },
  ) {
    this.record = record;
    this.providerID = node.providerID;
    this.isReady = isReadyNode(node);
    this.readyStatus = node.ready?.status;
    this.bornAtMs = times.bornAtMs;
    this.dueMs = times.dueMs;
    this.evidence = noEvidence(node);
  }

  get name(): string {
    return this.record.name;
  }

  get uid(): string {
    return this.record.uid;
  }

  /** Whether the brake holds its deletion: nothing else ever stands on a node here. */
  get isHeld(): boolean {
    return this.isCurrent && this.record.report !== undefined;
  }

  /** Whether what was decided about it still is about a node that is there and as it was. */
  get isCurrent(): boolean {
    return !this.record.isGone && this.record.state.watched === this;
  }

  /** Whether it is about the node as it is now. */
  isOf(node: NodeProjection): boolean {
    return this.providerID === node.providerID && this.isReady === isReadyNode(node);
  }
}

export function isReadyNode({ ready }: NodeProjection): boolean {
  return isReady({ readyStatus: ready?.status });
}

/**
 * A node's birth on the monotonic clock, settled when it is first seen: a wall clock that jumps later
 * makes no node older, and one that is behind makes it no older than new.
 */
export function bornAtMs(node: NodeProjection, clock: Clock): number {
  const ageMs = Math.max(clock.now() - node.creationTimestampSeconds * 1_000, 0);
  return clock.monotonic() - ageMs;
}
