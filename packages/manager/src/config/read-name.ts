/** Reads the name of an entry, which must be unique in its list: events and the log use it. */
import { quote } from '@tandem/core/node-address';
import type { Value, YamlValues } from '@tandem/cli/yaml';

/** `lineOf` has the names of earlier entries, with their lines. */
export function readName(
  source: YamlValues,
  value: Value | undefined,
  lineOf: Map<string, number>,
): string | undefined {
  const name = source.text(value);
  if (value === undefined || name === undefined) return undefined;
  if (name.trim() === '') return source.refuse(value, 'must not be empty');
  const before = lineOf.get(name);
  if (before !== undefined)
    source.refuse(value, `${quote(name)} is already used on line ${before}`);
  else lineOf.set(name, value.line);
  return name;
}
