/**
 * Which of a controller's own writes the cache does not show yet. Until it does, nothing is decided about
 * the node (M4): a plan made from before the write would do it again, or undo it. Where the watch is late
 * for long, or the outcome of a write is in doubt, the node itself is read.
 */
import { isOlder } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';
import type { Clock } from '@tandem/runtime';
import type { NodeRecord } from './node-record.ts';

export interface OwnWrite {
  /** The version that was written on, and each that came of it; none where the outcome is in doubt. */
  readonly versions: readonly string[];
  readonly atMs: number;
  readonly isInDoubt: boolean;
  /** Whether a reconcile was put off until the cache shows the write. */
  isAwaited: boolean;
}

/** What a reconcile decides by. */
export type View =
  | { readonly kind: 'cache' }
  /** The cache will catch up, and the change that does it wakes the node up. */
  | { readonly kind: 'wait'; readonly afterMs: number }
  | { readonly kind: 'live' };

export interface Update {
  readonly before: NodeProjection;
  readonly after: NodeProjection;
}

export interface SeenUpdate {
  /** Whether the change is nothing but one of our own writes. */
  readonly isEcho: boolean;
  /** Whether a reconcile waited for it. */
  readonly isAwaited: boolean;
}

type Written = Pick<NodeRecord<unknown>, 'ownWrite'>;

/** A watch that is later than this is not waited for: a changed request has to be seen soon. */
export const lateMs = 5_000;

export class OwnWrites {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the version that was planned on and, in order, those that the API server answered with. */
  noteStored(record: Written, versions: readonly string[]): void {
    const last = versions.at(-1);
    const known = record.ownWrite?.versions.at(-1);
    if (versions.length < 2 || last === undefined) return;
    // The node may have been read since then, at a later version.
    if (known !== undefined && isOlder(last, known)) return;
    record.ownWrite = this.#write(versions);
  }

  /** A write may have been stored, or was, but under a version that is not known. */
  noteInDoubt(record: Written): void {
    record.ownWrite = { ...this.#write([]), isInDoubt: true };
  }

  /** The node itself was read: the cache must not go back behind that. */
  noteRead(record: Written, { resourceVersion }: Pick<NodeProjection, 'resourceVersion'>): void {
    record.ownWrite = this.#write([resourceVersion]);
  }

  viewOf(record: Written, node: NodeProjection): View {
    const write = record.ownWrite;
    if (write === undefined) return { kind: 'cache' };
    if (write.isInDoubt) return { kind: 'live' };
    if (isShown(write, node)) {
      record.ownWrite = undefined;
      return { kind: 'cache' };
    }
    const waitedMs = this.#clock.monotonic() - write.atMs;
    if (waitedMs >= lateMs) return { kind: 'live' };
    write.isAwaited = true;
    return { kind: 'wait', afterMs: lateMs - waitedMs };
  }

  /** What a change that the cache tells of has to do with our writes. */
  see(record: Written, { before, after }: Update): SeenUpdate {
    const write = record.ownWrite;
    if (write === undefined || write.isInDoubt) return { isEcho: false, isAwaited: false };
    const at = write.versions.indexOf(after.resourceVersion);
    // What lies between two versions that follow on each other is our write and nothing else.
    const isEcho = at > 0 && write.versions[at - 1] === before.resourceVersion;
    const isCaughtUp = isShown(write, after);
    if (isCaughtUp) record.ownWrite = undefined;
    return { isEcho, isAwaited: isCaughtUp && write.isAwaited };
  }

  #write(versions: readonly string[]): OwnWrite {
    return { versions, atMs: this.#clock.monotonic(), isInDoubt: false, isAwaited: false };
  }
}

function isShown({ versions }: OwnWrite, { resourceVersion }: NodeProjection): boolean {
  return !isOlder(resourceVersion, versions.at(-1) ?? '');
}
