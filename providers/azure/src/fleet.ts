/**
 * Caches all lists of machines and of their networks for as long as look-ups accept them. Azure lists virtual machines
 * by resource group and instances by scale set, so no list is read for a single node.
 */
import type { Clock, Logger } from '@tandem/runtime';
import { isResourceMissing } from './call-failure.ts';
import { AzureError } from './failure.ts';
import type { InterfaceFacts, PublicAddressFacts } from './interface.ts';
import { ListCache, type Read } from './list-cache.ts';
import type { FlexibleScope, MachineApi, ScaleSet, ScaleSetScope } from './machine-api.ts';
import type { Machine } from './machine.ts';
import { idKeyOf, type Scope, scopeKeyOf } from './resource-id.ts';

export interface Machines {
  readonly byKey: ReadonlyMap<string, Machine>;
  /** By the possible names of the node that runs on each machine. */
  readonly byName: ReadonlyMap<string, readonly Machine[]>;
}

/** The place of a network list: Azure lists interfaces and public addresses by resource group and by scale set. */
export type NetworkScope = Scope | ScaleSetScope;

/** The lists of one look-up. */
export interface FleetView {
  readonly virtualMachines: Read<Scope, Machines>;
  /** The power states of all virtual machines of a subscription; undefined if the role may not read them. */
  readonly statuses: Read<string, Machines | undefined>;
  readonly flexibleMachines: Read<FlexibleScope, Machines>;
  readonly scaleSets: Read<Scope, readonly ScaleSet[]>;
  /** Undefined if Azure does not find the scale set. */
  readonly instances: Read<ScaleSetScope, Machines | undefined>;
  readonly interfaces: Read<NetworkScope, ReadonlyMap<string, InterfaceFacts>>;
  readonly publicAddresses: Read<NetworkScope, ReadonlyMap<string, PublicAddressFacts>>;
  /** Whether any list of the resource group since the program started had a virtual machine. */
  readonly hadMachines: (scope: Scope) => boolean;
  /** Whether any list of the resource group since the program started had a scale set. */
  readonly hadScaleSets: (scope: Scope) => boolean;
}

type Caches = {
  readonly [
    List in keyof FleetView as FleetView[List] extends Read<never, unknown> ? List : never
  ]: FleetView[List] extends Read<infer Place, infer T> ? ListCache<Place, T> : never;
};

export class Fleet {
  readonly #caches: Caches;
  readonly #logger: Logger;
  /** The resource groups in which a list had a virtual machine. */
  readonly #withMachines = new Set<string>();
  /** The resource groups in which a list had a scale set. */
  readonly #withScaleSets = new Set<string>();
  /** The subscriptions whose statuses Azure returned at least once. */
  readonly #readable = new Set<string>();
  /** The subscriptions whose statuses Azure refused, so that the log says it once. */
  readonly #unreadable = new Set<string>();

  constructor(api: MachineApi, clock: Clock, logger: Logger) {
    this.#logger = logger;
    this.#caches = {
      virtualMachines: new ListCache({
        clock,
        keyOf: scopeKeyOf,
        load: async (scope, signal) => {
          const machines = machinesOf(await api.virtualMachines(scope, { signal }));
          if (machines.byKey.size > 0) this.#withMachines.add(scopeKeyOf(scope));
          return machines;
        },
      }),
      statuses: new ListCache<string, Machines | undefined>({
        clock,
        keyOf: (subscriptionId) => subscriptionId.toLowerCase(),
        load: (subscriptionId, signal) => this.#loadStatuses(subscriptionId, api, signal),
      }),
      flexibleMachines: new ListCache({
        clock,
        keyOf: ({ id }) => idKeyOf(id),
        load: async (scope, signal) => machinesOf(await api.flexibleMachines(scope, { signal })),
      }),
      scaleSets: new ListCache({
        clock,
        keyOf: scopeKeyOf,
        load: async (scope, signal) => {
          const scaleSets = await api.scaleSets(scope, { signal });
          if (scaleSets.length > 0) this.#withScaleSets.add(scopeKeyOf(scope));
          return scaleSets;
        },
      }),
      instances: new ListCache<ScaleSetScope, Machines | undefined>({
        clock,
        keyOf: networkKeyOf,
        load: async (scope, signal) => {
          try {
            return machinesOf(await api.instances(scope, { signal }));
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
      flexibleMachines: this.#caches.flexibleMachines.open(options),
      scaleSets: this.#caches.scaleSets.open(options),
      instances: this.#caches.instances.open(options),
      interfaces: this.#caches.interfaces.open(options),
      publicAddresses: this.#caches.publicAddresses.open(options),
      hadMachines: (scope) => this.#withMachines.has(scopeKeyOf(scope)),
      hadScaleSets: (scope) => this.#withScaleSets.has(scopeKeyOf(scope)),
    };
  }

  /**
   * Loads the statuses of a subscription. A role that is limited to a resource group may never read them, and
   * upstream's manager works without them, too. If Azure returned them before, a refusal counts as an outage: a stopped
   * machine must not seem to run.
   */
  async #loadStatuses(
    subscriptionId: string,
    api: MachineApi,
    signal: AbortSignal,
  ): Promise<Machines | undefined> {
    try {
      const statuses = machinesOf(await api.statuses(subscriptionId, { signal }));
      this.#readable.add(subscriptionId);
      return statuses;
    } catch (err) {
      const isRefused = err instanceof AzureError && err.code === 'AzureAccessRefused';
      if (!isRefused || this.#readable.has(subscriptionId)) throw err;
      if (!this.#unreadable.has(subscriptionId)) {
        this.#logger.warn(
          { err },
          'Took standalone virtual machines for running because their states may not be read',
        );
      }
      this.#unreadable.add(subscriptionId);
      return undefined;
    }
  }
}

export function networkKeyOf(scope: NetworkScope): string {
  const key = scopeKeyOf(scope);
  return 'scaleSet' in scope ? `${key}/${scope.scaleSet.toLowerCase()}` : key;
}

function machinesOf(machines: readonly Machine[]): Machines {
  const byName = new Map<string, Machine[]>();
  for (const machine of machines) {
    for (const name of machine.names) {
      const namesakes = byName.get(name);
      if (namesakes === undefined) byName.set(name, [machine]);
      else namesakes.push(machine);
    }
  }
  return { byKey: new Map(machines.map((machine) => [machine.ref.key, machine])), byName };
}

function indexed<T extends { readonly key: string }>(facts: readonly T[]): ReadonlyMap<string, T> {
  return new Map(facts.map((fact) => [fact.key, fact]));
}
