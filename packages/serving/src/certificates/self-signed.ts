/**
 * Makes a certificate for a manager that was given none. It encrypts, and clients that copy the authority can verify it.
 * The authority's key signs this one certificate and is then discarded, so that it can never sign another.
 */
import { createAuthority, type KeyPair } from './index.ts';

interface SelfSignedOptions {
  readonly nowMs: number;
  /** Host names and IP addresses. */
  readonly hosts: readonly string[];
}

export const selfSignedValidityMs: number = 365 * 24 * 3_600_000;

/** Returns a certificate that is followed by that of its authority. */
export function createSelfSigned({ nowMs, hosts }: SelfSignedOptions): KeyPair {
  const authority = createAuthority({
    commonName: `${hosts[0]}-ca@${nowMs}`,
    nowMs,
    validityMs: selfSignedValidityMs,
  });
  const leaf = authority.issue({ commonName: `${hosts[0]}@${nowMs}`, hosts, uses: ['serverAuth'] });
  return { cert: leaf.cert + authority.cert, key: leaf.key };
}
