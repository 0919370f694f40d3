/** Names of entries, unique in their list, for events and the log to tell entries apart. */
import { quote } from '@tandem/core/node-address';
import type { Value, YamlValues } from '@tandem/cli/yaml';

/** `lineOf` has the names that are taken already, with their lines. */
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
