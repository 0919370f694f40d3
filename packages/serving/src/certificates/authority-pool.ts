/**
 * A set of authorities that answers one question: does it vouch for this client certificate now? The TLS layer accepts any
 * certificate that a client shows, because there are two pools that must never be mixed, and because a connection may
 * outlive a certificate. The chain is therefore verified here, for each request, with the strictness of Go's verifier
 * (validity, authority, path length, purpose).
 */
import type { X509Certificate } from 'node:crypto';
import { chainFactsOf } from './extensions.ts';

/** The certificate of a client, and others that it sent, which may lead to an authority. */
export interface PeerChain {
  readonly leaf: X509Certificate;
  readonly others: readonly X509Certificate[];
}

/** The maximum length of a chain, longer than any in use. */
const depthMax = 6;

export class AuthorityPool {
  readonly #authorities: readonly X509Certificate[];

  constructor(authorities: readonly X509Certificate[]) {
    this.#authorities = authorities;
  }

  vouchesFor({ leaf, others }: PeerChain, nowMs: number): boolean {
    if (!isUsable(leaf, nowMs)) return false;
    if (this.#holds(leaf)) return true;
    return this.#reaches([leaf], others, nowMs);
  }

  #holds(certificate: X509Certificate): boolean {
    return this.#authorities.some((known) => known.raw.equals(certificate.raw));
  }

  /** Returns whether the chain can be extended to an authority of the pool. */
  #reaches(
    chain: readonly [X509Certificate, ...X509Certificate[]],
    others: readonly X509Certificate[],
    nowMs: number,
  ): boolean {
    if (chain.length > depthMax) return false;
    const last = chain[chain.length - 1] ?? chain[0];
    const mayIssue = (issuer: X509Certificate): boolean =>
      issued(issuer, last) && isUsable(issuer, nowMs) && isAuthority(issuer, chain.length - 1);
    if (this.#authorities.some(mayIssue)) return true;
    return others.some(
      (other) =>
        !chain.includes(other) &&
        mayIssue(other) &&
        this.#reaches([...chain, other], others, nowMs),
    );
  }
}

function issued(issuer: X509Certificate, subject: X509Certificate): boolean {
  try {
    return subject.checkIssued(issuer) && subject.verify(issuer.publicKey);
  } catch {
    // OpenSSL does not know the kind of key, so nothing can be verified with it.
    return false;
  }
}

/** Returns whether the certificate is valid now, is for clients, and has no unknown critical extension. */
function isUsable(certificate: X509Certificate, nowMs: number): boolean {
  const { validFromDate, validToDate } = certificate;
  if (nowMs < validFromDate.getTime() || nowMs > validToDate.getTime()) return false;
  return isForClients(certificate) && chainFactsOf(certificate)?.hasUnknownCritical === false;
}

/** Returns whether the certificate is for clients. One without purposes is for every purpose. */
function isForClients(certificate: X509Certificate): boolean {
  // This property is the extended key usage. `checkIssued` checks the plain key usage.
  const purposes: readonly string[] | undefined = certificate.keyUsage;
  return purposes === undefined || purposes.some((purpose) => clientPurposes.has(purpose));
}

/** The identifiers of client authentication and of any purpose. */
const clientPurposes: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

function isAuthority(certificate: X509Certificate, authoritiesBelow: number): boolean {
  const pathLengthMax = chainFactsOf(certificate)?.pathLengthMax ?? -1;
  return certificate.ca && authoritiesBelow <= pathLengthMax;
}
