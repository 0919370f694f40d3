/**
 * The brake: whether so many nodes are absent at once that the cloud's word is not to be trusted (L3).
 * It is judged on all candidates before the first of them is deleted, and is a plain function of what
 * is so now: those that are absent, those that were deleted within the window, and how many there are.
 * It therefore holds for as long as they stay absent, however long that is, and opens by itself when
 * enough of them are found again. Nodes that somebody removes on purpose are not counted; while the brake
 * holds, they are not deleted either.
 */
import { isLeaving, isOwned, type LifecycleNode, type Ownership } from './node.ts';
import type { BrakeSettings } from './settings.ts';

export interface BrakeInput {
  /** UIDs of the nodes that count and that the cloud last called absent. */
  readonly absent: ReadonlySet<string>;
  readonly deletions: readonly Deletion[];
  /** How many nodes of the cluster count. */
  readonly owned: number;
  /** On the monotonic clock, as the times of the deletions. */
  readonly nowMs: number;
  /** Undefined where there is no brake. */
  readonly settings: BrakeSettings | undefined;
}

/** A node that counted and that was deleted because its instance was gone, or perhaps was. */
export interface Deletion {
  readonly uid: string;
  readonly atMs: number;
}

export interface BrakeVerdict {
  readonly isEngaged: boolean;
  /** How many are absent, those deleted lately included. */
  readonly absent: number;
  /** Out of how many, those deleted lately included. */
  readonly owned: number;
  /** How many of both were deleted lately and are no Nodes of the cluster any more. */
  readonly deletedRecently: number;
  /** How many may be absent. */
  readonly limit: number;
}

/** Whether a node is among those that the share is of. */
export function countsForBrake(
  node: Pick<LifecycleNode, 'providerID' | 'taints' | 'isBeingDeleted'>,
  ownership: Ownership,
): boolean {
  return isOwned(node, ownership) && !isLeaving(node);
}

export function judgeBrake(input: BrakeInput): BrakeVerdict {
  const { settings } = input;
  // A deletion that shows in the cache only later is still among the absent.
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

/** How many of so many may be absent. */
function limitOf(owned: number, settings: BrakeSettings | undefined): number {
  if (settings === undefined) return Number.POSITIVE_INFINITY;
  // 29 % of 100 is a little less than 29 to a computer.
  return Math.max(settings.nodes, Math.floor(owned * settings.share + 1e-9));
}

/** Whether a deletion so long ago still counts. */
export function isRecent(agoMs: number, settings: BrakeSettings | undefined): boolean {
  return settings !== undefined && agoMs <= settings.windowMs;
}
