/** The parts that all readers of settings share: the values of a key, and the report of a wrong one. */
import type { Entry } from './read-sections.ts';

/** Collects every problem of a file, so that the user can fix all of them at once. */
export class Problems {
  readonly #list: { readonly line: number; readonly text: string }[] = [];

  /** `text` names the key, and the value if that is wrong. */
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

/** Returns the values of a key, whatever its case, in the order of the file. */
export function valuesOf(entries: readonly Entry[], key: string): readonly Entry[] {
  return entries.filter((entry) => entry.key.toLowerCase() === key.toLowerCase());
}

/** Returns the last value that is not empty. */
export function lastOf(entries: readonly Entry[], key: string): Entry | undefined {
  return valuesOf(entries, key).findLast(({ value }) => value !== '');
}
