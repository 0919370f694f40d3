/**
 * The instances of the simulated cloud: which there are, what they are called, and what of it shows.
 * Several may have had one name, one after the other; a name leads to the latest that shows.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Instance, InstanceKey, InstanceState, NodeRef } from '@tandem/provider/plug';
import type { Clock, Random } from '@tandem/runtime';
import { Timeline } from './timeline.ts';

const scheme = 'simulated://';

/**
 * The id that a providerID ends with: it says all. The zone before it may be left out, and capitals are
 * as good as small letters.
 */
export function idOf(providerID: string): InstanceKey | undefined {
  if (!providerID.startsWith(scheme)) return undefined;
  const id = providerID.slice(Math.max(scheme.length, providerID.lastIndexOf('/') + 1));
  return id === '' ? undefined : id.toLowerCase();
}

/** Other spellings of a providerID that the cloud gave: without its zone, and in capitals. */
export function otherSpellings(providerID: string): readonly string[] {
  const id = idOf(providerID) ?? '';
  const zone = providerID.slice(scheme.length, -id.length);
  return [`${scheme}/${id}`, `${scheme}${zone.toUpperCase()}${id.toUpperCase()}`];
}

/** What is left out is made up from the number of the instance. */
export type InstanceOrder = { readonly name: string } & Partial<Omit<Instance, 'providerID'>>;

export class Instances {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #byId = new Map<string, Timeline>();
  readonly #idsByName = new Map<string, readonly string[]>();
  #created = 0;
  lagMsMax = 0;
  /** Told of every change, with the time from which on look-ups show it. */
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

  /** A new instance. An older one of that name stays what it is. */
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

  /** What is true of the latest instance of that name, whether or not it shows. */
  find(name: string): Instance | undefined {
    return this.#timelinesOf(name).find(({ latest }) => latest !== undefined)?.latest;
  }

  /** Whether there ever was one: a node is adopted once only. */
  hasHad(name: string): boolean {
    return this.#idsByName.has(name);
  }

  /** Whether the instance of this key exists, whether or not it shows. */
  isLive(key: string): boolean {
    return this.#byId.get(key)?.latest !== undefined;
  }

  /** What a look-up shows of it now. */
  shown({ name, providerID }: NodeRef): Instance | undefined {
    const nowMs = this.#clock.monotonic();
    if (providerID !== '') return this.#byId.get(idOf(providerID) ?? '')?.shownAt(nowMs);
    for (const timeline of this.#timelinesOf(name)) {
      const instance = timeline.shownAt(nowMs);
      if (instance !== undefined) return instance;
    }
    return undefined;
  }

  /** Undefined takes the instance away. */
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

  /** What is gone for good, so that a name that is used again and again holds no history. */
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

/** Both families, of room for 65,536 instances each. */
function addressesOf(number: number): readonly NodeAddress[] {
  return [
    { type: 'InternalIP', address: `10.100.${(number >> 8) & 255}.${number & 255}` },
    { type: 'InternalIP', address: `fd00:100::${number.toString(16)}` },
  ];
}
