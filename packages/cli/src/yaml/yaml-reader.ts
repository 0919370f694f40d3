/**
 * A YAML text in which every value knows its line, column and path. Each method expects a type and refuses any
 * other value. Subclasses decide what a refusal does: `YamlValues` collects all problems of a file, others throw at
 * the first. Messages name fields and the one value at fault, never the text around it: a file given by mistake may
 * contain secrets.
 */
import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
} from 'yaml';
import { printable } from '@tandem/core/node-address';
import type { FieldDeclaration } from './field-table.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
  /** Such as `nodeIPPolicies[0].request`; empty for the file as a whole. */
  readonly path: string;
}

export interface Value extends Place {
  readonly node: unknown;
}

/** The fields that a map may have. */
export type FieldNames<Name extends string = string> = Readonly<
  Record<Name, Pick<FieldDeclaration, 'isRequired'>>
>;

/** The fields of a map that are present and not null. */
export interface Fields<Name extends string> {
  get(name: Name): Value | undefined;
  has(name: Name): boolean;
  /** The map itself, to report what it lacks. */
  readonly of: Value;
}

/** One entry of a map whose keys are free. */
export interface Entry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Value;
}

interface Pair {
  /** Undefined if the key is not a scalar. */
  readonly key: unknown;
  readonly keyPlace: Value;
  readonly value: Value;
}

/** `Refusal` is what comes back in place of a refused value: undefined, or never. */
export abstract class YamlReader<Refusal extends undefined> {
  readonly #document: Document;
  readonly #lines = new LineCounter();
  readonly #lineInFile: (line: number) => number;

