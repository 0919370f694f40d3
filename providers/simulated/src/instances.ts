/**
 * The instances of the simulated cloud: which there are, what they are called, and what of it shows.
 * Several may have had one name, one after the other; a name leads to the latest that shows.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Instance, InstanceState, NodeRef } from '@tandem/provider/plug';
import type { Clock, Random } from '@tandem/runtime';
import { Timeline } from './timeline.ts';

export const scheme = 'simulated://';

/** What is left out is made up from the number of the instance. */
export type InstanceOrder = { readonly name: string } & Partial<Omit<Instance, 'providerID'>>;

export class Instances {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #byId = new Map<string, Timeline>();
  readonly #idsByName = new Map<string, readonly string[]>();
  #created = 0;
  lagMsMax = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A new instance. An older one of that name stays what it is. */
  create({ name, ...order }: InstanceOrder): Instance {
    const number = ++this.#created;
    const instance: Instance = {
      providerID: `${scheme}/zone-${number % 3}/i-${number.toString(16).padStart(8, '0')}`,
      addresses: addressesOf(number),
      instanceType: 'sim.large',
      zone: `zone-${number % 3}`,
      region: 'simulation',
      state: 'running',
      labels: {},
      podCIDRs: [],
      ...order,
    };
    const timeline = new Timeline();
    this.#forgetOver(name);
    this.#byId.set(instance.providerID, timeline);
    this.#idsByName.set(name, [...this.#idsOf(name), instance.providerID]);
    timeline.change(instance, this.#shownFromMs());
    return instance;
  }

  change(
    name: string,
    changes: { readonly addresses?: readonly NodeAddress[]; readonly state?: InstanceState },
  ): Instance {
    const timeline = this.#live(name);
    const { latest } = timeline;
    if (latest === undefined) throw new Error(`there is no instance ${name}`);
    const instance = { ...latest, ...changes };
    timeline.change(instance, this.#shownFromMs());
    return instance;
  }

  terminate(name: string): void {
    this.#live(name).change(undefined, this.#shownFromMs());
  }

  /** What is true of the latest instance of that name, whether or not it shows. */
  find(name: string): Instance | undefined {
    return this.#timelinesOf(name).find(({ latest }) => latest !== undefined)?.latest;
  }

  /** Whether there ever was one: a node is adopted once only. */
  hasHad(name: string): boolean {
    return this.#idsByName.has(name);
  }

  /** What a look-up shows of it now. */
  shown({ name, providerID }: NodeRef): Instance | undefined {
    const nowMs = this.#clock.monotonic();
    if (providerID !== '') return this.#byId.get(providerID)?.shownAt(nowMs);
    for (const timeline of this.#timelinesOf(name)) {
      const instance = timeline.shownAt(nowMs);
      if (instance !== undefined) return instance;
    }
    return undefined;
  }

  #live(name: string): Timeline {
    const timeline = this.#timelinesOf(name).find(({ latest }) => latest !== undefined);
    if (timeline === undefined) throw new Error(`there is no instance ${name}`);
    return timeline;
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
