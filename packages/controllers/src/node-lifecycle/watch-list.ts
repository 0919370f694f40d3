/**
 * The nodes that are not Ready, and those with the shutdown taint. A pass looks only at these, so
 * that a healthy cluster costs nothing. The list is part of the loop's records, and has no entry
 * for a healthy node.
 */
import { shutdownTaint } from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/node';
import type { Clock } from '@tandem/runtime';
import type { NodeRecords } from '../loop/index.ts';
import {
  bornAtMs,
  isReadyNode,
  type LifecycleRecord,
  type LifecycleState,
  WatchedNode,
} from './lifecycle-state.ts';

export interface WatchListOptions {
  readonly clock: Clock;
  readonly records: NodeRecords<LifecycleState>;
  /** The cloud is not asked about younger nodes: their absence would not count. */
  readonly minAgeMs: number;
  /** Called for a node that is no longer watched, or is watched in a new state. */
  readonly onDropped: (record: LifecycleRecord) => void;
}

export class WatchList {
  readonly #options: WatchListOptions;

  constructor(options: WatchListOptions) {
    this.#options = options;
  }

  values(): WatchedNode[] {
    return Array.from(this.#options.records.values(), ({ state }) => state.watched).filter(
      (watched) => watched !== undefined,
    );
  }

  due(nowMs: number): WatchedNode[] {
    return this.values().filter(({ dueMs }) => dueMs <= nowMs);
  }

  /** Makes these nodes due in the next pass, because their instances may have changed. */
  hasten(isConcerned: (watched: WatchedNode) => boolean): void {
    for (const watched of this.values()) {
      if (watched.isParked || watched.isReady || !isConcerned(watched)) continue;
      watched.repeats = 0;
      watched.dueMs = Math.min(watched.dueMs, this.#soonest(watched.bornAtMs));
    }
  }

  /** Takes a node of the cache. */
  see(record: LifecycleRecord, node: NodeProjection): void {
    const { state } = record;
    const before = state.watched;
    if (before?.isOf(node) && isOfInterest(node)) return this.#wake(before, node);
    state.watched = isOfInterest(node) ? this.#watch(record, node) : undefined;
    if (before !== undefined) this.#options.onDropped(record);
  }

  #watch(record: LifecycleRecord, node: NodeProjection): WatchedNode {
    const { clock } = this.#options;
    const born = record.state.watched?.bornAtMs ?? bornAtMs(node, clock);
    const dueMs = isReadyNode(node) ? clock.monotonic() : this.#soonest(born);
    return new WatchedNode(record, node, { bornAtMs: born, dueMs });
  }

  /** A postponed node is looked at again when it changes. */
  #wake(watched: WatchedNode, node: NodeProjection): void {
    const hasTurned = watched.readyStatus !== node.ready?.status;
    watched.readyStatus = node.ready?.status;
    if (!hasTurned && !watched.isParked) return;
    watched.isParked = false;
    watched.repeats = 0;
    watched.dueMs = watched.isReady
      ? this.#options.clock.monotonic()
      : this.#soonest(watched.bornAtMs);
  }

  #soonest(born: number): number {
    return Math.max(this.#options.clock.monotonic(), born + this.#options.minAgeMs);
  }
}

function isOfInterest(node: NodeProjection): boolean {
  return !isReadyNode(node) || node.taints.some(({ key }) => key === shutdownTaint.key);
}
