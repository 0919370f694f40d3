/**
 * A certificate for a manager that was given none: good for encryption and for people who copy the
 * authority, worth nothing elsewhere. The authority's key signs this one certificate and is then
 * forgotten, so that nobody can ever sign another with it.
 */
import { createAuthority, type KeyPair } from './index.ts';

interface SelfSignedOptions {
  readonly nowMs: number;
  /** Host names and IP addresses. */
  readonly hosts: readonly string[];
}

export const selfSignedValidityMs: number = 365 * 24 * 3_600_000;

/** The certificate is followed by that of its authority. */
export function createSelfSigned({ nowMs, hosts }: SelfSignedOptions): KeyPair {
  const authority = createAuthority({
    commonName: `${hosts[0]}-ca@${nowMs}`,
    nowMs,
    validityMs: selfSignedValidityMs,
  });
  const leaf = authority.issue({ commonName: `${hosts[0]}@${nowMs}`, hosts, uses: ['serverAuth'] });
  return { cert: leaf.cert + authority.cert, key: leaf.key };
}
