/** Filters: an entry passes when, of every filter, one value fits. Names that EC2 does not have are refused. */
import { EC2Error } from './error.ts';
import type { Filter } from './query.ts';
import type { Tags } from './state.ts';

/** What a filter of each name looks at, in one entry. */
type Fields<T> = Readonly<Record<string, (entry: T) => readonly string[]>>;

export function filtered<T extends { readonly tags: Tags }>(
  entries: Iterable<T>,
  filters: readonly Filter[],
  fields: Fields<T>,
): T[] {
  const tests = filters.map(({ name, values }) => {
    const read = fields[name] ?? readTags(name);
    return (entry: T): boolean => read(entry).some((found) => values.includes(found));
  });
  return [...entries].filter((entry) => tests.every((test) => test(entry)));
}

function readTags(name: string): (entry: { readonly tags: Tags }) => readonly string[] {
  if (name === 'tag-key') return ({ tags }) => Object.keys(tags);
  if (!name.startsWith('tag:')) {
    throw new EC2Error('InvalidParameterValue', `The filter '${name}' is invalid`);
  }
  const key = name.slice('tag:'.length);
  return ({ tags }) => Object.entries(tags).flatMap(([each, value]) => (each === key ? value : []));
}
