/**
 * The brake: whether so many nodes are absent at once that the cloud cannot be trusted (L3). It is
 * judged on all candidates before the first of them is deleted, as a pure function of the current
 * state: the absent nodes, those that were deleted within the window, and the number of all nodes.
 * So it holds as long as they stay absent, and disengages by itself when enough of them are found
 * again. Nodes that another program removes on purpose are not counted; while the brake holds, they
 * are not deleted either.
 */
import { isLeaving, isOwned, type LifecycleNode, type Ownership } from './node.ts';
import type { BrakeSettings } from './settings.ts';

export interface BrakeInput {
  /** UIDs of the nodes that count and that the cloud last reported as absent. */
  readonly absent: ReadonlySet<string>;
  readonly deletions: readonly Deletion[];
  /** The number of nodes that count. */
  readonly owned: number;
  /** On the monotonic clock, like the times of the deletions. */
  readonly nowMs: number;
  /** Undefined if the brake is disabled. */
  readonly settings: BrakeSettings | undefined;
}

/** A node that counted and was, or may have been, deleted because its instance was gone. */
export interface Deletion {
  readonly uid: string;
  readonly atMs: number;
}

export interface BrakeVerdict {
  readonly isEngaged: boolean;
  /** The number of absent nodes, including recently deleted ones. */
  readonly absent: number;
  /** The number of nodes that count, including recently deleted ones. */
  readonly owned: number;
  /** The part of both numbers that was deleted recently and no longer exists as a Node. */
  readonly deletedRecently: number;
  /** The number of nodes that may be absent. */
  readonly limit: number;
}

/** Whether the node counts for the share. */
export function countsForBrake(
  node: Pick<LifecycleNode, 'providerID' | 'taints' | 'isBeingDeleted'>,
  ownership: Ownership,
): boolean {
  return isOwned(node, ownership) && !isLeaving(node);
}

export function judgeBrake(input: BrakeInput): BrakeVerdict {
  const { settings } = input;
  // A deleted node that the cache still shows is still counted as absent.
  const deletedRecently = new Set(
    input.deletions
      .filter(({ uid, atMs }) => isRecent(input.nowMs - atMs, settings) && !input.absent.has(uid))
      .map(({ uid }) => uid),
  ).size;
  const absent = input.absent.size + deletedRecently;
  const owned = input.owned + deletedRecently;
  const limit = limitOf(owned, settings);
  return { isEngaged: absent > limit, absent, owned, deletedRecently, limit };
}

/** The number of owned nodes that may be absent. */
function limitOf(owned: number, settings: BrakeSettings | undefined): number {
  if (settings === undefined) return Number.POSITIVE_INFINITY;
  // In floating-point arithmetic, 29 % of 100 is slightly less than 29.
  return Math.max(settings.nodes, Math.floor(owned * settings.share + 1e-9));
}

/** Whether a deletion of this age still counts. */
export function isRecent(agoMs: number, settings: BrakeSettings | undefined): boolean {
  return settings !== undefined && agoMs <= settings.windowMs;
}
