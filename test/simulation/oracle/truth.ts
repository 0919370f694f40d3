/**
 * What is and was true in the cloud, and which machine is whose: kept beside the cloud by whoever moves
 * it, so that no answer of the cloud, late or wrong, has any part in it.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Instance } from '@tandem/provider/plug';

export class Truth {
  /** Every list of addresses that an instance has had, the newest last. */
  readonly #lists = new Map<string, (readonly NodeAddress[])[]>();
  readonly #running = new Set<string>();
  /** The providerID of the machine that the next node of a name is. */
  readonly #machines = new Map<string, string>();
  /** The providerID of the machine of each Node object that there ever was. */
  readonly #byUid = new Map<string, string>();

  created(name: string, { providerID, addresses }: Instance): void {
    this.#lists.set(providerID, [addresses]);
    this.#running.add(providerID);
    this.#machines.set(name, providerID);
  }

  readdressed({ providerID, addresses }: Instance): void {
    this.#lists.get(providerID)?.push(addresses);
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

  listsOf(providerID: string): readonly (readonly NodeAddress[])[] {
    return this.#lists.get(providerID) ?? [];
  }

  latestOf(providerID: string): readonly NodeAddress[] {
    return this.#lists.get(providerID)?.at(-1) ?? [];
  }
}
