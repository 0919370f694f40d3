/**
 * Reads an inventory. A faulty entry is refused with its line, and the others are used. A mistake in the file as a
 * whole throws an `InventoryProblem`, because it leaves open which instances should exist: the file is not YAML or not
 * an inventory, or a field at its top is mistyped.
 */
import { dirname, resolve } from 'node:path';
import type { FieldNames } from '@tandem/cli/yaml';
import { quote } from '@tandem/core/node-address';
import type { InstanceKey } from '@tandem/provider/plug';
import { Inventory, type InventoryParts, isOwned, keyOf, type Slot } from './inventory.ts';
import {
  type EntrySource,
  type Fields,
  InventoryYaml,
  looseText,
  textOf,
  type Value,
} from './inventory-yaml.ts';
import { InventoryProblem } from './problem.ts';
import { PlainSource } from './plain-source.ts';
import { readQuickly } from './quick-yaml.ts';
import { type Entry, readEntry, readIdentity } from './read-entry.ts';
import { SharedAddresses } from './shared-addresses.ts';
import { type Piece, splitEntries } from './split-entries.ts';

/** An entry and the piece of YAML that contains it. */
interface Item {
  readonly source: InventoryYaml;
  readonly value: Value;
}

/** The maximum number of instances, many times that of the largest cluster. */
const instancesMax = 100_000;
const prefixesMax = 64;

const inventoryKind = 'StaticInventory';

/** How many entries are read before the event loop gets its turn. */
const entriesPerTurn = 250;

/**
 * `pause` lets the event loop handle other work. The text is read entry by entry if possible, because the syntax tree
 * of a whole file takes a hundred times the memory of its text.
 */
export async function readInventory(
  text: string,
  options: { readonly path: string; readonly pause: () => Promise<void> },
): Promise<Inventory> {
  const pieces = splitEntries(text);
  const inPieces = pieces === undefined ? undefined : await readPieces(pieces, options);
  // A piece may be invalid only because of how the file was split, so read the whole file.
  return inPieces ?? readWhole(text, options.path);
}

export function readWhole(text: string, path: string): Inventory {
  const source = parse(text);
  const { instances, ...top } = readTop(source, path);
  if (instances === undefined) {
    return source.refuse(source.document, 'instances is missing; write instances: [] for none');
  }
  const reader = new SlotReader(top);
  for (const value of source.items(instances, instancesMax)) reader.add({ source, value });
  return reader.inventory(path);
}

async function readPieces(
  pieces: NonNullable<ReturnType<typeof splitEntries>>,
  { path, pause }: { readonly path: string; readonly pause: () => Promise<void> },
): Promise<Inventory | undefined> {
  const head = new InventoryYaml(pieces.head);
  if (head.syntaxProblem !== undefined) return undefined;
  const reader = new SlotReader(readTop(head, path));
  for (const [index, piece] of pieces.entries.entries()) {
    if (index % entriesPerTurn === entriesPerTurn - 1) await pause();
    if (index >= instancesMax) return undefined;
    if (reader.addPlain(piece)) continue;
    const source = new InventoryYaml(piece);
    if (source.syntaxProblem !== undefined) return undefined;
    const [value] = source.items(source.document, 1);
    if (value === undefined) return undefined;
    reader.add({ source, value });
  }
  return reader.inventory(path);
}

function parse(text: string): InventoryYaml {
  const source = new InventoryYaml({ text, lineInFile: (line) => line });
  const problem = source.syntaxProblem;
  if (problem !== undefined) source.refuse(problem, problem.message);
  return source;
}

const topFields: FieldNames = {
  apiVersion: {},
  kind: {},
  providerIDPrefixes: {},
  routeTable: {},
  instances: {},
};

/** The fields at the top of the file, which apply to all entries. */
type Top = Pick<InventoryParts, 'prefixes' | 'routeFile'>;

function readTop(
  source: InventoryYaml,
  path: string,
): Top & { readonly instances: Value | undefined } {
  // Check the kind first: for another kind of file, an error about its first unknown field would not help.
  const kind = looseText(source, source.document, 'kind');
  if (kind !== undefined && kind !== inventoryKind) {
    source.refuse(source.document, `kind must be ${inventoryKind}, not ${quote(kind)}`);
  }
  const fields = source.fields(source.document, topFields);
  requireText(source, fields, { name: 'apiVersion', want: 'tandem.dev/v1alpha1' });
  requireText(source, fields, { name: 'kind', want: inventoryKind });
  const prefixes = fields.get('providerIDPrefixes');
  const routeTable = fields.get('routeTable');
  return {
    prefixes: prefixes === undefined ? [] : readPrefixes(source, prefixes),
    routeFile: routeTable === undefined ? undefined : readRouteFile(source, routeTable, path),
    instances: fields.get('instances'),
  };
}

