/**
 * Holds the instances of an inventory, by name and by providerID, and its refused entries. A node whose entry was
 * refused is `unknown`, not absent. So is a node without an entry if a refused entry may describe it (P3): for a node
 * that is found by name, an entry whose name cannot be read; for a node with a providerID, an entry whose providerID
 * cannot be determined.
 */
import { quote } from '@tandem/core/node-address';
import type { Instance, InstanceKey, NodeRef } from '@tandem/provider/plug';
import { CcmError } from '@tandem/runtime';
import { formatPosition, type InventoryProblem } from './problem.ts';
import type { Entry, Identity } from './read-entry.ts';
import type { SharedAddress } from './shared-addresses.ts';

export interface Refusal extends Identity {
  readonly problem: InventoryProblem;
}

export type Slot = { readonly entry: Entry } | { readonly refusal: Refusal };

export interface InventoryParts {
  readonly path: string;
  readonly prefixes: readonly string[];
  /** The file of the route table; undefined if the inventory names none. */
  readonly routeFile: string | undefined;
  readonly slots: readonly Slot[];
  readonly shared: readonly SharedAddress[];
}

/** The answer about a node. `InventoryFile` adds its age. */
type InventoryAnswer =
  | { readonly kind: 'found'; readonly instance: Instance }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly err: CcmError };

/** A machine whose entry is valid. */
export interface Machine {
  readonly name: string;
  readonly key: InstanceKey;
  readonly instance: Instance;
}

export type Changes = readonly InstanceKey[] | 'anything';

export class Inventory {
  readonly path: string;
  readonly prefixes: readonly string[];
  readonly routeFile: string | undefined;
  readonly refusals: readonly Refusal[];
  readonly shared: readonly SharedAddress[];
  readonly #byName = new Map<string, Slot>();
  readonly #byKey = new Map<InstanceKey, Slot>();
  readonly #nameless: Refusal | undefined;
  readonly #withoutID: Refusal | undefined;
  readonly size: number;

  /** Expects the slots in the order of the file. A name or providerID belongs to the first slot that has it. */
  constructor({ path, prefixes, routeFile, slots, shared }: InventoryParts) {
    this.path = path;
    this.prefixes = prefixes;
    this.routeFile = routeFile;
    this.shared = shared;
    for (const slot of slots) {
      const { name, providerID } = identityOf(slot);
      setFirst(this.#byName, name, slot);
      setFirst(this.#byKey, providerID && keyOf(providerID), slot);
    }
    this.refusals = slots.flatMap((slot) => ('refusal' in slot ? [slot.refusal] : []));
    this.#nameless = this.refusals.find(({ name }) => name === undefined);
    this.#withoutID = this.refusals.find(({ hasCertainID }) => !hasCertainID);
    this.size = slots.length - this.refusals.length;
  }

  owns(providerID: string): boolean {
    return isOwned(providerID, this.prefixes);
  }

  /** Returns the instances that differ between the inventories, or `anything` if the prefixes changed. */
  changesSince(before: Inventory): Changes {
    if (String(before.prefixes) !== String(this.prefixes)) return 'anything';
    const keys = new Set([...before.#byKey.keys(), ...this.#byKey.keys()]);
    return [...keys].filter((key) => before.#textOf(key) !== this.#textOf(key));
  }

  /** Finds the node by its providerID if it has one, and otherwise by its name. */
  answerFor({ name, providerID }: NodeRef): InventoryAnswer {
    const slot = providerID === '' ? this.#byName.get(name) : this.#byKey.get(keyOf(providerID));
    if (slot !== undefined) return this.#answerOf(slot);
    if (providerID !== '' && !this.owns(providerID)) return unknown(foreignError(providerID));
    const doubtful = providerID === '' ? this.#nameless : this.#withoutID;
    return doubtful === undefined ? { kind: 'absent' } : unknown(this.#doubtError(doubtful));
  }

  machineNamed(name: string): Machine | undefined {
    return machineIn(this.#byName.get(name));
  }

  machineOf(key: InstanceKey): Machine | undefined {
    return machineIn(this.#byKey.get(key));
  }

  #textOf(key: InstanceKey): string {
    const slot = this.#byKey.get(key);
    if (slot === undefined) return '';
    return JSON.stringify('entry' in slot ? [slot.entry.name, slot.entry.instance] : 'refused');
  }

  #answerOf(slot: Slot): InventoryAnswer {
    if ('entry' in slot) return { kind: 'found', instance: slot.entry.instance };
    return unknown(this.#refusedError(slot.refusal));
  }

  /** Returns the error for a node that has no entry but may be the one that this refused entry describes. */
  #doubtError({ problem }: Refusal): CcmError {
    return new CcmError(
      `No entry matches this node, but it cannot be told which machine ${formatPosition(this.path, problem.place)} is about: ${problem.message}. Correct that entry.`,
      { code: 'InventoryEntryRefused', retry: 'backoff', effect: 'none', cause: problem },
    );
  }

  #refusedError({ problem }: Refusal): CcmError {
    return new CcmError(
      `Invalid inventory entry ${formatPosition(this.path, problem.place)}: ${problem.message}`,
      { code: 'InventoryEntryRefused', retry: 'backoff', effect: 'none', cause: problem },
    );
  }
}

export function isOwned(providerID: string, prefixes: readonly string[]): boolean {
  return [ownPrefix, ...prefixes].some((prefix) => providerID.startsWith(prefix));
}

const ownPrefix = 'static://';

/** Returns one key for `static://x` and `static:///x`. With any other prefix, the text itself is the key. */
export function keyOf(providerID: string): InstanceKey {
  return providerID.replace(/^static:\/\/\/*/, 'static:///');
}

function identityOf(slot: Slot): Identity {
  if ('refusal' in slot) return slot.refusal;
  const { name, instance } = slot.entry;
  return { name, providerID: instance.providerID, hasCertainID: true };
}

function machineIn(slot: Slot | undefined): Machine | undefined {
  if (slot === undefined || 'refusal' in slot) return undefined;
  const { name, instance } = slot.entry;
  return { name, key: keyOf(instance.providerID), instance };
}

function setFirst(map: Map<string, Slot>, key: string | undefined, slot: Slot): void {
  if (key !== undefined && !map.has(key)) map.set(key, slot);
}

function unknown(err: CcmError): InventoryAnswer {
  return { kind: 'unknown', err };
}

function foreignError(providerID: string): CcmError {
  return new CcmError(
    `providerID ${quote(providerID, 80)} does not start with static:// or one of the inventory's providerIDPrefixes`,
    { code: 'InventoryNotOwner', retry: 'backoff', effect: 'none' },
  );
}
