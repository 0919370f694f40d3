/** Filters: an entry passes when, of every filter, one value fits. Names that EC2 does not have are refused. */
import { EC2Error } from './error.ts';
import type { Filter } from './query.ts';
import type { Tags } from './state.ts';

/** What a filter of this name looks at, in one entry. */
type Fields = Readonly<Record<string, readonly string[]>>;

export function passes(filters: readonly Filter[], fields: Fields): boolean {
  return filters.every(({ name, values }) => {
    const found = fields[name] ?? (name.startsWith('tag:') ? [] : undefined);
    if (found === undefined) {
      throw new EC2Error('InvalidParameterValue', `The filter '${name}' is invalid`);
    }
    return values.some((value) => found.includes(value));
  });
}

export function tagFields(tags: Tags): Fields {
  const byKey = Object.entries(tags).map(([key, value]) => [`tag:${key}`, [value]]);
  return { 'tag-key': Object.keys(tags), ...Object.fromEntries(byKey) };
}
