/**
 * The certificate authorities of tests. Every control plane has its own, so that its certificates are worthless
 * elsewhere and verification is never skipped.
 */
import { type Authority, createAuthority as create } from '@tandem/serving/certificates';

/** Longer than any test run and any session of a person. */
const validityMs = 30 * 24 * 3_600_000;

export function createAuthority(commonName: string, nowMs: number): Authority {
  return create({ commonName, nowMs, validityMs });
}
