/**
 * Reads the token in the `Authorization` header as upstream does: another scheme, or no token after the scheme, is no
 * credential. A client that sends two such headers is refused, because a proxy and this program might read different ones.
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
