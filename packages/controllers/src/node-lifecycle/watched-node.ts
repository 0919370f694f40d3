/**
 * One node that is not well, and what is remembered of it between passes. It is about one UID, one
 * providerID and one state of Ready: where any of these changes, another takes its place and starts
 * without evidence.
 */
import {
  type Evidence,
  isReady,
  type LifecycleAction,
  type LifecycleOutcome,
  noEvidence,
} from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/codec';
import type { Clock } from '@tandem/runtime';

export class WatchedNode {
  readonly name: string;
  readonly uid: string;
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
  /** Whether the brake holds its deletion. */
  isHeld = false;
  /** What a dry run has told that it would do. */
  told: LifecycleAction['kind'] | undefined;

  constructor(node: NodeProjection, times: { readonly bornAtMs: number; readonly dueMs: number }) {
    this.name = node.name;
    this.uid = node.uid;
    this.providerID = node.providerID;
    this.isReady = isReadyNode(node);
    this.readyStatus = node.ready?.status;
    this.bornAtMs = times.bornAtMs;
    this.dueMs = times.dueMs;
    this.evidence = noEvidence(node);
  }

  /** Whether it stands for the node as it is now. */
  isOf(node: NodeProjection): boolean {
    return (
      this.uid === node.uid &&
      this.providerID === node.providerID &&
      this.isReady === isReadyNode(node)
    );
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
