/**
 * Which of the controller's own writes the cache does not show yet. Until it does, nothing is decided
 * about the node (M4): a plan made from before the write would do it again, or undo it. Where the watch
 * is late for long, or the outcome of a write is in doubt, the node itself is read. An entry lives from
 * a write until the cache has caught up. Watches are often quicker than answers: changes that are told
 * of while a node is being written to are held until it is known which of them are our own.
 */
import { isOlder, type NodeProjection } from '@tandem/kube/codec';
import type { Clock } from '@tandem/runtime';

/** What to decide by. */
export type Standing =
  | { readonly kind: 'cache' }
  /** The cache will catch up, and the change that does it wakes the node up. */
  | { readonly kind: 'wait'; readonly afterMs: number }
  | { readonly kind: 'live' };

export interface Seen {
  /** Whether the change is nothing but one of our own writes. */
  readonly isEcho: boolean;
  /** Whether the cache shows all of them now. */
  readonly isCaughtUp: boolean;
  /** Whether somebody was told to wait for that. */
  readonly isAwaited: boolean;
}

export interface Update {
  readonly before: NodeProjection;
  readonly after: NodeProjection;
}

interface Write {
  /** The version that was written on, and each that came of it. */
  readonly versions: readonly string[];
  readonly atMs: number;
  readonly isInDoubt: boolean;
  isAwaited: boolean;
}

/** A watch that is later than this is not waited for: a request that changes is to be seen soon. */
const lateMs = 5_000;

export class OwnWrites {
  readonly #clock: Clock;
  readonly #writes = new Map<string, Write>();
  /** By the nodes that are being written to. */
  readonly #held = new Map<string, Update[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#writes.size + this.#held.size;
  }

  begin(uid: string): void {
    this.#held.set(uid, []);
  }

  /** Takes a change in while its node is being written to, and says whether it did. */
  hold(update: Update): boolean {
    const held = this.#held.get(update.after.uid);
    held?.push(update);
    return held !== undefined;
  }

  /** What was held meanwhile, in order: to be looked at when the writes are noted. */
  end(uid: string): readonly Update[] {
    const held = this.#held.get(uid) ?? [];
    this.#held.delete(uid);
    return held;
  }

  /** The version that was planned on and, in order, those that the API server answered with. */
  wrote(uid: string, versions: readonly string[]): void {
    const last = versions.at(-1);
    const known = this.#writes.get(uid)?.versions.at(-1);
    if (versions.length < 2 || last === undefined) return;
    // The node may have been read since then, at a later version.
    if (known !== undefined && isOlder(last, known)) return;
    this.#writes.set(uid, this.#write({ versions, isInDoubt: false }));
  }

  /** A write may have been stored, or was but nobody knows under which version. */
  inDoubt(uid: string): void {
    this.#writes.set(uid, this.#write({ versions: [], isInDoubt: true }));
  }

  /** The node itself was read: the cache must not go back behind that. */
  read({ uid, resourceVersion }: Pick<NodeProjection, 'uid' | 'resourceVersion'>): void {
    this.#writes.set(uid, this.#write({ versions: [resourceVersion], isInDoubt: false }));
  }

  standingOf(node: NodeProjection): Standing {
    const write = this.#writes.get(node.uid);
    if (write === undefined) return { kind: 'cache' };
    if (write.isInDoubt) return { kind: 'live' };
    if (isShown(write, node)) {
      this.#writes.delete(node.uid);
      return { kind: 'cache' };
    }
    const waitedMs = this.#clock.monotonic() - write.atMs;
    if (waitedMs >= lateMs) return { kind: 'live' };
    write.isAwaited = true;
    return { kind: 'wait', afterMs: lateMs - waitedMs };
  }

  /** What a change that the cache tells of has to do with our writes. */
  see({ before, after }: Update): Seen {
    const write = this.#writes.get(after.uid);
    if (write === undefined || write.isInDoubt) return nothingToDo;
    const at = write.versions.indexOf(after.resourceVersion);
    // What lies between two versions that follow on each other is our write and nothing else.
    const isEcho = at > 0 && write.versions[at - 1] === before.resourceVersion;
    const isCaughtUp = isShown(write, after);
    if (isCaughtUp) this.#writes.delete(after.uid);
    return { isEcho, isCaughtUp, isAwaited: write.isAwaited };
  }

  forget(uid: string): void {
    this.#writes.delete(uid);
    this.#held.delete(uid);
  }

  #write(write: Pick<Write, 'versions' | 'isInDoubt'>): Write {
    return { ...write, atMs: this.#clock.monotonic(), isAwaited: false };
  }
}

const nothingToDo: Seen = { isEcho: false, isCaughtUp: false, isAwaited: false };

function isShown({ versions }: Write, { resourceVersion }: NodeProjection): boolean {
  const last = versions.at(-1) ?? '';
  return !isOlder(resourceVersion, last);
}
