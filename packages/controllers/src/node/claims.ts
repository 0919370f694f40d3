/**
 * Which nodes claim which instance: by their own providerID, however it is spelt, or by what the cloud
 * found for them (P2). Instances are told apart by the key that the provider gives them, never by text.
 */
import { type Claimant, isInitialised } from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/node';
import type { InstanceKey } from '@tandem/provider/plug';
import type { CloudNodeRecord } from './node-state.ts';

export interface ClaimsOptions {
  readonly identify: (providerID: string) => string | undefined;
  readonly nodes: { get(name: string): NodeProjection | undefined };
}

export class Claims {
  readonly #options: ClaimsOptions;
  readonly #byKey = new Map<string, Set<CloudNodeRecord>>();

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** The node's own providerID names this instance. */
  setOwn(record: CloudNodeRecord, providerID: string): void {
    const before = record.state.ownKey;
    // A providerID that is not ours now may be later, when an inventory has changed.
    record.state.ownKey = this.#keyOf(providerID) ?? (providerID || undefined);
    this.#refile(record, before);
  }

  /**
   * The cloud found this instance for the node, or none. Returns the other claimants of the former
   * one.
   */
  setFound(record: CloudNodeRecord, providerID: string): readonly CloudNodeRecord[] {
    const before = record.state.foundKey;
    record.state.foundKey = this.#keyOf(providerID);
    if (before === record.state.foundKey) return [];
    this.#refile(record, before);
    return this.#others(record, [before]);
  }

  /** The node is gone. Returns the other claimants of its instance. */
  drop(record: CloudNodeRecord): readonly CloudNodeRecord[] {
    const rivals = this.rivals(record);
    const { ownKey, foundKey } = record.state;
    for (const key of [ownKey, foundKey]) this.#remove(record, key);
    return rivals;
  }

  /** The nodes that claim one of these instances. */
  holders(keys: Iterable<InstanceKey>): readonly CloudNodeRecord[] {
    return Array.from(keys, (key) => [...(this.#byKey.get(key) ?? [])]).flat();
  }

  /** Every other node that claims the same instance: for most nodes none. */
  rivals(record: CloudNodeRecord): readonly CloudNodeRecord[] {
    return this.#others(record, [record.state.ownKey, record.state.foundKey]);
  }

  /** The rivals as the planner sees them. */
  claimants(record: CloudNodeRecord): Claimant[] {
    return this.rivals(record).flatMap(({ name, uid, state }) => {
      const node = this.#options.nodes.get(name);
      if (node?.uid !== uid) return [];
      const isOurs = this.#keyOf(node.providerID) !== undefined;
      if (!isOurs && state.foundKey === undefined) return [];
      const { creationTimestampSeconds } = node;
      const isHolder = isInitialised(node) || state.isTaking;
      return [{ name, uid, creationTimestampSeconds, isInitialised: isHolder }];
    });
  }

  #others(
    record: CloudNodeRecord,
    keys: readonly (string | undefined)[],
  ): readonly CloudNodeRecord[] {
    const others = new Set<CloudNodeRecord>();
    for (const key of keys) {
      if (key === undefined) continue;
      for (const other of this.#byKey.get(key) ?? []) if (other !== record) others.add(other);
    }
    return [...others];
  }

  #refile(record: CloudNodeRecord, before: string | undefined): void {
    const { ownKey, foundKey } = record.state;
    if (before !== ownKey && before !== foundKey) this.#remove(record, before);
    if (record.isGone) return;
    for (const key of [ownKey, foundKey]) {
      if (key === undefined) continue;
      const filed = this.#byKey.get(key);
      if (filed === undefined) this.#byKey.set(key, new Set([record]));
      else filed.add(record);
    }
  }

  #remove(record: CloudNodeRecord, key: string | undefined): void {
    if (key === undefined) return;
    const filed = this.#byKey.get(key);
    filed?.delete(record);
    if (filed?.size === 0) this.#byKey.delete(key);
  }

  #keyOf(providerID: string): string | undefined {
    return providerID === '' ? undefined : this.#options.identify(providerID);
  }
}
