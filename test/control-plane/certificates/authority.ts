/**
 * The authorities of tests. Every control plane makes its own, so that nothing it trusts is worth
 * anything elsewhere, and verification is never skipped.
 */
import { type Authority, createAuthority as create } from '@tandem/serving/certificates';

/** A month outlives every test run and every sitting of a person. */
const validityMs = 30 * 24 * 3_600_000;

export function createAuthority(commonName: string, nowMs: number): Authority {
  return create({ commonName, nowMs, validityMs });
}
