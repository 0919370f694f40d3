/**
 * Remembers what routes need of instances: the interface that receives traffic for their pods, and whether it forwards.
 * Every look-up reads this together with the addresses, so routes of known nodes cost no extra call.
 */
import { interfacesOf, isFirstInterface } from './addresses.ts';
import { clusterIdsOf } from './cluster.ts';
import type { AWSError } from './failure.ts';
import { findById, type FindOptions } from './find-instances.ts';
import type { Instance } from './sdk/actions.ts';

export interface PodInterface {
  readonly id: string;
  /** While this check is on, EC2 drops packets to and from pod addresses. */
  readonly isChecked: boolean;
  /** The ids of the clusters whose tags the instance has. */
  readonly clusterIds: readonly string[];
}

/** More than a cluster has. Above this, a map is emptied, which drops instances that are gone. */
const rememberedMax = 50_000;

/** How long EC2 may show an interface as it was before its check was turned off. An answer under way is as old. */
const showLateMsMax = 60_000;

/** A route may lead to an instance that EC2 never shows, such as one of another account. */
const askAgainMs = 300_000;

export class Interfaces {
  readonly #sources: Pick<FindOptions, 'instances' | 'clock'>;
  /** Keyed by instance id. */
  readonly #known = new Map<string, PodInterface>();
  /** When Tandem turned off the check, by the id of the interface. */
  readonly #forwardsSinceMs = new Map<string, number>();
  /** When to ask again about instances that EC2 does not show. */
  readonly #askAgainAtMs = new Map<string, number>();

  constructor(sources: Pick<FindOptions, 'instances' | 'clock'>) {
    this.#sources = sources;
  }

  find(instanceId: string): PodInterface | undefined {
    return this.#known.get(instanceId);
  }

  /** Returns the interface of any instance of the cluster. */
  async findOneOf(clusterId: string, signal: AbortSignal): Promise<string | undefined> {
    const isOfCluster = ({ clusterIds }: PodInterface): boolean => clusterIds.includes(clusterId);
    const known = [...this.#known.values()].find(isOfCluster);
    if (known !== undefined) return known.id;
    const some = await this.#sources.instances.findSomeOf(clusterId, signal);
    return some.flatMap((instance) => podInterfaceOf(instance) ?? []).find(isOfCluster)?.id;
  }

  /** Records the answer of a call about these ids. */
  note(ids: readonly string[], instances: readonly Instance[]): void {
    for (const map of [this.#known, this.#forwardsSinceMs, this.#askAgainAtMs])
      if (map.size > rememberedMax) map.clear();
    for (const id of ids) {
      this.#known.delete(id);
      this.#askAgainAtMs.delete(id);
    }
    for (const instance of instances) {
      const found = podInterfaceOf(instance);
      if (!instance.InstanceId || !found) continue;
      const isChecked = found.isChecked && !this.#forwardsLately(found);
      this.#known.set(instance.InstanceId, { ...found, isChecked });
    }
  }

  noteForwarding(instanceId: string): void {
    const known = this.find(instanceId);
    if (known === undefined) return;
    this.#forwardsSinceMs.set(known.id, this.#sources.clock.monotonic());
    this.#known.set(instanceId, { ...known, isChecked: false });
  }

  #forwardsLately({ id }: PodInterface): boolean {
    const sinceMs = this.#forwardsSinceMs.get(id) ?? -Infinity;
    return this.#sources.clock.monotonic() - sinceMs < showLateMsMax;
  }

  /** Reads what EC2 shows of these instances. Returns why it could not read some of them, by their ids. */
  async learn(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, AWSError>> {
    const nowMs = this.#sources.clock.monotonic();
    const unknown = [...new Set(ids)].filter(
      (id) => !this.#known.has(id) && nowMs >= (this.#askAgainAtMs.get(id) ?? 0),
    );
    // A route does not say which zone its instance is in.
    const zones = new Map(unknown.map((id) => [id, '']));
    const failures = new Map<string, AWSError>();
    for (const { values, outcome } of await findById(zones, { ...this.#sources, signal })) {
      if (outcome.kind === 'read') this.note(values, outcome.instances);
      else for (const id of values) failures.set(id, outcome.err);
    }
    const notShown = unknown.filter((id) => !this.#known.has(id) && !failures.has(id));
    for (const id of notShown) this.#askAgainAtMs.set(id, nowMs + askAgainMs);
    return failures;
  }
}

function podInterfaceOf(instance: Instance): PodInterface | undefined {
  const first = interfacesOf(instance).find(isFirstInterface);
  if (first?.NetworkInterfaceId === undefined) return undefined;
  return {
    id: first.NetworkInterfaceId,
    // If EC2 does not say, Tandem turns the check off, at worst once too often.
    isChecked: first.SourceDestCheck ?? true,
    clusterIds: clusterIdsOf(instance),
  };
}
