/** A piece of an inventory in YAML. Its reader throws an `InventoryProblem` at the first value that is wrong. */
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

/** What an entry is read from: `InventoryYaml`, or `PlainSource` where the entry is written in the usual way. */
export type EntrySource = Pick<InventoryYaml, 'entries' | 'fields' | 'items' | 'refuse' | 'text'>;

export type { Entry as TextEntry, Fields, Value };

/** A text that may not be empty. */
export function textOf(source: EntrySource, value: Value): string {
  const text = source.text(value);
  return text === '' ? source.refuse(value, 'expected a string, found an empty string') : text;
}

/** The text of a field of what may be a map, whatever else is wrong with it. */
export function looseText(source: InventoryYaml, value: Value, name: string): string | undefined {
  const pair = source.pairs(value)?.find(({ key }) => key === name);
  const text = pair && source.scalar(pair.value);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
