/**
 * The own writes of a controller that the cache does not show yet. Until it does, the controller decides
 * nothing about the node (M4): a plan on the old state would repeat or undo the write. If the watch is
 * late for long, or the outcome of a write is in doubt, the controller reads the live node.
 */
import { isOlder } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';
import type { Clock, HistogramDeclaration } from '@tandem/runtime';
import type { NodeRecord } from './node-record.ts';

export interface OwnWrite {
  /** The version before the write and each version after; none if the outcome is in doubt. */
  readonly versions: readonly string[];
  readonly atMs: number;
  readonly isInDoubt: boolean;
  /** Whether a reconcile waits until the cache shows the write. */
  isAwaited: boolean;
}

/** Which copy of the node a reconcile uses. */
export type View =
  | { readonly kind: 'cache' }
  /** The cache will catch up, and that change wakes the node. */
  | { readonly kind: 'wait'; readonly afterMs: number }
  | { readonly kind: 'live' };

export interface Update {
  readonly before: NodeProjection;
  readonly after: NodeProjection;
}

export interface SeenUpdate {
  /** Whether the change is only our own write. */
  readonly isEcho: boolean;
  readonly isAwaited: boolean;
}

type Written = Pick<NodeRecord<unknown>, 'ownWrite'>;

export const cacheLagSeconds: HistogramDeclaration<never> = {
  name: 'tandem_node_cache_lag_seconds',
  help: 'Time from the answer to a write to a node until the node cache shows that write. Until then, the controller that wrote decides nothing about the node. Only while controllers run.',
  stability: 'ALPHA',
  labels: [],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
};

/** The longest wait for a watch: a changed request must be noticed soon. */
export const lateMs = 5_000;

export class OwnWrites {
  readonly #clock: Clock;
  readonly #onShown: (afterMs: number) => void;

  /** `onShown`: the cache shows a write, this long after its answer. */
  constructor(clock: Clock, onShown: (afterMs: number) => void = () => undefined) {
    this.#clock = clock;
    this.#onShown = onShown;
  }

  /** Takes the version of the plan and, in order, those of the answers. */
  noteStored(record: Written, versions: readonly string[]): void {
    const last = versions.at(-1);
    const known = record.ownWrite?.versions.at(-1);
    if (versions.length < 2 || last === undefined) return;
    // The node may have been read since, at a later version.
    if (known !== undefined && isOlder(last, known)) return;
    record.ownWrite = this.#write(versions);
  }

  /** A write may have been stored, or was stored with an unknown version. */
  noteInDoubt(record: Written): void {
    record.ownWrite = { ...this.#write([]), isInDoubt: true };
  }

  /** The live node was read: older states in the cache no longer count. */
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

  /** How a change in the cache relates to our writes. */
  see(record: Written, { before, after }: Update): SeenUpdate {
    const write = record.ownWrite;
    if (write === undefined || write.isInDoubt) return { isEcho: false, isAwaited: false };
    const at = write.versions.indexOf(after.resourceVersion);
    // The change between two consecutive versions is exactly our write.
    const isEcho = at > 0 && write.versions[at - 1] === before.resourceVersion;
    const isCaughtUp = isShown(write, after);
    if (isCaughtUp) {
      record.ownWrite = undefined;
      const isWrite = write.versions.length > 1;
      if (isWrite) this.#onShown(this.#clock.monotonic() - write.atMs);
    }
    return { isEcho, isAwaited: isCaughtUp && write.isAwaited };
  }

  #write(versions: readonly string[]): OwnWrite {
    return { versions, atMs: this.#clock.monotonic(), isInDoubt: false, isAwaited: false };
  }
}

function isShown({ versions }: OwnWrite, { resourceVersion }: NodeProjection): boolean {
  return !isOlder(resourceVersion, versions.at(-1) ?? '');
}
