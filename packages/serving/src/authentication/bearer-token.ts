/**
 * The token in the `Authorization` header, read as upstream reads it: another scheme, or no token after
 * the scheme, is no credential at all. Two such headers are: whoever sends them is refused, because
 * a proxy and we might not read the same one.
 */
import { type HeaderLine, valuesOf } from './raw-headers.ts';

type BearerToken =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous' };

export function bearerTokenIn(lines: readonly HeaderLine[]): BearerToken {
  const values = valuesOf(lines, 'authorization');
  if (values.length > 1) return { kind: 'ambiguous' };
  const [value] = values;
  if (values.length === 0) return { kind: 'none' };
  if (value === undefined) return { kind: 'ambiguous' };
  const [scheme = '', token = ''] = value.trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === '') return { kind: 'none' };
  return { kind: 'token', token };
}
