/** The inventory of a test: the file that the static provider reads. */
import { rename, writeFile } from 'node:fs/promises';
import type { NodeAddress } from '@tandem/core/node-address';
import { stringify } from 'yaml';

export interface Machine {
  readonly name: string;
  readonly providerID?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
  readonly state?: 'running' | 'stopped';
  readonly addresses: readonly NodeAddress[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The pod CIDRs that the CloudAllocator gives to its node. */
  readonly podCIDRs?: readonly string[];
}

export const head = 'apiVersion: tandem.dev/v1alpha1\nkind: StaticInventory\n';

export class Inventory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** With a `routeFile`, the manager keeps its routes there. */
  write(machines: readonly Machine[], routeFile?: string): Promise<void> {
    const routeTable = routeFile === undefined ? {} : { routeTable: { file: routeFile } };
    return this.writeText(head + stringify({ ...routeTable, instances: machines }));
  }

  /** Writes the file atomically, by a rename. */
  async writeText(text: string): Promise<void> {
    const draft = `${this.path}.new`;
    await writeFile(draft, text);
    await rename(draft, this.path);
  }
}

/** A machine with a unique address of each family. */
export function aMachine(name: string, number: number, over: Partial<Machine> = {}): Machine {
  return {
    name,
    addresses: internal(`10.1.${number >> 8}.${number & 255}`, `fd00:1::${number.toString(16)}`),
    ...over,
  };
}

export function internal(...addresses: readonly string[]): NodeAddress[] {
  return addresses.map((address) => ({ type: 'InternalIP', address }));
}
