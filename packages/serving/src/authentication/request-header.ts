/**
 * Reads the user that a proxy names in request headers. Only for connections whose certificate the request-header
 * authorities vouched for: these headers of any other client are ignored.
 */
import type { Identity } from './identity.ts';
import { type HeaderLine, valuesOf } from './raw-headers.ts';

/** The names of the headers for each part of an identity. */
export interface HeaderNames {
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

type ToldIdentity =
  | { readonly kind: 'told'; readonly identity: Identity }
  /** The proxy named no user. */
  | { readonly kind: 'nobody' }
  /** A header cannot be read as text. */
  | { readonly kind: 'unreadable' };

export function identityIn(lines: readonly HeaderLine[], names: HeaderNames): ToldIdentity {
  const relevant = lines.filter(({ name }) => isRelevant(name, names));
  if (relevant.some(({ value }) => value === undefined)) return { kind: 'unreadable' };
  const name = firstValue(relevant, names.usernameHeaders);
  if (name === '') return { kind: 'nobody' };
  const groups = names.groupHeaders.flatMap((header) => valuesOf(relevant, header)).filter(isSet);
  const uid = firstValue(relevant, names.uidHeaders);
  return { kind: 'told', identity: { name, uid, groups, extra: extraIn(relevant, names) } };
}

function isRelevant(header: string, names: HeaderNames): boolean {
  const { usernameHeaders, groupHeaders, uidHeaders } = names;
  return (
    [...usernameHeaders, ...groupHeaders, ...uidHeaders].some(
      (name) => name.toLowerCase() === header,
    ) || prefixesOf(names).some((prefix) => header.startsWith(prefix))
  );
}

/** Returns the first line of the first header whose first line is not empty. */
function firstValue(lines: readonly HeaderLine[], headers: readonly string[]): string {
  return headers.map((header) => valuesOf(lines, header)[0]).find(isSet) ?? '';
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function extraIn(lines: readonly HeaderLine[], names: HeaderNames): Identity['extra'] {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixesOf(names)) {
    for (const { name, value = '' } of lines) {
      if (!name.startsWith(prefix)) continue;
      const key = decoded(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), value]);
    }
  }
  return Object.fromEntries(extra);
}

/** Leaves out empty prefixes, which would make every header an extra attribute. */
function prefixesOf({ extraHeaderPrefixes }: HeaderNames): readonly string[] {
  return extraHeaderPrefixes.map((each) => each.toLowerCase()).filter((each) => each !== '');
}

/** Decodes a key, because keys may have characters that headers cannot have. Invalid encoding is kept as it is. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
