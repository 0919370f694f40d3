/**
 * All lists of machines and of their networks, kept for as long as look-ups allow. Azure lists virtual
 * machines by resource group and instances by scale set; there is never a call for a single node.
 */
import type { Clock } from '@tandem/runtime';
import { isResourceMissing } from './call-failure.ts';
import { AzureError } from './failure.ts';
import type { InterfaceFacts, PublicAddressFacts } from './interface.ts';
import { ListCache, type Read } from './list-cache.ts';
import type { MachineApi, ScaleSet, ScaleSetScope } from './machine-api.ts';
import type { Machine } from './machine.ts';
import { type Scope, scopeKeyOf } from './resource-id.ts';

/** Machines by their keys. */
export type Machines = ReadonlyMap<string, Machine>;

/** Interfaces and public addresses are listed by resource group, and by scale set. */
export type NetworkScope = Scope | ScaleSetScope;

/** The lists of one look-up. */
export interface FleetView {
  readonly virtualMachines: Read<Scope, Machines>;
  readonly statuses: Read<string, Machines>;
  readonly scaleSets: Read<Scope, readonly ScaleSet[]>;
  /** Undefined where there is no such scale set. */
  readonly instances: Read<ScaleSetScope, Machines | undefined>;
  readonly interfaces: Read<NetworkScope, ReadonlyMap<string, InterfaceFacts>>;
  readonly publicAddresses: Read<NetworkScope, ReadonlyMap<string, PublicAddressFacts>>;
  /** Whether a list of the resource group has had a virtual machine since the program began. */
  readonly hadMachines: (scope: Scope) => boolean;
}

type Caches = {
  readonly [
    List in keyof FleetView as FleetView[List] extends Read<never, unknown> ? List : never
  ]: FleetView[List] extends Read<infer Place, infer T> ? ListCache<Place, T> : never;
};

export class Fleet {
  readonly #caches: Caches;
  readonly #populated = new Set<string>();

  constructor(api: MachineApi, clock: Clock) {
    this.#caches = {
      virtualMachines: new ListCache({
        clock,
        keyOf: scopeKeyOf,
        load: async (scope, signal) => {
          const machines = byKey(await api.virtualMachines(scope, { signal }));
          if (machines.size > 0) this.#populated.add(scopeKeyOf(scope));
          return machines;
        },
      }),
      statuses: new ListCache({
        clock,
        keyOf: (subscriptionId) => subscriptionId.toLowerCase(),
        load: async (subscriptionId, signal) =>
          byKey(await api.statuses(subscriptionId, { signal })),
      }),
      scaleSets: new ListCache({
        clock,
        keyOf: scopeKeyOf,
        load: (scope, signal) => api.scaleSets(scope, { signal }),
      }),
      instances: new ListCache<ScaleSetScope, Machines | undefined>({
        clock,
        keyOf: networkKeyOf,
        load: async (scope, signal) => {
          try {
            return byKey(await api.instances(scope, { signal }));
          } catch (err) {
            if (err instanceof AzureError && isResourceMissing(err)) return undefined;
            throw err;
          }
        },
      }),
      interfaces: new ListCache({
        clock,
        keyOf: networkKeyOf,
        load: async (scope, signal) => indexed(await api.interfaces(scope, { signal })),
      }),
      publicAddresses: new ListCache({
        clock,
        keyOf: networkKeyOf,
        load: async (scope, signal) => indexed(await api.publicAddresses(scope, { signal })),
      }),
    };
  }

  open(options: { readonly maxAgeMs: number; readonly signal: AbortSignal }): FleetView {
    return {
      virtualMachines: this.#caches.virtualMachines.open(options),
      statuses: this.#caches.statuses.open(options),
      scaleSets: this.#caches.scaleSets.open(options),
      instances: this.#caches.instances.open(options),
      interfaces: this.#caches.interfaces.open(options),
      publicAddresses: this.#caches.publicAddresses.open(options),
      hadMachines: (scope) => this.#populated.has(scopeKeyOf(scope)),
    };
  }
}

export function networkKeyOf(scope: NetworkScope): string {
  const key = scopeKeyOf(scope);
  return 'scaleSet' in scope ? `${key}/${scope.scaleSet.toLowerCase()}` : key;
}

function byKey(machines: readonly Machine[]): Machines {
  return new Map(machines.map((machine) => [machine.ref.key, machine]));
}

function indexed<T extends { readonly key: string }>(facts: readonly T[]): ReadonlyMap<string, T> {
  return new Map(facts.map((fact) => [fact.key, fact]));
}