  /** `lineInFile` maps a line of the text to its line in the file. Both count from 1. */
  constructor(text: string, lineInFile: (line: number) => number = (line) => line) {
    this.#lineInFile = lineInFile;
    // This reader reports duplicate keys itself, with their places.
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      uniqueKeys: false,
      prettyErrors: false,
    });
  }

  abstract refuse(place: Place, message: string): Refusal;

  /** Undefined if the text is valid YAML. The first error is the cause; most of the others follow from it. */
  get syntaxProblem(): (Place & { readonly message: string }) | undefined {
    const [error] = this.#document.errors;
    if (error === undefined) return undefined;
    const message = `invalid YAML: ${syntaxWords[error.code] ?? 'the file cannot be parsed'}`;
    return { ...this.#placeAt(error.pos[0]), path: '', message };
  }

  /** The text as a whole. */
  get document(): Value {
    const node = this.#document.contents;
    return { ...this.#placeOf(node, this.#placeAt(0)), path: '', node };
  }

  fields<Name extends string>(value: Value, table: FieldNames<Name>): Fields<Name> | Refusal {
    const pairs = this.pairs(value);
    if (pairs === undefined) return this.refuse(value, `expected a map, ${this.#found(value)}`);
    const known = new Map<string, Value>();
    const seen = new Set<string>();
    for (const { key, keyPlace, value: field } of pairs) {
      const name = Object.keys(table).find((one) => one === key);
      if (name === undefined) this.#refuseUnknown(keyPlace, key, Object.keys(table));
      else if (seen.has(name)) this.refuse(keyPlace, `${name} appears twice`);
      else if (!isNull(field.node)) {
        known.set(name, { ...field, path: value.path === '' ? name : `${value.path}.${name}` });
      }
      if (name !== undefined) seen.add(name);
    }
    for (const [name, { isRequired }] of Object.entries<FieldNames[string]>(table)) {
      if (isRequired === true && !known.has(name)) this.refuse(value, `${name} is missing`);
    }
    return { get: (name) => known.get(name), has: (name) => known.has(name), of: value };
  }

  items(value: Value, countMax: number): readonly Value[] | Refusal {
    const node = this.#resolve(value);
    if (!isSeq(node)) return this.refuse(value, `expected a list, ${this.#found(value)}`);
    if (node.items.length > countMax) return this.refuse(value, tooMany(countMax));
    return node.items.map((item, index) => ({
      node: item,
      ...this.#placeOf(item, value),
      path: `${value.path}[${index}]`,
    }));
  }

  /** The entries of a map whose keys are free, such as labels. */
  entries(value: Value, countMax: number): readonly Entry[] | Refusal {
    const pairs = this.pairs(value);
    if (pairs === undefined) return this.refuse(value, `expected a map, ${this.#found(value)}`);
    if (pairs.length > countMax) return this.refuse(value, tooMany(countMax));
    const names = new Set<string>();
    return pairs.flatMap(({ keyPlace, value: item }) => {
      const key = this.text(keyPlace);
      if (key === undefined) return [];
      if (names.has(key)) this.refuse(keyPlace, `${printable(key, 80)} appears twice`);
      names.add(key);
      const path = `${value.path}[${JSON.stringify(printable(key, 80))}]`;
      return [{ key, keyPlace, value: { ...item, path } }];
    });
  }

  text(value: Value): string | Refusal;
  text(value: Value | undefined): string | undefined;
  text(value: Value | undefined): string | undefined {
    if (value === undefined) return undefined;
    const text = this.scalar(value);
    if (typeof text === 'string') return text;
    const hint = text === undefined || text === null ? '' : '; put it in quotes';
    return this.refuse(value, `expected a string, ${this.#found(value)}${hint}`);
  }

  truth(value: Value | undefined): boolean | undefined {
    if (value === undefined) return undefined;
    const truth = this.scalar(value);
    if (typeof truth === 'boolean') return truth;
    return this.refuse(value, `expected true or false, ${this.#found(value)}`);
  }

  wholeNumber(value: Value | undefined): number | undefined {
    if (value === undefined) return undefined;
    const number = this.scalar(value);
    if (typeof number === 'number' && Number.isInteger(number)) return number;
    return this.refuse(
      value,
      typeof number === 'number'
        ? 'must be a whole number'
        : `expected a whole number, ${this.#found(value)}`,
    );
  }

  /** The keys and values of a map, none of them refused. Undefined if the value is not a map. */
  pairs(value: Value): readonly Pair[] | undefined {
    const node = this.#resolve(value);
    if (!isMap(node)) return undefined;
    return node.items.map((pair) => {
      const keyPlace = { ...this.#placeOf(pair.key, value), path: value.path, node: pair.key };
      const field = { ...this.#placeOf(pair.value, keyPlace), path: value.path, node: pair.value };
      const key = isScalar(pair.key) ? pair.key.value : undefined;
      return { key, keyPlace, value: field };
    });
  }

  /** The value of a scalar; undefined for anything else. */
  scalar(value: Value): unknown {
    const node = this.#resolve(value);
    return isScalar(node) ? node.value : undefined;
  }

  #refuseUnknown(place: Place, name: unknown, known: readonly string[]): void {
    const what =
      typeof name === 'string'
        ? `unknown field ${printable(name, 60)}`
        : 'a field name is not a string';
    this.refuse(place, `${what}; known fields: ${known.join(', ')}`);
  }

  #found(value: Value): string {
    const node = this.#resolve(value);
    if (node === undefined || isNull(node)) return 'found nothing';
    if (isMap(node)) return 'found a map';
    if (isSeq(node)) return 'found a list';
    const scalar = this.scalar(value);
    if (typeof scalar === 'string') return 'found a string';
    return typeof scalar === 'number' || typeof scalar === 'boolean'
      ? `found the ${typeof scalar} ${scalar}`
      : 'found something else';
  }

  /** The node that an alias refers to; any other node as it is. */
  #resolve({ node }: Value): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  #placeOf(node: unknown, otherwise: Position): Position {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return start === undefined
      ? { line: otherwise.line, column: otherwise.column }
      : this.#placeAt(start);
  }

  #placeAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line: this.#lineInFile(Math.max(line, 1)), column: Math.max(col, 1) };
  }
}

type Position = Pick<Place, 'line' | 'column'>;

function isNull(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

function tooMany(countMax: number): string {
  return `too many entries; at most ${countMax} are allowed`;
}

/** Our own messages, because those of the parser quote the file. */
const syntaxWords: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS: 'an alias refers to an anchor that is not defined above it',
  BAD_DQ_ESCAPE: 'a double-quoted string has an invalid escape',
  BAD_INDENT: 'the indentation of a line does not match the lines around it',
  BAD_SCALAR_START: 'a value starts with a character that must be quoted',
  BLOCK_IN_FLOW: 'an indented block is inside brackets',
  MISSING_CHAR: 'a closing quote, bracket, colon or comma is missing',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing, or a key spans lines',
  MULTIPLE_DOCS: 'the file has more than one document',
  TAB_AS_INDENT: 'a line is indented with a tab',
  UNEXPECTED_TOKEN: 'unexpected characters',
};
