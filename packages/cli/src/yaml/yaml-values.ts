/**
 * A YAML file whose every value knows its line and its path. A value is read as what it has to be, or a
 * problem is noted and nothing comes back; reading goes on, so that all problems are told at once.
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
import type { FieldDeclaration, FieldTable } from './field-table.ts';
import type { ConfigProblem } from './problem.ts';

export interface Value {
  readonly node: unknown;
  readonly line: number;
  readonly path: string;
}

/** The fields of a map that are there. */
export interface Fields<Name extends string> {
  get(name: Name): Value | undefined;
  has(name: Name): boolean;
}

export class YamlValues {
  readonly problems: ConfigProblem[] = [];
  readonly #document: Document;
  readonly #lines = new LineCounter();

  constructor(text: string) {
    // Keys that are there twice are noticed below, with their paths.
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      uniqueKeys: false,
      prettyErrors: false,
    });
    // The first one is the cause; those after it are mostly its consequences.
    const [error] = this.#document.errors;
    if (error !== undefined) {
      const message = `invalid YAML: ${syntaxWords[error.code] ?? 'the file cannot be parsed'}`;
      this.problems.push({ line: this.#lineAt(error.pos[0]), path: '', message });
    }
  }

  /** Nothing where the file is not YAML. */
  get root(): Value | undefined {
    const node = this.#document.contents;
    return this.problems.length > 0 ? undefined : { node, line: this.#lineOf(node, 1), path: '' };
  }

  note({ line, path }: Value, message: string): undefined {
    this.problems.push({ line, path, message });
  }

  fields<Name extends string>(value: Value, table: FieldTable<Name>): Fields<Name> | undefined {
    const { node } = this.#resolve(value);
    if (!isMap(node)) return this.note(value, `expected a map, ${found(node)}`);
    const known = new Map<string, Value>();
    for (const { key, value: field } of node.items) {
      const line = this.#lineOf(key, value.line);
      const text = isScalar(key) ? key.value : undefined;
      const name = Object.keys(table).find((one) => one === text);
      if (name === undefined) {
        this.#noteUnknown({ ...value, line }, text, Object.keys(table));
        continue;
      }
      const path = value.path === '' ? name : `${value.path}.${name}`;
      const there = { node: field, line: this.#lineOf(field, line), path };
      if (known.has(name)) this.note({ ...there, line }, 'appears twice');
      else if (!isNull(field)) known.set(name, there);
    }
    for (const [name, { isRequired }] of Object.entries<FieldDeclaration>(table)) {
      if (isRequired === true && !known.has(name)) this.note(value, `${name} is missing`);
    }
    return known;
  }

  /** Empty also where there is no list, which is noted. */
  list(value: Value | undefined, countMax: number): readonly Value[] {
    return (value && this.findList(value, countMax)) ?? [];
  }

  /** Undefined where it is no list, or one that is too long, which is noted. */
  findList(value: Value, countMax: number): readonly Value[] | undefined {
    const { node } = this.#resolve(value);
    if (!isSeq(node)) return this.note(value, `expected a list, ${found(node)}`);
    if (node.items.length > countMax) {
      return this.note(value, `has more than ${countMax} entries`);
    }
    return node.items.map((item, index) => ({
      node: item,
      line: this.#lineOf(item, value.line),
      path: `${value.path}[${index}]`,
    }));
  }

  /** A map whose keys are free, as labels are. */
  entries(value: Value, countMax: number): readonly (readonly [string, Value])[] {
    const { node } = this.#resolve(value);
    if (!isMap(node)) {
      this.note(value, `expected a map, ${found(node)}`);
      return [];
    }
    if (node.items.length > countMax) {
      this.note(value, `has more than ${countMax} entries`);
      return [];
    }
    const names = new Set<string>();
    return node.items.flatMap(({ key, value: item }) => {
      const line = this.#lineOf(key, value.line);
      const name = this.text({ node: key, line, path: value.path });
      if (name === undefined) return [];
      if (names.has(name)) this.note({ ...value, line }, `${printable(name, 80)} appears twice`);
      names.add(name);
      const path = `${value.path}[${JSON.stringify(printable(name, 80))}]`;
      return [[name, { node: item, line: this.#lineOf(item, line), path }] as const];
    });
  }

  text(value: Value | undefined): string | undefined {
    if (value === undefined) return undefined;
    const { node } = this.#resolve(value);
    const text = isScalar(node) ? node.value : undefined;
    if (typeof text === 'string') return text;
    const hint = isScalar(node) && text !== null ? '; put it in quotes' : '';
    return this.note(value, `expected a string, ${found(node)}${hint}`);
  }

  truth(value: Value | undefined): boolean | undefined {
    if (value === undefined) return undefined;
    const { node } = this.#resolve(value);
    const truth = isScalar(node) ? node.value : undefined;
    if (typeof truth === 'boolean') return truth;
    return this.note(value, `expected true or false, ${found(node)}`);
  }

  wholeNumber(value: Value | undefined): number | undefined {
    if (value === undefined) return undefined;
    const { node } = this.#resolve(value);
    const number = isScalar(node) ? node.value : undefined;
    if (typeof number === 'number' && Number.isInteger(number)) return number;
    return this.note(
      value,
      typeof number === 'number'
        ? 'must be a whole number'
        : `expected a whole number, ${found(node)}`,
    );
  }

  #noteUnknown(value: Value, name: unknown, known: readonly string[]): void {
    const what =
      typeof name === 'string'
        ? `unknown field ${printable(name, 60)}`
        : 'a field name is not a string';
    this.note(value, `${what}; known fields: ${known.join(', ')}`);
  }

  /** What an alias stands for, at the place where the alias is. */
  #resolve({ node, line, path }: Value): Value {
    return { node: isAlias(node) ? node.resolve(this.#document) : node, line, path };
  }

  #lineOf(node: unknown, otherwise: number): number {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return start === undefined ? otherwise : this.#lineAt(start);
  }

  #lineAt(offset: number): number {
    return Math.max(this.#lines.linePos(offset).line, 1);
  }
}

function found(node: unknown): string {
  if (node === undefined || isNull(node)) return 'found nothing';
  if (isMap(node)) return 'found a map';
  if (isSeq(node)) return 'found a list';
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value === 'object') return 'found something else';
  return `found a ${typeof value}`;
}

function isNull(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

/** In our own words: the parser's quote the file. */
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