function requireText(
  source: InventoryYaml,
  fields: Fields<string>,
  { name, want }: { readonly name: string; readonly want: string },
): void {
  const value = fields.get(name);
  if (value === undefined) {
    return source.refuse(fields.of, `${name} is missing; add ${name}: ${want}`);
  }
  const text = textOf(source, value);
  if (text === want) return;
  source.refuse(value, `${name} must be ${want}, not ${quote(text)}`);
}

/** Refuses a prefix without a scheme, which could claim the nodes of every cloud. */
function readPrefixes(source: InventoryYaml, value: Value): readonly string[] {
  return source.items(value, prefixesMax).map((item) => {
    const prefix = textOf(source, item);
    if (/^[a-z][-+.a-z0-9]*:\/\//i.test(prefix)) return prefix;
    return source.refuse(
      item,
      `prefix ${quote(prefix)} must start with a scheme, such as metal://`,
    );
  });
}

/** Resolves a relative path from the folder of the inventory, not from the manager's working directory. */
function readRouteFile(source: InventoryYaml, value: Value, path: string): string {
  const fields = source.fields(value, { file: {} });
  const given = fields.get('file');
  if (given === undefined) {
    return source.refuse(fields.of, 'file is missing; name the file of the route table');
  }
  const file = textOf(source, given);
  if (!file.endsWith('/') && !file.includes('\0')) return resolve(dirname(path), file);
  return source.refuse(given, `${quote(file, 80)} is not the path of a file`);
}

/** Returns the only item of a list. A piece of the file is a list of one entry. */
function soleItem(list: unknown): unknown {
  return Array.isArray(list) && list.length === 1 ? list[0] : undefined;
}

/** Reads entries one after the other, and refuses a name or providerID that an earlier entry has. */
class SlotReader {
  readonly #top: Top;
  readonly #names = new Map<string, number>();
  readonly #keys = new Map<InstanceKey, number>();
  readonly #slots: Slot[] = [];
  readonly #shared = new SharedAddresses();

  constructor(top: Top) {
    this.#top = top;
  }

  inventory(path: string): Inventory {
    const { prefixes, routeFile } = this.#top;
    const shared = this.#shared.found;
    return new Inventory({ path, prefixes, routeFile, slots: this.#slots, shared });
  }

  /** Adds an entry that the fast parser can read and that is valid. Returns false for any other entry. */
  addPlain({ text, lineInFile }: Piece): boolean {
    const node = soleItem(readQuickly(text));
    if (node === undefined) return false;
    const column = text.search(/[^ -]/) + 1;
    const source = new PlainSource(node, { line: lineInFile(1), column });
    try {
      this.#take(source, source.root);
      return true;
    } catch (err) {
      if (err instanceof InventoryProblem) return false;
      throw err;
    }
  }

  add({ source, value }: Item): void {
    try {
      this.#take(source, value);
    } catch (err) {
      if (!(err instanceof InventoryProblem)) throw err;
      const identity = readIdentity(source, value, this.#owns);
      this.#slots.push({ refusal: { ...identity, problem: err } });
      this.#claim(identity.name, identity.providerID, value.line);
    }
  }

  readonly #owns = (providerID: string): boolean => isOwned(providerID, this.#top.prefixes);

  #take(source: EntrySource, value: Value): void {
    const entry = readEntry(source, value, this.#owns);
    this.#refuseClaimed(entry);
    this.#shared.add(entry);
    this.#slots.push({ entry });
    this.#claim(entry.name, entry.instance.providerID, entry.place.line);
  }

  #refuseClaimed({ name, instance: { providerID }, place }: Entry): void {
    const sameName = this.#names.get(name);
    if (sameName !== undefined) {
      throw new InventoryProblem(place, `name ${quote(name)} is already used on line ${sameName}`);
    }
    const sameId = this.#keys.get(keyOf(providerID));
    if (sameId !== undefined) {
      const text = quote(providerID, 80);
      throw new InventoryProblem(place, `providerID ${text} is already used on line ${sameId}`);
    }
  }

  #claim(name: string | undefined, providerID: string | undefined, line: number): void {
    if (name !== undefined && !this.#names.has(name)) this.#names.set(name, line);
    const key = providerID && keyOf(providerID);
    if (key !== undefined && !this.#keys.has(key)) this.#keys.set(key, line);
  }
}
