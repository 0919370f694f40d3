/**
 * The state of one unhealthy node across passes. It is bound to one providerID and one Ready state
 * of its record: if either changes, a new state replaces it and starts without evidence.
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
  /**
   * When the node was created, on the monotonic clock; often before that clock began, thus
   * negative.
   */
  readonly bornAtMs: number;
  readyStatus: string | undefined;
  evidence: Evidence;
  /** When the node is looked at next. */
  dueMs: number;
  /** The number of repeated outcomes in a row, for the back-off. */
  repeats = 0;
  /** The outcome of the last look. */
  lastOutcome: LifecycleOutcome['kind'] | undefined;
  /** Whether the node waits for a change of itself. */
  isParked = false;
  /** The action that a dry run last logged. */
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

  /** Whether the brake holds the deletion. This controller has no other active reports. */
  get isHeld(): boolean {
    return this.isCurrent && this.record.report !== undefined;
  }

  /** Whether the node still exists, and this state was not replaced. */
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
 * A node's creation on the monotonic clock, computed when the node is first seen. A later jump of
 * the wall clock makes no node older, and with a wall clock that is behind a node counts as new.
 */
export function bornAtMs(node: NodeProjection, clock: Clock): number {
  const ageMs = Math.max(clock.now() - node.creationTimestampSeconds * 1_000, 0);
  return clock.monotonic() - ageMs;
}
