import assert from 'node:assert/strict';
import { AuthorityPool } from './authority-pool.ts';
import { anAuthority, clientAuth, dayMs, issue, type Issued, serverAuth } from './issue.fixture.ts';

const root = anAuthority();
const nowMs = dayMs;

function vouches(leaf: Issued, others: readonly Issued[] = [], atMs = nowMs): boolean {
  const pool = new AuthorityPool([root.x509]);
  return pool.vouchesFor({ leaf: leaf.x509, others: others.map(({ x509 }) => x509) }, atMs);
}

describe('a pool of authorities', () => {
  it('vouches for certificates that its authority signed for clients or for any purpose', () => {
    for (const purposes of [[clientAuth], [serverAuth, clientAuth], ['2.5.29.37.0'], undefined]) {
      const options = purposes === undefined ? {} : { purposes };
      assert.equal(vouches(issue({ issuer: root, ...options })), true);
    }
  });

  it('does not vouch for a certificate that is for servers only', () => {
    assert.equal(vouches(issue({ issuer: root, purposes: [serverAuth] })), false);
  });

  it('does not vouch for a certificate before or after its validity', () => {
    const leaf = issue({ issuer: root, fromMs: 2 * dayMs, untilMs: 3 * dayMs });
    assert.equal(vouches(leaf, [], 2 * dayMs - 1), false);
    assert.equal(vouches(leaf, [], 2 * dayMs), true);
    assert.equal(vouches(leaf, [], 3 * dayMs), true);
    assert.equal(vouches(leaf, [], 3 * dayMs + 1), false);
  });

  it('does not vouch for a certificate whose authority has expired', () => {
    const leaf = issue({ issuer: root, untilMs: 90 * dayMs });
    assert.equal(vouches(leaf, [], 31 * dayMs), false);
  });

  it('does not trust another authority with the same name', () => {
    const impostor = anAuthority();
    assert.equal(vouches(issue({ issuer: impostor })), false);
    assert.equal(vouches(issue({ issuer: impostor }), [impostor]), false);
    assert.equal(vouches(issue({ commonName: 'authority' })), false);
  });

  it('builds a chain through intermediate authorities that the client sends, in any order', () => {
    const first = anAuthority({ commonName: 'first', issuer: root });
    const second = anAuthority({ commonName: 'second', issuer: first });
    const leaf = issue({ issuer: second });
    assert.equal(vouches(leaf, [second, first]), true);
    assert.equal(vouches(leaf, [first, second]), true);
    assert.equal(vouches(leaf, [second]), false);
    assert.equal(vouches(leaf), false);
  });

  it('does not accept a client certificate as an authority', () => {
    const user = issue({ commonName: 'user', issuer: root });
    assert.equal(vouches(issue({ issuer: user }), [user]), false);
  });

  it('enforces the path length of every authority', () => {
    const narrow = anAuthority({ commonName: 'narrow', issuer: root, pathLengthMax: 0 });
    assert.equal(vouches(issue({ issuer: narrow }), [narrow]), true);
    const below = anAuthority({ commonName: 'below', issuer: narrow });
    assert.equal(vouches(issue({ issuer: below }), [below, narrow]), false);
  });

  it('enforces the purposes, validity and critical extensions of intermediate authorities', () => {
    const odd = [
      { purposes: [serverAuth] },
      { untilMs: 1 },
      { hasOddExtension: true },
      { hasNameConstraints: true },
    ];
    for (const options of odd) {
      const between = anAuthority({ commonName: 'between', issuer: root, ...options });
      assert.equal(vouches(issue({ issuer: between }), [between]), false);
    }
    assert.equal(vouches(issue({ issuer: root, hasOddExtension: true })), false);
  });

  it('refuses circular and very long chains', () => {
    const long: Issued[] = [];
    for (let depth = 0, issuer = root; depth < 12; depth++) {
      issuer = anAuthority({ commonName: `level ${depth}`, issuer });
      long.push(issuer);
    }
    const last = long.at(-1);
    assert.ok(last);
    assert.equal(vouches(issue({ issuer: last }), long), false);
    const own = anAuthority({ commonName: 'own' });
    assert.equal(vouches(issue({ issuer: own }), [own, own]), false);
  });

  it('vouches for a certificate that is itself in the pool', () => {
    const pinned = issue({ commonName: 'pinned' });
    const pool = new AuthorityPool([pinned.x509]);
    assert.equal(pool.vouchesFor({ leaf: pinned.x509, others: [] }, nowMs), true);
    assert.equal(new AuthorityPool([]).vouchesFor({ leaf: pinned.x509, others: [] }, nowMs), false);
  });
});
