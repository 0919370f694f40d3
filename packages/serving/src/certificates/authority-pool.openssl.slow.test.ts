/**
 * Compares the verifier of client certificates with OpenSSL's, on good chains and on chains with one or several
 * faults. Three differences are intended and have their own tests below.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AuthorityPool } from './authority-pool.ts';
import {
  anAuthority,
  clientAuth,
  dayMs,
  issue,
  type Issued,
  type IssueOptions,
  keyUsage,
  serverAuth,
} from './issue.fixture.ts';
import { type ClientChain, opensslVerdict, opensslVersion } from './openssl-verify.fixture.ts';

const nowMs = 10 * dayMs;

/** Most certificates are good, so that a chain of several has a chance of being accepted. */
const faults: fc.Arbitrary<IssueOptions> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<IssueOptions[]>(
      { untilMs: nowMs - 1000 },
      { fromMs: nowMs + 1000 },
      { fromMs: nowMs },
      { purposes: [serverAuth] },
      { purposes: [serverAuth, clientAuth] },
      { hasOddExtension: true },
      { isForged: true },
    ),
  },
);

const authorityFaults: fc.Arbitrary<IssueOptions> = fc.oneof(
  { weight: 6, arbitrary: faults },
  {
    weight: 1,
    arbitrary: fc.constantFrom<IssueOptions[]>(
      { isAuthority: false },
      { pathLengthMax: 0 },
      { pathLengthMax: 1 },
      { keyUsage: keyUsage.digitalSignature },
      { keyUsage: keyUsage.keyCertSign },
    ),
  },
);

const plan = fc.record({
  root: authorityFaults,
  /** From the root down. */
  between: fc.array(authorityFaults, { maxLength: 3 }),
  leaf: faults,
  /** The certificate in the pool. A namesake has only the name of the root, so the pool trusts no chain. */
  pooled: fc.oneof(
    { weight: 6, arbitrary: fc.constant('root' as const) },
    { weight: 1, arbitrary: fc.constantFrom('first between', 'leaf', 'namesake') },
  ),
  /** The intermediate authority that the client leaves out of its chain. */
  leftOut: fc.option(fc.nat(3), { freq: 6, nil: undefined }),
  order: fc.constantFrom('as issued', 'reversed'),
  /** Whether the client also shows another certificate with the name of the root. */
  showsNamesake: fc.boolean(),
});

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

function build({ root: rootOptions, between, leaf: leafOptions, ...more }: Plan): ClientChain {
  const root = anAuthority({ hasKeyIDs: true, ...rootOptions });
  const namesake = anAuthority({ hasKeyIDs: true });
  const authorities: Issued[] = [root];
  for (const [depth, options] of between.entries()) {
    const issuer = authorities.at(-1) ?? root;
    const commonName = `between ${depth}`;
    authorities.push(anAuthority({ commonName, issuer, hasKeyIDs: true, ...options }));
  }
  const issuer = authorities.at(-1) ?? root;
  const leaf = issue({ issuer, hasKeyIDs: true, ...leafOptions });
  const shown = authorities.slice(1).filter((_, depth) => depth !== more.leftOut);
  // A trusted leaf needs no chain. With one, openssl would also verify the chain.
  if (more.pooled === 'leaf') return { pool: [leaf], leaf, others: [] };
  const ordered = more.order === 'reversed' ? shown.toReversed() : shown;
  return {
    pool: [{ root, 'first between': authorities[1] ?? root, namesake }[more.pooled]],
    leaf,
    others: more.showsNamesake ? [namesake, ...ordered] : ordered,
  };
}

function vouches({ pool, leaf, others }: ClientChain): boolean {
  const authorities = new AuthorityPool(pool.map(({ x509 }) => x509));
  return authorities.vouchesFor({ leaf: leaf.x509, others: others.map(({ x509 }) => x509) }, nowMs);
}

describe('a pool of authorities, compared with openssl verify,', function () {
  before(function () {
    if (opensslVersion() !== undefined) return;
    this['skipReason'] = 'no openssl on the PATH';
    this.skip();
  });

  it('vouches for exactly the chains that openssl accepts', async () => {
    const verdicts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const chain = build(given);
        const theirs = await opensslVerdict(chain, nowMs);
        const kind = /^error (\d+)/m.exec(theirs)?.[1] ?? theirs;
        verdicts.set(kind, (verdicts.get(kind) ?? 0) + 1);
        assert.equal(vouches(chain) ? 'OK' : 'refused', theirs === 'OK' ? 'OK' : 'refused', theirs);
      }),
      { numRuns: 400, seed: 22 },
    );
    assert.ok((verdicts.get('OK') ?? 0) >= 100, JSON.stringify([...verdicts]));
    assert.ok(verdicts.size >= 7, JSON.stringify([...verdicts]));
  });

  const root = anAuthority();
  const narrow = anAuthority({ commonName: 'narrow', issuer: root, hasNameConstraints: true });
  const differences = [
    {
      name: "accepts a certificate in the last second of its time, as Go's verifier does",
      chain: { pool: [root], leaf: issue({ issuer: root, untilMs: nowMs }), others: [] },
      want: { ours: true, theirs: /certificate has expired/ },
    },
    {
      name: "accepts a certificate for any purpose, as Go's verifier does",
      chain: { pool: [root], leaf: issue({ issuer: root, purposes: ['2.5.29.37.0'] }), others: [] },
      want: { ours: true, theirs: /unsuitable certificate purpose/ },
    },
    {
      name: 'refuses authorities with name constraints, which it does not check',
      chain: { pool: [root], leaf: issue({ issuer: narrow }), others: [narrow] },
      want: { ours: false, theirs: /^OK$/ },
    },
  ] as const;
  for (const { name, chain, want } of differences) {
    it(`${name}; openssl does not`, async () => {
      assert.match(await opensslVerdict(chain, nowMs), want.theirs);
      assert.equal(vouches(chain), want.ours);
    });
  }
});
