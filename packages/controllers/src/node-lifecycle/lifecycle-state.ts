/**
 * One unhealthy node and what the passes remember of it. It is bound to one providerID and one Ready
 * state of its record: if either changes, a new one replaces it and starts without evidence.
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

/** The state of a node: nothing while the node is healthy. */
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

  /** Whether the brake holds its deletion. This controller has no other active reports. */
  get isHeld(): boolean {
    return this.isCurrent && this.record.report !== undefined;
  }

  /** Whether decisions about it still apply to an existing, unchanged node. */
  get isCurrent(): boolean {
    return !this.record.isGone && this.record.state.watched === this;
  }

  isOf(node: NodeProjection): boolean {
    return this.providerID === node.providerID && this.isReady === isReadyNode(node);
  }
}

export function isReadyNode({ ready }: NodeProjection): boolean {
  return isReady({ readyStatus: ready?.status });
}

/**
 * A node's creation on the monotonic clock, computed when it is first seen: a wall clock that jumps later
 * makes no node older, and one that is behind makes it no younger than new.
 */
export function bornAtMs(node: NodeProjection, clock: Clock): number {
  const ageMs = Math.max(clock.now() - node.creationTimestampSeconds * 1_000, 0);
  return clock.monotonic() - ageMs;
}
