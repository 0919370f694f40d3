import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { AuthorityPool } from '../certificates/authority-pool.ts';
import { anAuthority, dayMs, issue, type Issued } from '../certificates/issue.fixture.ts';
import { scriptedReviews, unreachable } from '../review/scripted-reviews.fixture.ts';
import { createAuthenticator, type Trust } from './authenticator.ts';
import { TokenReviews } from './token-reviews.ts';

const clients = anAuthority({ commonName: 'clients' });
const proxies = anAuthority({ commonName: 'proxies' });
const headers = {
  usernameHeaders: ['X-Remote-User'],
  groupHeaders: ['X-Remote-Group'],
  uidHeaders: [],
  extraHeaderPrefixes: [],
};
const both: Trust = {
  clients: new AuthorityPool([clients.x509]),
  proxies: { ...headers, pool: new AuthorityPool([proxies.x509]), allowedNames: ['proxy'] },
};
const client = issue({ issuer: clients, commonName: 'jane', organizations: ['devs', 'ops'] });
const proxy = issue({ issuer: proxies, commonName: 'proxy' });
const stranger = issue({ commonName: 'jane' });

const asAnn = ['X-Remote-User', 'ann', 'X-Remote-Group', 'readers'];
const goodToken = ['Authorization', 'Bearer good'];
const badToken = ['Authorization', 'Bearer bad'];
const hangingToken = ['Authorization', 'Bearer hanging'];

interface Case {
  readonly name: string;
  readonly peer?: Issued;
  readonly raw?: readonly string[];
  readonly trust?: Trust;
  readonly want: string;
}

const noTrust: Trust = { clients: undefined, proxies: undefined };
const shared: Trust = {
  clients: both.clients,
  proxies: { ...headers, pool: new AuthorityPool([clients.x509]), allowedNames: [] },
};
const namedProxy = issue({ issuer: clients, commonName: 'proxy' });
const sharedNamed: Trust = {
  clients: both.clients,
  proxies: { ...headers, pool: new AuthorityPool([clients.x509]), allowedNames: ['proxy'] },
};

const cases: readonly Case[] = [
  {
    name: 'a request without credentials is anonymous',
    want: 'system:anonymous [system:unauthenticated]',
  },
  {
    name: 'a client certificate names the user and the groups',
    peer: client,
    want: 'jane [devs,ops,system:authenticated]',
  },
  {
    name: 'a client cannot name another user in headers',
    peer: client,
    raw: asAnn,
    want: 'jane [devs,ops,system:authenticated]',
  },
  {
    name: 'a proxy can name another user in headers',
    peer: proxy,
    raw: asAnn,
    want: 'ann [readers,system:authenticated]',
  },
  { name: 'a proxy that names no user is refused', peer: proxy, want: 'refused' },
  {
    name: 'a proxy whose name is not allowed is refused',
    peer: issue({ issuer: proxies, commonName: 'jane' }),
    raw: asAnn,
    want: 'refused',
  },
  {
    name: 'headers without a certificate are ignored',
    raw: asAnn,
    want: 'system:anonymous [system:unauthenticated]',
  },
  {
    name: 'a certificate of an unknown authority is refused',
    peer: stranger,
    raw: asAnn,
    want: 'refused',
  },
  {
    name: 'a good token is accepted despite a certificate of an unknown authority',
    peer: stranger,
    raw: goodToken,
    want: 'tom [system:authenticated]',
  },
  {
    name: 'a certificate without a common name is refused',
    peer: issue({ issuer: clients, commonName: '' }),
    want: 'refused',
  },
  {
    name: 'a certificate takes precedence over a token',
    peer: client,
    raw: badToken,
    want: 'jane [devs,ops,system:authenticated]',
  },
  { name: 'a good token names its user', raw: goodToken, want: 'tom [system:authenticated]' },
  { name: 'a bad token is refused', raw: badToken, want: 'refused' },
  {
    name: 'two tokens are refused, even two good ones',
    raw: [...goodToken, ...goodToken],
    want: 'refused',
  },
  {
    name: 'a token that cannot be reviewed is unknown even with a certificate of an unknown authority',
    peer: stranger,
    raw: hangingToken,
    want: 'unknown',
  },
  { name: 'a token that cannot be reviewed is unknown', raw: hangingToken, want: 'unknown' },
  {
    name: 'headers are ignored even with a good token',
    raw: [...goodToken, ...asAnn],
    want: 'tom [system:authenticated]',
  },
  {
    name: 'without authorities, a certificate is ignored',
    peer: client,
    trust: noTrust,
    want: 'system:anonymous [system:unauthenticated]',
  },
  {
    name: 'with one authority for clients and proxies, a client is not a proxy',
    peer: client,
    raw: asAnn,
    trust: shared,
    want: 'jane [devs,ops,system:authenticated]',
  },
  {
    name: 'with one authority for clients and proxies, an allowed proxy is never a client',
    peer: namedProxy,
    trust: sharedNamed,
    want: 'refused',
  },
];

describe('the identity of a request', () => {
  for (const { name, peer, raw = [], trust = both, want } of cases) {
    it(name, async () => {
      assert.equal(await answerTo({ peer, raw, trust, tokens: 'reviewed' }), want);
    });
  }

  it('is anonymous for an unchecked token when no API server reviews tokens', async () => {
    const anonymous = 'system:anonymous [system:unauthenticated]';
    assert.equal(await answerTo({ raw: [], trust: both, tokens: 'ignored' }), anonymous);
    for (const raw of [goodToken, badToken]) {
      assert.equal(await answerTo({ raw, trust: both, tokens: 'ignored' }), `${anonymous}token`);
    }
  });

  it('depends on whether the certificate is valid at the time of the request', async () => {
    const clock = virtualClock({ startMs: dayMs });
    const authenticator = createAuthenticator({ clock, trust: () => both, tokens: undefined });
    const request = { rawHeaders: [], peer: { leaf: client.x509, others: [] }, limitMs: 1 };
    assert.equal((await authenticator.authenticate(request)).kind, 'identified');
    await clock.advance(30 * dayMs);
    assert.equal((await authenticator.authenticate(request)).kind, 'refused');
  });
});

async function answerTo(asked: {
  readonly peer?: Issued | undefined;
  readonly raw: readonly string[];
  readonly trust: Trust;
  readonly tokens: 'reviewed' | 'ignored';
}): Promise<string> {
  const clock = virtualClock({ startMs: dayMs });
  const { reviewer } = scriptedReviews(clock, ({ token }) =>
    token === 'hanging'
      ? unreachable()
      : { authenticated: token === 'good', user: { username: 'tom' } },
  );
  const reviews = new TokenReviews({ reviewer, clock, ttlMs: 1, onLookup: () => undefined });
  const tokens = asked.tokens === 'reviewed' ? reviews : undefined;
  const authenticator = createAuthenticator({ clock, trust: () => asked.trust, tokens });
  const answer = authenticator.authenticate({
    rawHeaders: asked.raw,
    peer: asked.peer === undefined ? undefined : { leaf: asked.peer.x509, others: [] },
    limitMs: 1_000,
  });
  await clock.runAll();
  const settled = await answer;
  if (settled.kind !== 'identified') return settled.kind;
  const { identity, unchecked = '' } = settled;
  return `${identity.name} [${identity.groups.join(',')}]${unchecked}`;
}
