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

const nothing: Trust = { clients: undefined, proxies: undefined };
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
  { name: 'nothing is anonymous', want: 'system:anonymous [system:unauthenticated]' },
  {
    name: 'a client certificate names user and groups',
    peer: client,
    want: 'jane [devs,ops,system:authenticated]',
  },
  {
    name: 'a client cannot speak for others',
    peer: client,
    raw: asAnn,
    want: 'jane [devs,ops,system:authenticated]',
  },
  {
    name: 'a proxy speaks for others',
    peer: proxy,
    raw: asAnn,
    want: 'ann [readers,system:authenticated]',
  },
  { name: 'a proxy that names nobody is refused', peer: proxy, want: 'refused' },
  {
    name: 'a proxy of another name is refused',
    peer: issue({ issuer: proxies, commonName: 'jane' }),
    raw: asAnn,
    want: 'refused',
  },
  {
    name: 'headers without a certificate mean nothing',
    raw: asAnn,
    want: 'system:anonymous [system:unauthenticated]',
  },
  { name: 'a foreign certificate is refused', peer: stranger, raw: asAnn, want: 'refused' },
  {
    name: 'a foreign certificate does not spoil a good token',
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
    name: 'a certificate counts before a token',
    peer: client,
    raw: badToken,
    want: 'jane [devs,ops,system:authenticated]',
  },
  { name: 'a good token names somebody', raw: goodToken, want: 'tom [system:authenticated]' },
  { name: 'a bad token is refused', raw: badToken, want: 'refused' },
  {
    name: 'two tokens are refused, even two good ones',
    raw: [...goodToken, ...goodToken],
    want: 'refused',
  },
  {
    name: 'a foreign certificate does not decide about a token that nobody can judge',
    peer: stranger,
    raw: hangingToken,
    want: 'unknown',
  },
  { name: 'a token that nobody can judge is unknown', raw: hangingToken, want: 'unknown' },
  {
    name: 'a token does not make headers true',
    raw: [...goodToken, ...asAnn],
    want: 'tom [system:authenticated]',
  },
  {
    name: 'without authorities a certificate is as good as none',
    peer: client,
    trust: nothing,
    want: 'system:anonymous [system:unauthenticated]',
  },
  {
    name: 'where one authority is for both, a client is not a proxy',
    peer: client,
    raw: asAnn,
    trust: shared,
    want: 'jane [devs,ops,system:authenticated]',
  },
  {
    name: 'where one authority is for both, a named proxy is never a client',
    peer: namedProxy,
    trust: sharedNamed,
    want: 'refused',
  },
];

describe('who a request is from', () => {
  for (const { name, peer, raw = [], trust = both, want } of cases) {
    it(name, async () => {
      assert.equal(await answerTo({ peer, raw, trust, tokens: 'reviewed' }), want);
    });
  }

  it('is nobody in particular for a token where no API server is asked', async () => {
    const anonymous = 'system:anonymous [system:unauthenticated]';
    assert.equal(await answerTo({ raw: [], trust: both, tokens: 'ignored' }), anonymous);
    for (const raw of [goodToken, badToken]) {
      assert.equal(await answerTo({ raw, trust: both, tokens: 'ignored' }), `${anonymous}token`);
    }
  });

  it('is judged by the time of the request', async () => {
    const clock = virtualClock({ startMs: dayMs });
    const authenticator = createAuthenticator({ clock, trust: () => both, tokens: undefined });
    const asked = { rawHeaders: [], peer: { leaf: client.x509, others: [] }, limitMs: 1 };
    assert.equal((await authenticator.authenticate(asked)).kind, 'identified');
    await clock.advance(30 * dayMs);
    assert.equal((await authenticator.authenticate(asked)).kind, 'refused');
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
