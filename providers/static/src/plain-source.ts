/**
 * An entry that was read the quick way, behind the contract of the slow one. It knows no positions inside
 * the entry: a reader that finds a mistake reads the entry again the slow way, which does.
 */
import { InventoryProblem, type Position } from './problem.ts';
import type { EntrySource, Fields, TextEntry, Value } from './yaml-source.ts';

export class PlainSource implements EntrySource {
  readonly root: Value;

  constructor(node: unknown, place: Position) {
    this.root = { node, place };
  }

  fields({ node, place }: Value, allowed: readonly string[]): Fields {
    const known = this.#map(node);
    for (const name of known.keys()) {
      if (!allowed.some((field) => field === name)) throw this.#problem();
    }
    return {
      place,
      get: (name) => {
        const found = known.get(name);
        return found === undefined || found === null ? undefined : { node: found, place };
      },
    };
  }

  list({ node, place }: Value, countMax: number): readonly Value[] {
    if (!Array.isArray(node) || node.length > countMax) throw this.#problem();
    return node.map((item: unknown) => ({ node: item, place }));
  }

  text({ node }: Value): string {
    if (typeof node === 'string' && node !== '') return node;
    throw this.#problem();
  }

  texts({ node: given, place }: Value, countMax: number): readonly TextEntry[] {
    const map = this.#map(given);
    if (map.size > countMax) throw this.#problem();
    const textOf = (node: unknown): string => this.text({ node, place });
    const valueOf = (node: unknown): string => (node === '' ? '' : textOf(node));
    return [...map].map(([key, text]) => ({
      key: textOf(key),
      keyPlace: place,
      text: valueOf(text),
      place,
    }));
  }

  #map(node: unknown): ReadonlyMap<unknown, unknown> {
    if (node instanceof Map) return node;
    throw this.#problem();
  }

  #problem(): InventoryProblem {
    return new InventoryProblem(this.root.place, 'the entry is invalid');
  }
}
