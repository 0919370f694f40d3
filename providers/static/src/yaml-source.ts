/**
 * A piece of YAML whose every value knows its line and column in the file. Reads a value as what it has
 * to be, or throws an `InventoryProblem` that says what was expected and where.
 */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
} from 'yaml';
import { printable } from '@tandem/core/node-address';
import { InventoryProblem, type Position } from './problem.ts';
import type { Piece } from './split-entries.ts';

/** A value that has been found, or has its place where one was expected. */
export interface Value {
  readonly node: unknown;
  readonly place: Position;
}

export interface Fields {
  /** The value of a field, nothing when it is left out or null. */
  get(name: string): Value | undefined;
  /** Where the map begins, for what is missing in it. */
  readonly place: Position;
}

/** One text of a map, under a key that is free, and where the two are. */
export interface TextEntry {
  readonly key: string;
  readonly keyPlace: Position;
  readonly text: string;
  readonly place: Position;
}

/** What an entry is read from. */
export interface EntrySource {
  fields(value: Value, allowed: readonly string[]): Fields;
  list(value: Value, countMax: number): readonly Value[];
  text(value: Value): string;
  /** A map of texts whose keys are free, as labels are. No key is there twice. */
  texts(value: Value, countMax: number): readonly TextEntry[];
}

export class YamlSource implements EntrySource {
  readonly #document: Document;
  readonly #lines = new LineCounter();
  readonly #lineInFile: Piece['lineInFile'];

  constructor({ text, lineInFile }: Piece) {
    this.#lineInFile = lineInFile;
    // Keys are checked for being there twice below, so that one such entry does not spoil the file.
    this.#document = parseDocument(text, { lineCounter: this.#lines, uniqueKeys: false });
  }

  /** The first thing that is not YAML at all. */
  get syntaxProblem(): InventoryProblem | undefined {
    const [error] = this.#document.errors;
    if (error === undefined) return undefined;
    // The parser's first line says what; the rest repeats the place and quotes the file.
    const [what = ''] = error.message.split('\n');
    const message = `invalid YAML: ${what.replace(/ at line \d+, column \d+:?$/, '')}`;
    return new InventoryProblem(this.#placeAt(error.pos[0]), message);
  }

  get root(): Value {
    return { node: this.#document.contents, place: this.#placeAt(0) };
  }

  fields(value: Value, allowed: readonly string[]): Fields {
    const { node, place } = this.#resolve(value);
    if (!isMap(node)) throw new InventoryProblem(place, `expected a map, ${found(node)}`);
    const known = new Map<string, Value>();
    for (const { key, value: field } of node.items) {
      const keyPlace = this.#placeOf(key, place);
      const name = isScalar(key) ? key.value : undefined;
      if (typeof name !== 'string') {
        throw new InventoryProblem(keyPlace, 'a field name must be a string');
      }
      if (!allowed.includes(name)) {
        const text = printable(name, 60);
        throw new InventoryProblem(
          keyPlace,
          `unknown field ${text}; known fields: ${allowed.join(', ')}`,
        );
      }
      if (known.has(name)) throw new InventoryProblem(keyPlace, `${name} appears twice`);
      known.set(name, { node: field, place: this.#placeOf(field, keyPlace) });
    }
    return {
      place,
      get: (name) => {
        const field = known.get(name);
        return field === undefined || isNull(field.node) ? undefined : field;
      },
    };
  }

  /** The text of a field of what may be a map, whatever else is wrong with it. */
  looseText(value: Value, name: string): string | undefined {
    const pair = this.#pairs(value).find(({ key }) => isScalar(key) && key.value === name);
    if (pair === undefined) return undefined;
    const { node } = this.#resolve({ node: pair.value, place: value.place });
    const text = isScalar(node) ? node.value : undefined;
    return typeof text === 'string' && text !== '' ? text : undefined;
  }

  has(value: Value, name: string): boolean {
    return this.#pairs(value).some(({ key }) => isScalar(key) && key.value === name);
  }

  hasOnly(value: Value, names: readonly string[]): boolean {
    return this.#pairs(value).every(
      ({ key }) => isScalar(key) && typeof key.value === 'string' && names.includes(key.value),
    );
  }

  texts(value: Value, countMax: number): readonly TextEntry[] {
    const { node, place } = this.#resolve(value);
    if (!isMap(node)) throw new InventoryProblem(place, `expected a map, ${found(node)}`);
    if (node.items.length > countMax) throw tooMany(place, countMax);
    const entries = new Map<string, TextEntry>();
    for (const { key: keyNode, value: textNode } of node.items) {
      const keyPlace = this.#placeOf(keyNode, place);
      const key = this.text({ node: keyNode, place: keyPlace });
      if (entries.has(key)) throw new InventoryProblem(keyPlace, `${key} appears twice`);
      const textPlace = this.#placeOf(textNode, keyPlace);
      const text = this.#value({ node: textNode, place: textPlace });
      entries.set(key, { key, keyPlace, text, place: textPlace });
    }
    return [...entries.values()];
  }

  list(value: Value, countMax: number): readonly Value[] {
    const { node, place } = this.#resolve(value);
    if (!isSeq(node)) throw new InventoryProblem(place, `expected a list, ${found(node)}`);
    if (node.items.length > countMax) throw tooMany(place, countMax);
    return node.items.map((item) => ({ node: item, place: this.#placeOf(item, place) }));
  }

  text(value: Value): string {
    const { node, place } = this.#resolve(value);
    const text = isScalar(node) ? node.value : undefined;
    if (typeof text === 'string' && text !== '') return text;
    const hint =
      isScalar(node) && typeof text !== 'string' && text !== null ? '; put it in quotes' : '';
    throw new InventoryProblem(place, `expected a string, ${found(node)}${hint}`);
  }

  /** A text that may be empty, as the value of a label may. */
  #value(value: Value): string {
    const { node } = this.#resolve(value);
    return isScalar(node) && node.value === '' ? '' : this.text(value);
  }

  #pairs(value: Value): readonly Pair[] {
    const { node } = this.#resolve(value);
    return isMap(node) ? node.items : [];
  }

  /** What an alias stands for, at the place where the alias is. */
  #resolve({ node, place }: Value): Value {
    return { node: isAlias(node) ? node.resolve(this.#document) : node, place };
  }

  #placeOf(node: unknown, otherwise: Position): Position {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return start === undefined ? otherwise : this.#placeAt(start);
  }

  #placeAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line: this.#lineInFile(line), column: Math.max(col, 1) };
  }
}

/** More than once in an inventory something was left empty by mistake, so that is said plainly. */
function found(node: unknown): string {
  if (node === undefined || isNull(node)) return 'found nothing';
  if (isMap(node)) return 'found a map';
  if (isSeq(node)) return 'found a list';
  const value = isScalar(node) ? node.value : undefined;
  if (value === '') return 'found an empty string';
  return typeof value === 'string'
    ? 'found a string'
    : `found the ${typeof value} ${String(value)}`;
}

function isNull(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

function tooMany(place: Position, countMax: number): InventoryProblem {
  return new InventoryProblem(place, `too many entries; at most ${countMax} are allowed`);
}
