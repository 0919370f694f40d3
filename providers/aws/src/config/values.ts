/** What all readers of settings share: the values of a key, and how they say that one is wrong. */
import type { Entry } from './read-sections.ts';

/** All that is wrong with a file, so that it takes one look to put it right. */
export class Problems {
  readonly #list: { readonly line: number; readonly text: string }[] = [];

  /** `text` names the key, and the value where it is wrong. */
  add(line: number, text: string): void {
    this.#list.push({ line, text });
  }

  /** In the order of the file. */
  get texts(): readonly string[] {
    return this.#list
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, text }) => `line ${line}: ${text}`);
  }
}

/** In any case, in the order of the file. */
export function valuesOf(entries: readonly Entry[], key: string): readonly Entry[] {
  return entries.filter((entry) => entry.key.toLowerCase() === key.toLowerCase());
}

/** The last one that is not empty. */
export function lastOf(entries: readonly Entry[], key: string): Entry | undefined {
  return valuesOf(entries, key).findLast(({ value }) => value !== '');
}
