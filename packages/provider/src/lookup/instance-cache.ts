/**
 * Found instances, for as long as a caller may still use them. Only `found` is kept:
 * an absence is looked up again each time. A node without a providerID is known by its UID, so that a
 * namesake that was created later never gets its predecessor's instance (P2); what was found for it is
 * also kept under the instance's providerID, which the node is about to get.
 */
import type { InstanceKey, NodeRef } from '../plug/index.ts';
import type { Known, KnownInstance } from './answer.ts';

export interface CachedInstance {
  readonly instance: KnownInstance;
  readonly asOfMs: number;
}

/** A node as far as answers are kept of it. */
export type NodeIdentity = Pick<NodeRef, 'name' | 'uid' | 'providerID'>;

/** Entries, of which a node has two at most. Beyond them the oldest goes. */
const entriesMax = 100_000;

/** What node an answer is for: the instance that it names, or else this very Node object. */
export function keyOf({ name, uid, providerID }: NodeIdentity): string {
  return providerID === '' ? `node ${uid} ${name}` : instanceKey(providerID);
}

export class InstanceCache {
  readonly #entries = new Map<string, CachedInstance>();

  get size(): number {
    return this.#entries.size;
  }

  /** What is known, if it is not older than `sinceMs`. */
  find(node: NodeIdentity, sinceMs: number): CachedInstance | undefined {
    const entry = this.#entries.get(keyOf(node));
    return entry !== undefined && entry.asOfMs >= sinceMs ? entry : undefined;
  }

  /** Answers may arrive out of order; an older one never replaces a younger. */
  take(node: NodeIdentity, answer: Known): void {
    const key = keyOf(node);
    const known = this.#entries.get(key);
    if (known !== undefined && known.asOfMs > answer.asOfMs) return;
    if (answer.kind !== 'found') {
      this.forget(node);
      return;
    }
    const { instance, asOfMs } = answer;
    this.#put(key, { instance, asOfMs });
    this.#put(instanceKey(instance.providerID), { instance, asOfMs });
  }

  forget(node: NodeIdentity): void {
    const key = keyOf(node);
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known !== undefined) this.#entries.delete(instanceKey(known.instance.providerID));
  }

  /** Lets go of instances that may have changed; of all where none is named. */
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

  /** The map's order is that of the last answers, so that the oldest are at its head. */
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
