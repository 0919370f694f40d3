/**
 * Keeps found instances for as long as a caller may still use them. It keeps only `found` answers: an absence is
 * looked up again each time. The key of a node without a providerID is its UID, so a later node with the same name
 * never gets its predecessor's instance (P2). Such an answer is also kept under the instance's providerID, which the
 * node is about to get.
 */
import { isDeepStrictEqual } from 'node:util';
import type { InstanceKey, NodeRef } from '../plug/index.ts';
import type { Known, KnownInstance } from './answer.ts';

export interface CachedInstance {
  readonly instance: KnownInstance;
  readonly asOfMs: number;
}

/** The parts of a node that the key of an answer depends on. */
export type NodeIdentity = Pick<NodeRef, 'name' | 'uid' | 'providerID'>;

/** The maximum number of entries. A node has at most two. Above this, the oldest entry is dropped. */
const entriesMax = 100_000;

/** The key of an answer: the instance that the node names, or else the UID of the Node. */
export function keyOf({ name, uid, providerID }: NodeIdentity): string {
  return providerID === '' ? `node ${uid} ${name}` : instanceKey(providerID);
}

export class InstanceCache {
  readonly #entries = new Map<string, CachedInstance>();

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the kept answer, unless it is older than `sinceMs`. */
  find(node: NodeIdentity, sinceMs: number): CachedInstance | undefined {
    const entry = this.#entries.get(keyOf(node));
    return entry !== undefined && entry.asOfMs >= sinceMs ? entry : undefined;
  }

  /**
   * Answers may arrive out of order. An older answer never replaces a newer one. An unchanged instance keeps its object:
   * otherwise each refresh of a fleet would leave the whole fleet behind as garbage that has grown old.
   */
  take(node: NodeIdentity, answer: Known): void {
    const key = keyOf(node);
    const known = this.#entries.get(key);
    if (known !== undefined && known.asOfMs > answer.asOfMs) return;
    if (answer.kind !== 'found') {
      this.forget(node);
      return;
    }
    const isUnchanged = isDeepStrictEqual(known?.instance, answer.instance);
    const instance = isUnchanged && known ? known.instance : answer.instance;
    const entry = { instance, asOfMs: answer.asOfMs };
    this.#put(key, entry);
    this.#put(instanceKey(instance.providerID), entry);
  }

  forget(node: NodeIdentity): void {
    const key = keyOf(node);
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known !== undefined) this.#entries.delete(instanceKey(known.instance.providerID));
  }

  /** Drops instances that may have changed, or all of them if none is named. */
  outdate(keys: ReadonlySet<InstanceKey>): void {
    if (keys.size === 0) this.#entries.clear();
    for (const [key, { instance }] of this.#entries) {
      if (keys.has(instance.key)) this.#entries.delete(key);
    }
  }

  /** Drops entries that are too old for every caller. */
  dropOlderThan(sinceMs: number): void {
    for (const [key, { asOfMs }] of this.#entries) {
      if (asOfMs >= sinceMs) return;
      this.#entries.delete(key);
    }
  }

  /** The map is ordered by the time of the last answer, so the oldest entries come first. */
  #put(key: string, entry: CachedInstance): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size <= entriesMax) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}

function instanceKey(providerID: string): string {
  return `instance ${providerID}`;
}
