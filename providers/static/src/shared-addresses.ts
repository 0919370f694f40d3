/**
 * Finds the IP addresses that two machines of an inventory list. Both entries are valid, because an address may move
 * from one machine to another. Most often, however, an entry was copied by mistake, and two nodes get one address.
 */
import { formatAddress, parseAddress } from '@tandem/core/ip';
import type { Instance } from '@tandem/provider/plug';
import type { Position } from './problem.ts';
import type { Entry } from './read-entry.ts';

interface Lister {
  readonly name: string;
  readonly place: Position;
}

export interface SharedAddress {
  readonly address: string;
  /** In the order of the file. With more than two machines, each further one is paired with the first. */
  readonly first: Lister;
  readonly other: Lister;
}

/** The maximum number of pairs, more than anyone reads. */
const sharedMax = 1_000;

export class SharedAddresses {
  readonly #firsts = new Map<string, Lister>();
  readonly found: SharedAddress[] = [];

  /** Expects entries with different names. */
  add({ name, place, instance }: Entry): void {
    for (const address of ipsOf(instance)) {
      const first = this.#firsts.get(address);
      if (first === undefined) this.#firsts.set(address, { name, place });
      else if (this.found.length < sharedMax) {
        this.found.push({ address, first, other: { name, place } });
      }
    }
  }
}

/** Returns each address once, because a machine may list it both as InternalIP and as ExternalIP. */
function ipsOf({ addresses }: Instance): ReadonlySet<string> {
  const ips = new Set<string>();
  for (const { type, address } of addresses) {
    const ip = type === 'InternalIP' || type === 'ExternalIP' ? parseAddress(address) : undefined;
    if (ip !== undefined) ips.add(formatAddress(ip));
  }
  return ips;
}
