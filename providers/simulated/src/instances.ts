/**
 * Holds the instances of the simulated cloud, and what look-ups show of them. Several instances may have had the same
 * name, one after the other. A look-up by name finds the latest one that it shows.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Instance, InstanceKey, InstanceState, NodeRef } from '@tandem/provider/plug';
import type { Clock, Random } from '@tandem/runtime';
import { Timeline } from './timeline.ts';

const scheme = 'simulated://';

/**
 * Returns the id at the end of a providerID, which alone identifies the instance. The zone before it is optional, and
 * case does not matter.
 */
export function idOf(providerID: string): InstanceKey | undefined {
  if (!providerID.startsWith(scheme)) return undefined;
  const id = providerID.slice(Math.max(scheme.length, providerID.lastIndexOf('/') + 1));
  return id === '' ? undefined : id.toLowerCase();
}

/** Returns other spellings of a providerID: without the zone, and in capitals. */
export function otherSpellings(providerID: string): readonly string[] {
  const id = idOf(providerID) ?? '';
  const zone = providerID.slice(scheme.length, -id.length);
  return [`${scheme}/${id}`, `${scheme}${zone.toUpperCase()}${id.toUpperCase()}`];
}

/** Missing fields get defaults that are derived from the number of the instance. */
export type InstanceOrder = { readonly name: string } & Partial<Omit<Instance, 'providerID'>>;

export class Instances {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #byId = new Map<string, Timeline>();
  readonly #idsByName = new Map<string, readonly string[]>();
  #created = 0;
  lagMsMax = 0;
  /** Called on every change, with the time from which look-ups show it. */
  readonly #onChange: (key: InstanceKey, shownFromMs: number) => void;

  constructor(
    clock: Clock,
    random: Random,
    onChange: (key: InstanceKey, shownFromMs: number) => void,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#onChange = onChange;
  }

  /** Creates an instance. An older one with the same name stays unchanged. */
  create({ name, ...order }: InstanceOrder): Instance {
    const number = ++this.#created;
    const id = `i-${number.toString(16).padStart(8, '0')}`;
    const instance: Instance = {
      providerID: `${scheme}/zone-${number % 3}/${id}`,
      addresses: addressesOf(number),
      instanceType: 'sim.large',
      zone: `zone-${number % 3}`,
      region: 'simulation',
      state: 'running',
      labels: {},
      podBlocks: { IPv4: [], IPv6: [] },
      ...order,
    };
    this.#forgetOver(name);
    this.#byId.set(id, new Timeline());
    this.#idsByName.set(name, [...this.#idsOf(name), id]);
    this.#put(id, instance);
    return instance;
  }

  change(
    name: string,
    changes: { readonly addresses?: readonly NodeAddress[]; readonly state?: InstanceState },
  ): Instance {
    const { id, latest } = this.#live(name);
    const instance = { ...latest, ...changes };
    this.#put(id, instance);
    return instance;
  }

  terminate(name: string): void {
    this.#put(this.#live(name).id, undefined);
  }

  /** Returns the current state of the latest instance with the name, even if look-ups do not show it yet. */
  find(name: string): Instance | undefined {
    return this.#timelinesOf(name).find(({ latest }) => latest !== undefined)?.latest;
  }

  /** Returns whether an instance with the name ever existed. A node is adopted only once. */
  hasHad(name: string): boolean {
    return this.#idsByName.has(name);
  }

  /** Returns whether the instance exists, even if look-ups do not show it yet. */
  isLive(key: string): boolean {
    return this.#byId.get(key)?.latest !== undefined;
  }

  /** Returns what a look-up of the node shows now. */
  shown({ name, providerID }: NodeRef): Instance | undefined {
    const nowMs = this.#clock.monotonic();
    if (providerID !== '') return this.#byId.get(idOf(providerID) ?? '')?.shownAt(nowMs);
    for (const timeline of this.#timelinesOf(name)) {
      const instance = timeline.shownAt(nowMs);
      if (instance !== undefined) return instance;
    }
    return undefined;
  }

  /** Undefined removes the instance. */
  #put(id: string, instance: Instance | undefined): void {
    const shownFromMs = this.#shownFromMs();
    this.#byId.get(id)?.change(instance, shownFromMs);
    this.#onChange(id, shownFromMs);
  }

  #live(name: string): { readonly id: string; readonly latest: Instance } {
    for (const id of this.#idsOf(name).toReversed()) {
      const latest = this.#byId.get(id)?.latest;
      if (latest !== undefined) return { id, latest };
    }
    throw new Error(`There is no instance "${name}"`);
  }

  /** Forgets instances that are gone, so that a name that is used repeatedly keeps no history. */
  #forgetOver(name: string): void {
    const nowMs = this.#clock.monotonic();
    const over = this.#idsOf(name).filter((id) => this.#byId.get(id)?.isOver(nowMs));
    for (const id of over) this.#byId.delete(id);
    const left = this.#idsOf(name).filter((id) => this.#byId.has(id));
    if (over.length > 0) this.#idsByName.set(name, left);
  }

  /** The latest first. */
  #timelinesOf(name: string): readonly Timeline[] {
    return this.#idsOf(name)
      .toReversed()
      .flatMap((id) => this.#byId.get(id) ?? []);
  }

  #idsOf(name: string): readonly string[] {
    return this.#idsByName.get(name) ?? [];
  }

  #shownFromMs(): number {
    return this.#clock.monotonic() + Math.floor(this.#random.next() * this.lagMsMax);
  }
}

/** Returns one address of each family, unique for 65,536 instances. */
function addressesOf(number: number): readonly NodeAddress[] {
  return [
    { type: 'InternalIP', address: `10.100.${(number >> 8) & 255}.${number & 255}` },
    { type: 'InternalIP', address: `fd00:100::${number.toString(16)}` },
  ];
}
