/**
 * Identifies the client of a request. It tries the headers of a proxy, a client certificate and a token in upstream's order,
 * and the first that identifies a client counts. A credential that identifies no client is refused; only a client without
 * credentials is anonymous. Certificates are verified for every request.
 */
import type { Clock } from '@tandem/runtime';
import type { AuthorityPool, PeerChain } from '../certificates/authority-pool.ts';
import { commonNameOf, identityOf } from './client-certificate.ts';
import { anonymous, type Identity, withAuthenticatedGroup } from './identity.ts';
import { type HeaderLine, headerLines, type RawHeaders, valuesOf } from './raw-headers.ts';
import { type HeaderNames, identityIn } from './request-header.ts';
import type { TokenReviews } from './token-reviews.ts';

/** The trusted authorities. A part is undefined if it was neither configured nor found in the cluster. */
export interface Trust {
  readonly clients: AuthorityPool | undefined;
  readonly proxies: ProxyTrust | undefined;
}

export interface ProxyTrust extends HeaderNames {
  readonly pool: AuthorityPool;
  /** The common names of proxies. If empty, every name is allowed. */
  readonly allowedNames: readonly string[];
}

export interface Credentials {
  readonly rawHeaders: RawHeaders;
  readonly peer: PeerChain | undefined;
  /** How long a token's review may take. */
  readonly limitMs: number;
}

export type Authentication =
  | {
      readonly kind: 'identified';
      readonly identity: Identity;
      /** The kind of a credential that was ignored because no API server reviews it. */
      readonly unchecked?: 'token';
    }
  | { readonly kind: 'refused' }
  /** The API server could not review the token. */
  | { readonly kind: 'unknown' };

export interface Authenticator {
  authenticate(credentials: Credentials): Promise<Authentication>;
}

export function createAuthenticator(parts: {
  readonly clock: Clock;
  readonly trust: () => Trust;
  /** Undefined if no API server reviews tokens. Tokens are then ignored. */
  readonly tokens: TokenReviews | undefined;
}): Authenticator {
  const { clock, tokens } = parts;

  const byToken = async (
    lines: readonly HeaderLine[],
    limitMs: number,
  ): Promise<Authentication | undefined> => {
    const found = bearerTokenIn(lines);
    if (found.kind === 'none') return undefined;
    if (tokens === undefined) return uncheckedToken;
    if (found.kind === 'ambiguous') return refused;
    try {
      return await tokens.verdictOn(found.token, limitMs);
    } catch {
      // The reviewer logged the failure. Whether the token is good is unknown.
      return { kind: 'unknown' };
    }
  };

  return {
    async authenticate({ rawHeaders, peer, limitMs }) {
      const lines = headerLines(rawHeaders);
      const shown =
        peer === undefined
          ? undefined
          : byCertificate({ lines, peer, trust: parts.trust(), nowMs: clock.now() });
      if (shown?.kind === 'identified') return known(shown.identity);
      const token = await byToken(lines, limitMs);
      if (token === uncheckedToken) return shown ?? uncheckedToken;
      if (token?.kind === 'identified') return known(token.identity);
      return token ?? shown ?? { kind: 'identified', identity: anonymous };
    },
  };
}

const refused: Authentication = { kind: 'refused' };

/** As in upstream's manager, a caller whose token cannot be checked is anonymous. */
const uncheckedToken: Authentication = {
  kind: 'identified',
  identity: anonymous,
  unchecked: 'token',
};

function known(identity: Identity): Authentication {
  return { kind: 'identified', identity: withAuthenticatedGroup(identity) };
}

interface Shown {
  readonly lines: readonly HeaderLine[];
  readonly peer: PeerChain;
  readonly trust: Trust;
  readonly nowMs: number;
}

/** Returns undefined if there is no authority that could verify the certificate. */
function byCertificate(shown: Shown): Authentication | undefined {
  const { peer, trust, nowMs } = shown;
  if (trust.clients === undefined && trust.proxies === undefined) return undefined;
  const isClient = trust.clients?.vouchesFor(peer, nowMs) ?? false;
  const { proxies } = trust;
  if (proxies !== undefined && isProxy(shown, proxies, isClient ? 'client' : 'stranger')) {
    const told = identityIn(shown.lines, proxies);
    return told.kind === 'told' ? { kind: 'identified', identity: told.identity } : refused;
  }
  const identity = isClient ? identityOf(peer.leaf) : undefined;
  return identity === undefined ? refused : { kind: 'identified', identity };
}

/**
 * Returns whether the certificate is a proxy's. One that is also valid for a client must have an allowed name:
 * otherwise, with one authority for both kinds, any client could claim to be any user.
 */
function isProxy(
  { peer, nowMs }: Shown,
  { pool, allowedNames }: ProxyTrust,
  otherwise: 'client' | 'stranger',
): boolean {
  if (!pool.vouchesFor(peer, nowMs)) return false;
  if (allowedNames.length === 0) return otherwise === 'stranger';
  const name = commonNameOf(peer.leaf);
  return name !== undefined && allowedNames.includes(name);
}

type BearerToken =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous' };

/**
 * Reads the token in the `Authorization` header as upstream does: another scheme, or no token after the scheme, is no
 * credential. A client that sends two such headers is refused, because a proxy and this program might read different ones.
 */
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
