/**
 * A reader of the YAML that nearly every entry is written in: nested maps and lists of plain or quoted
 * words. It is many times as fast as the library, which is what makes an inventory of thousands be read
 * within a second. It never guesses: whatever it is not certain of – a comment after a value, an
 * escape, a word that YAML might take for a number – it leaves to the library by saying nothing.
 */
import { blanksAt, isEmptyAt } from './split-entries.ts';

export type PlainNode = string | readonly PlainNode[] | ReadonlyMap<string, PlainNode>;

export function readPlainYaml(text: string): PlainNode | undefined {
  if (!/^[\n\x20-\x7e]*$/.test(text)) return undefined;
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    const indentation = blanksAt(line, 0);
    if (!isEmptyAt(line, indentation)) lines.push({ indentation, text: line.slice(indentation) });
  }
  const reader = new LineReader(lines);
  const node = reader.block(lines[0]?.indentation ?? 0);
  return reader.isAtEnd ? node : undefined;
}

interface Line {
  readonly indentation: number;
  readonly text: string;
}

class LineReader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length;
  }

  /** A list or a map whose lines stand at this indentation. */
  block(indentation: number): PlainNode | undefined {
    return this.#isItem(indentation) ? this.#list(indentation) : this.#map(indentation);
  }

  #list(indentation: number): PlainNode | undefined {
    const items: PlainNode[] = [];
    while (this.#isItem(indentation)) {
      // What stands behind the dash is a line of its own, two further in.
      const text = this.#lines[this.#at]?.text.slice(2) ?? '';
      const isMap = readField(text) !== undefined;
      if (isMap) this.#lines[this.#at] = { indentation: indentation + 2, text };
      else this.#at++;
      const item = isMap ? this.#map(indentation + 2) : readInline(text);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  #map(indentation: number): PlainNode | undefined {
    const fields = new Map<string, PlainNode>();
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined || line.indentation < indentation) break;
      if (line.indentation > indentation) return undefined;
      const field = readField(line.text);
      // A dash here is the next item of the list that the map stands in.
      if (field === undefined || fields.has(field.key)) return undefined;
      this.#at++;
      const value = field.text === '' ? this.#below(indentation) : readInline(field.text);
      if (value === undefined) return undefined;
      fields.set(field.key, value);
    }
    return fields.size === 0 ? undefined : fields;
  }

  /** What belongs to a key that has nothing beside it: a list may stand as far in as the key. */
  #below(indentation: number): PlainNode | undefined {
    const next = this.#lines[this.#at];
    if (next === undefined || next.indentation < indentation) return undefined;
    if (next.indentation === indentation) {
      return this.#isItem(indentation) ? this.#list(indentation) : undefined;
    }
    return this.block(next.indentation);
  }

  #isItem(indentation: number): boolean {
    const line = this.#lines[this.#at];
    return line?.indentation === indentation && line.text.startsWith('- ');
  }
}

/** `key: text`, or `key:` with what belongs to it below. */
function readField(line: string): { readonly key: string; readonly text: string } | undefined {
  const colon = line.indexOf(':');
  const key = line.slice(0, Math.max(colon, 0));
  const isAlone = colon === line.length - 1;
  const hasText = line[colon + 1] === ' ' && line.length > colon + 2;
  if (!isWord(key) || !(isAlone || hasText)) return undefined;
  return { key, text: line.slice(colon + 2) };
}

function readInline(text: string): PlainNode | undefined {
  const first = text[0];
  if (first === '{' && text.endsWith('}')) return readFlowMap(text.slice(1, -1));
  if (first === '[' && text.endsWith(']')) return readFlowList(text.slice(1, -1));
  return readScalar(text);
}

/** Quoted texts hold no comma here, so that a comma always separates. */
function readFlowList(text: string): PlainNode | undefined {
  if (text === '') return [];
  const items: PlainNode[] = [];
  for (const part of text.split(', ')) {
    const item = readFlowScalar(part);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readFlowMap(text: string): PlainNode | undefined {
  const fields = new Map<string, PlainNode>();
  for (const part of text === '' ? [] : text.split(', ')) {
    const field = readField(part);
    const value = readFlowScalar(field?.text ?? '');
    if (field === undefined || value === undefined || fields.has(field.key)) return undefined;
    fields.set(field.key, value);
  }
  return fields;
}

/** In brackets a colon may mean something else, so that there only quoted texts have one. */
function readFlowScalar(text: string): string | undefined {
  const isQuoted = text.startsWith('"') || text.startsWith("'");
  return isQuoted || !text.includes(':') ? readScalar(text) : undefined;
}

function readScalar(text: string): string | undefined {
  const quoted = /^(?:"([^"\\,]*)"|'([^',]*)')$/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  return isWord(text) || isQuad.test(text) ? text : undefined;
}

/** Four numbers are no number, with or without a prefix length. */
const isQuad = /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/;

/** A text to every YAML: it begins with a letter and is none of the words that mean something. */
function isWord(text: string): boolean {
  if (!/^[A-Za-z](?:[-\w./]|:(?=[-\w./:]))*$/.test(text)) return false;
  return text.length > reservedLengthMax || !reserved.has(text.toLowerCase());
}

const reserved = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);
const reservedLengthMax = 5;
