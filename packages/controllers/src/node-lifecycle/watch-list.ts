/**
 * The nodes that are not Ready, and those that still have the shutdown taint, kept up by the informer's
 * changes: a pass looks at these and at no others, so that a healthy cluster costs nothing. It holds
 * nothing of a node that is well or gone.
 */
import { shutdownTaint } from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/codec';
import type { Change } from '@tandem/kube/informer';
import type { Clock } from '@tandem/runtime';
import { bornAtMs, isReadyNode, WatchedNode } from './watched-node.ts';

export interface WatchListOptions {
  readonly clock: Clock;
  /** The cloud is not asked about younger nodes: their absence would not count. */
  readonly minAgeMs: number;
  /** Called for what is no longer watched, or watched under another identity. */
  readonly onDropped: (watched: WatchedNode) => void;
}

export class WatchList {
  readonly #options: WatchListOptions;
  readonly #watched = new Map<string, WatchedNode>();

  constructor(options: WatchListOptions) {
    this.#options = options;
  }

  values(): Iterable<WatchedNode> {
    return this.#watched.values();
  }

  due(nowMs: number): WatchedNode[] {
    return [...this.#watched.values()].filter(({ dueMs }) => dueMs <= nowMs);
  }

  /** Whether what was decided about it still is about a node that is there. */
  isCurrent(watched: WatchedNode): boolean {
    return this.#watched.get(watched.name) === watched;
  }

  /** Takes a change of the informer's. */
  take(change: Change<NodeProjection>): void {
    switch (change.kind) {
      case 'added':
        return this.#see(change.object);
      case 'updated':
        return this.#see(change.after);
      case 'deleted':
        return this.#drop(change.object.name);
    }
  }

  clear(): void {
    for (const name of this.#watched.keys()) this.#drop(name);
  }

  #see(node: NodeProjection): void {
    const before = this.#watched.get(node.name);
    if (!isOfInterest(node)) return this.#drop(node.name);
    if (before?.isOf(node)) return this.#wake(before, node);
    this.#drop(node.name);
    this.#watched.set(node.name, this.#watch(node, before));
  }

  #watch(node: NodeProjection, before: WatchedNode | undefined): WatchedNode {
    const { clock, minAgeMs } = this.#options;
    const born = before?.uid === node.uid ? before.bornAtMs : bornAtMs(node, clock);
    const dueMs = isReadyNode(node) ? clock.monotonic() : this.#soonest(born, minAgeMs);
    return new WatchedNode(node, { bornAtMs: born, dueMs });
  }

  /** What was put off is looked at again when the node says something new. */
  #wake(watched: WatchedNode, node: NodeProjection): void {
    const hasTurned = watched.readyStatus !== node.ready?.status;
    watched.readyStatus = node.ready?.status;
    if (!hasTurned && !watched.isParked) return;
    watched.isParked = false;
    watched.repeats = 0;
    watched.dueMs = watched.isReady
      ? this.#options.clock.monotonic()
      : this.#soonest(watched.bornAtMs, this.#options.minAgeMs);
  }

  #soonest(born: number, minAgeMs: number): number {
    return Math.max(this.#options.clock.monotonic(), born + minAgeMs);
  }

  #drop(name: string): void {
    const watched = this.#watched.get(name);
    if (watched === undefined) return;
    this.#watched.delete(name);
    this.#options.onDropped(watched);
  }
}

function isOfInterest(node: NodeProjection): boolean {
  return !isReadyNode(node) || node.taints.some(({ key }) => key === shutdownTaint.key);
}
