/**
 * resourceVersions are decimal numbers of any length, kept as text. They compare by length, then by
 * text; as JavaScript numbers the larger ones would lose digits.
 */
export function isOlder(version: string, than: string): boolean {
  return version.length === than.length ? version < than : version.length < than.length;
}
