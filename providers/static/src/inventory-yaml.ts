/** Reads a piece of an inventory in YAML. Throws an `InventoryProblem` at the first wrong value. */
import { type Entry, type Fields, type Place, type Value, YamlReader } from '@tandem/cli/yaml';
import { InventoryProblem } from './problem.ts';
import type { Piece } from './split-entries.ts';

export class InventoryYaml extends YamlReader<never> {
  constructor({ text, lineInFile }: Piece) {
    super(text, lineInFile);
  }

  override refuse(place: Place, message: string): never {
    throw new InventoryProblem(place, message);
  }
}

/** The source of an entry: `InventoryYaml`, or `PlainSource` if the fast parser could read the entry. */
export type EntrySource = Pick<InventoryYaml, 'entries' | 'fields' | 'items' | 'refuse' | 'text'>;

export type { Entry as TextEntry, Fields, Value };

/** Reads a text, and refuses an empty one. */
export function textOf(source: EntrySource, value: Value): string {
  const text = source.text(value);
  return text === '' ? source.refuse(value, 'expected a string, found an empty string') : text;
}

/** Returns the text of a field of a map, even if other parts of the map are wrong; undefined if there is none. */
export function looseText(source: InventoryYaml, value: Value, name: string): string | undefined {
  const pair = source.pairs(value)?.find(({ key }) => key === name);
  const text = pair && source.scalar(pair.value);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
