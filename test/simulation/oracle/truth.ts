/**
 * What is and was true in the cloud, and which machine is whose: kept beside the cloud by whoever moves
 * it, so that no answer of the cloud, late or wrong, has any part in it.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Instance } from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';

/** Addresses that an instance has, or had until it got others. */
interface PastList {
  readonly addresses: readonly NodeAddress[];
  readonly untilMs: number;
}

/**
 * What tells a machine from others in every spelling of its providerID: the last part, in small letters.
 */
export function machineKeyOf(providerID: string): string {
  return providerID.toLowerCase().split('/').at(-1) ?? '';
}

export class Truth {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Every list of addresses that an instance has had, the newest last. */
  readonly #lists = new Map<string, PastList[]>();
  readonly #running = new Set<string>();
  /** The providerID of the machine that the next node of a name is. */
  readonly #machines = new Map<string, string>();
  /** The providerID of the machine of each Node object that there ever was. */
  readonly #byUid = new Map<string, string>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  created(name: string, { providerID, addresses }: Instance): void {
    this.#lists.set(providerID, [{ addresses, untilMs: Number.POSITIVE_INFINITY }]);
    this.#running.add(providerID);
    this.#machines.set(name, providerID);
  }

  readdressed({ providerID, addresses }: Instance): void {
    const lists = this.#lists.get(providerID) ?? [];
    const last = lists.pop();
    if (last !== undefined) lists.push({ ...last, untilMs: this.#clock.monotonic() });
    lists.push({ addresses, untilMs: Number.POSITIVE_INFINITY });
  }

  terminated(name: string): void {
    this.#running.delete(this.machineOf(name));
  }

  /** A kubelet that says that it is another's machine. */
  twinned(name: string, of: string): void {
    this.#machines.set(name, this.machineOf(of));
  }

  registered(name: string, uid: string): void {
    this.#byUid.set(uid, this.machineOf(name));
  }

  /** Empty for a name without any machine of this cloud. */
  machineOf(name: string): string {
    return this.#machines.get(name) ?? '';
  }

  /** The providerID of this very Node's machine; empty where it has none. */
  ownOf(uid: string): string {
    return this.#byUid.get(uid) ?? '';
  }

  isRunning(providerID: string): boolean {
    return this.#running.has(providerID);
  }

  listsOf(providerID: string): readonly PastList[] {
    return this.#lists.get(providerID) ?? [];
  }

  latestOf(providerID: string): readonly NodeAddress[] {
    return this.#lists.get(providerID)?.at(-1)?.addresses ?? [];
  }
}
