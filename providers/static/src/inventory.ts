/**
 * An inventory that has been read: its instances, by name and by providerID, and the entries that were
 * refused. A node whose entry was refused is `unknown`, not absent; and as long as there is a refused
 * entry of which it cannot be told whose it is, no node is absent, because it might be that one's (P3).
 */
import { quote } from '@tandem/core/node-address';
import type { LookupAnswer, NodeRef } from '@tandem/provider/plug';
import { CcmError } from '@tandem/runtime';
import { formatPlace, type InventoryProblem } from './problem.ts';
import type { Entry, Identity } from './read-entry.ts';

export interface Refusal extends Identity {
  readonly problem: InventoryProblem;
}

export type Slot = { readonly entry: Entry } | { readonly refusal: Refusal };

export class Inventory {
  readonly path: string;
  readonly prefixes: readonly string[];
  readonly refusals: readonly Refusal[];
  readonly #byName = new Map<string, Slot>();
  readonly #byProviderID = new Map<string, Slot>();
  readonly #uncertain: Refusal | undefined;
  readonly size: number;

  /** The slots come in the order of the file: a name and a providerID are the first one's. */
  constructor(path: string, prefixes: readonly string[], slots: readonly Slot[]) {
    this.path = path;
    this.prefixes = prefixes;
    for (const slot of slots) {
      const { name, providerID } = identityOf(slot);
      setFirst(this.#byName, name, slot);
      setFirst(this.#byProviderID, providerID, slot);
    }
    this.refusals = slots.flatMap((slot) => ('refusal' in slot ? [slot.refusal] : []));
    this.#uncertain = this.refusals.find(({ isCertain }) => !isCertain);
    this.size = slots.length - this.refusals.length;
  }

  owns(providerID: string): boolean {
    return isOwned(providerID, this.prefixes);
  }

  /** By providerID where the node has one, else by name. */
  answerFor({ name, providerID }: NodeRef): LookupAnswer {
    const slot = providerID === '' ? this.#byName.get(name) : this.#byProviderID.get(providerID);
    if (slot !== undefined) return this.#answerOf(slot);
    if (providerID !== '' && !this.owns(providerID)) return unknown(foreignError(providerID));
    if (this.#uncertain !== undefined) return unknown(this.#refusedError(this.#uncertain));
    return { kind: 'absent' };
  }

  #answerOf(slot: Slot): LookupAnswer {
    if ('entry' in slot) return { kind: 'found', instance: slot.entry.instance };
    return unknown(this.#refusedError(slot.refusal));
  }

  #refusedError({ problem }: Refusal): CcmError {
    return new CcmError(
      `An entry of the inventory was refused: ${formatPlace(this.path, problem.place)}: ${problem.message}`,
      { code: 'InventoryEntryRefused', retry: 'backoff', effect: 'none', cause: problem },
    );
  }
}

export function isOwned(providerID: string, prefixes: readonly string[]): boolean {
  return [ownPrefix, ...prefixes].some((prefix) => providerID.startsWith(prefix));
}

const ownPrefix = 'static://';

function identityOf(slot: Slot): Identity {
  if ('refusal' in slot) return slot.refusal;
  return { name: slot.entry.name, providerID: slot.entry.instance.providerID, isCertain: true };
}

function setFirst(map: Map<string, Slot>, key: string | undefined, slot: Slot): void {
  if (key !== undefined && !map.has(key)) map.set(key, slot);
}

function unknown(err: CcmError): LookupAnswer {
  return { kind: 'unknown', err };
}

function foreignError(providerID: string): CcmError {
  return new CcmError(`The inventory is not the cloud of providerID ${quote(providerID, 80)}`, {
    code: 'InventoryNotOwner',
    retry: 'backoff',
    effect: 'none',
  });
}
