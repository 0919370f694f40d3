/**
 * Presents an entry from the fast parser through the interface of the full one. It knows no positions inside the
 * entry, so a reader that finds a mistake reads the entry again with the full parser.
 */
import type { FieldNames } from '@tandem/cli/yaml';
import type { EntrySource, Fields, TextEntry, Value } from './inventory-yaml.ts';
import { InventoryProblem, type Position } from './problem.ts';

export class PlainSource implements EntrySource {
  readonly root: Value;

  constructor(node: unknown, place: Position) {
    this.root = { node, ...place, path: '' };
  }

  refuse(): never {
    throw new InventoryProblem(this.root, 'the entry is invalid');
  }

  fields<Name extends string>(value: Value, table: FieldNames<Name>): Fields<Name> {
    const known = this.#map(value.node);
    for (const name of known.keys()) {
      if (typeof name !== 'string' || !Object.hasOwn(table, name)) this.refuse();
    }
    const has = (name: string): boolean => (known.get(name) ?? null) !== null;
    const get = (name: string): Value | undefined =>
      has(name) ? { ...this.root, node: known.get(name) } : undefined;
    return { get, has, of: value };
  }

  items({ node }: Value, countMax: number): readonly Value[] {
    if (!Array.isArray(node) || node.length > countMax) return this.refuse();
    return node.map((item: unknown) => ({ ...this.root, node: item }));
  }

  text({ node }: Value): string {
    return typeof node === 'string' ? node : this.refuse();
  }

  entries({ node }: Value, countMax: number): readonly TextEntry[] {
    const map = this.#map(node);
    if (map.size > countMax) this.refuse();
    return Array.from(map, ([key, item]) => ({
      key: typeof key === 'string' ? key : this.refuse(),
      keyPlace: this.root,
      value: { ...this.root, node: item },
    }));
  }

  #map(node: unknown): ReadonlyMap<unknown, unknown> {
    return node instanceof Map ? node : this.refuse();
  }
}
