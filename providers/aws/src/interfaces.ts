/**
 * What routes need to know of instances: the interface that traffic for their pods goes to, and whether it
 * forwards. Every look-up reads it along with the addresses, so that routes of settled nodes cost no call.
 */
import type { Instance } from '@aws-sdk/client-ec2';
import { interfacesOf, isFirstInterface } from './addresses.ts';
import { clusterIdsOf } from './cluster.ts';
import { filterValuesMax, type InstanceApi } from './instance-api.ts';

export interface PodInterface {
  readonly id: string;
  /** While it is on, EC2 drops packets to and from the addresses of pods. */
  readonly isChecked: boolean;
  /** Of the clusters whose tags the instance has. */
  readonly clusterIds: readonly string[];
}

/** More than a cluster has. Past it, instances that are gone are forgotten with the others. */
const rememberedMax = 50_000;

export class Interfaces {
  readonly #api: InstanceApi;
  /** By the id of the instance; undefined where EC2 does not show us the instance. */
  readonly #known = new Map<string, PodInterface | undefined>();

  constructor(api: InstanceApi) {
    this.#api = api;
  }

  find(instanceId: string): PodInterface | undefined {
    return this.#known.get(instanceId);
  }

  /** Takes in what a call about these ids said. */
  note(ids: readonly string[], instances: readonly Instance[]): void {
    if (this.#known.size > rememberedMax) this.#known.clear();
    for (const id of ids) this.#known.delete(id);
    for (const instance of instances) {
      const { InstanceId } = instance;
      if (InstanceId) this.#known.set(InstanceId, podInterfaceOf(instance));
    }
  }

  noteForwarding(instanceId: string): void {
    const known = this.find(instanceId);
    if (known !== undefined) this.#known.set(instanceId, { ...known, isChecked: false });
  }

  /** Resolves when all that EC2 shows of these instances is known. */
  async learn(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#known.has(id));
    for (let from = 0; from < unknown.length; from += filterValuesMax) {
      const chunk = unknown.slice(from, from + filterValuesMax);
      const filter = { Name: 'instance-id', Values: chunk };
      const instances = await this.#api.findByFilter(filter, signal);
      for (const id of chunk) this.#known.set(id, undefined);
      this.note([], instances);
    }
  }
}

function podInterfaceOf(instance: Instance): PodInterface | undefined {
  const first = interfacesOf(instance).find(isFirstInterface);
  if (first?.NetworkInterfaceId === undefined) return undefined;
  return {
    id: first.NetworkInterfaceId,
    // Where EC2 does not say, it is turned off once too often.
    isChecked: first.SourceDestCheck ?? true,
    clusterIds: clusterIdsOf(instance),
  };
}
