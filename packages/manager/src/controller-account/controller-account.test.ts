import assert from 'node:assert/strict';
import { ApiError, type Call, type KubeClient } from '@tandem/kube/client';
import type { Credentials } from '@tandem/kube/credentials';
import { createLogger } from '@tandem/runtime';
import { virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { accountCredentials } from './account-credentials.ts';
import { AccountTokens } from './account-tokens.ts';
import { openControllerConnections } from './controller-connections.ts';
import { requestToken } from './request-token.ts';

const account = { namespace: 'kube-system', name: 'node-controller' };

/** An API server that issues tokens for an hour, or refuses them. */
class AccountWorld {
  readonly clock: VirtualClock = virtualClock({ startMs: 0 });
  readonly calls: Call[] = [];
  readonly log: string[] = [];
  refusal: Error | undefined;
  answer: unknown;
  readonly #client: KubeClient = {
    call: async (call) => {
      this.calls.push(call);
      if (this.refusal !== undefined) throw this.refusal;
      const answer = this.answer ?? {
        spec: { expirationSeconds: 3_600 },
        status: { token: `token-${this.calls.length}` },
      };
      const body = new TextEncoder().encode(JSON.stringify(answer));
      return { status: 201, headers: {}, body };
    },
    open: () => Promise.reject(new Error('nothing is opened')),
  };
  readonly tokens: AccountTokens = new AccountTokens({
    clock: this.clock,
    logger: createLogger({ clock: this.clock, destination: { write: (line) => this.#note(line) } }),
    account: 'kube-system/node-controller',
    request: () => requestToken(this.#client, account),
  });

  #note(line: string): void {
    const { level, msg } = JSON.parse(line);
    this.log.push(`${level} ${msg}`);
  }
}

function refused(code: number): ApiError {
  const status = {
    code,
    reason: 'Forbidden',
    message: 'no',
    causes: [],
    retryAfterSeconds: undefined,
  };
  return new ApiError('refused', { code: 'ApiForbidden', retry: 'never', effect: 'none', status });
}

const minuteMs = 60_000;

describe('the token of a controller account', () => {
  it('is requested once for concurrent callers, for the account that upstream uses', async () => {
    const world = new AccountWorld();
    const all = await Promise.all([world.tokens.get(), world.tokens.get(), world.tokens.get()]);
    assert.deepEqual(all, ['token-1', 'token-1', 'token-1']);
    assert.equal(await world.tokens.get(), 'token-1');
    const [call] = world.calls;
    assert.deepEqual(call?.resource, {
      group: '',
      version: 'v1',
      resource: 'serviceaccounts',
      ...account,
      subresource: 'token',
    });
    assert.equal(world.calls.length, 1);
  });

  it('is replaced shortly before it expires', async () => {
    const world = new AccountWorld();
    await world.tokens.get();
    await world.clock.advance(47 * minuteMs);
    assert.equal(world.tokens.fresh, 'token-1');
    await world.clock.advance(2 * minuteMs);
    assert.equal(world.tokens.fresh, undefined);
    assert.equal(await world.tokens.get(), 'token-2');
  });

  it('stays in use until it expires while a new one is refused, and is not requested on every use', async () => {
    const world = new AccountWorld();
    await world.tokens.get();
    await world.clock.advance(50 * minuteMs);
    world.refusal = refused(500);
    for (let turn = 0; turn < 20; turn += 1) assert.equal(await world.tokens.get(), 'token-1');
    assert.equal(world.calls.length, 2);
    assert.deepEqual(world.tokens.check(), { ok: true });
    await world.clock.advance(11 * minuteMs);
    await assert.rejects(world.tokens.get(), { code: 'ControllerTokenUnavailable' });
    assert.equal(world.tokens.check().ok, false);
    world.refusal = undefined;
    await world.clock.advance(11_000);
    assert.equal(await world.tokens.get(), 'token-4');
    assert.deepEqual(world.tokens.check(), { ok: true });
    assert.deepEqual(world.log, [
      'error Could not get a token for the controllers',
      'info Got a token for the controllers',
    ]);
  });

  it('is refused with advice, and the health check then fails', async () => {
    const world = new AccountWorld();
    assert.deepEqual(world.tokens.check(), { ok: true }, 'before the first use');
    world.refusal = refused(403);
    await assert.rejects(world.tokens.get(), {
      code: 'ControllerTokenUnavailable',
      retry: 'backoff',
      effect: 'none',
      message:
        'Could not get a token for the service account kube-system/node-controller (403). Apply manifests/rendered/rbac-controller-accounts.yaml in place of manifests/rendered/rbac.yaml, or remove --use-service-account-credentials.',
    });
    assert.deepEqual(world.tokens.check(), {
      ok: false,
      reason: 'no token for the service account kube-system/node-controller',
    });
  });

  for (const answer of [{}, { status: { token: '' }, spec: { expirationSeconds: 1 } }, [], 7]) {
    it(`is not read from ${JSON.stringify(answer)}`, async () => {
      const world = new AccountWorld();
      world.answer = answer;
      await assert.rejects(world.tokens.get(), { code: 'ControllerTokenUnavailable' });
    });
  }
});

describe('the credentials of a controller account', () => {
  const tls = { ca: 'ca', cert: 'cert', key: 'key', isVerified: true };
  const identity = { tls, headers: { authorization: 'Bearer own', 'impersonate-user': 'ann' } };
  const own: Credentials = {
    server: 'https://server',
    identity: () => Promise.resolve(identity),
    renew: () => Promise.resolve(undefined),
  };

  it('trust the same server as the manager’s, but do not contain the manager’s identity', async () => {
    const { tokens } = new AccountWorld();
    const credentials = accountCredentials(own, tokens);
    const first = await credentials.identity();
    assert.equal(credentials.server, 'https://server');
    assert.match(
      credentials.origin?.name ?? '',
      /a token of the service account \S+\/node-controller/,
    );
    assert.deepEqual(first.headers, { authorization: 'Bearer token-1' });
    assert.deepEqual(first.tls, { ca: 'ca', cert: undefined, key: undefined, isVerified: true });
    assert.equal(await credentials.identity(), first);
  });

  it('get a new token when the server refuses one, but not right after the last request', async () => {
    const world = new AccountWorld();
    const credentials = accountCredentials(own, world.tokens);
    const first = await credentials.identity();
    assert.equal(await credentials.renew(first), undefined, 'the token was just requested');
    await world.clock.advance(11_000);
    const second = await credentials.renew(first);
    assert.deepEqual(second?.headers, { authorization: 'Bearer token-2' });
    assert.equal(second.tls, first.tls, 'connections are kept');
    assert.equal(await credentials.renew(first), second, 'another call has renewed it');
    assert.equal(world.calls.length, 2);
  });

  it('get one new token for concurrent refusals', async () => {
    const world = new AccountWorld();
    const credentials = accountCredentials(own, world.tokens);
    const first = await credentials.identity();
    await world.clock.advance(11_000);
    const renewed = await Promise.all([credentials.renew(first), credentials.renew(first)]);
    assert.deepEqual(
      renewed.map((one) => one?.headers),
      [{ authorization: 'Bearer token-2' }, { authorization: 'Bearer token-2' }],
    );
    assert.equal(world.calls.length, 2);
  });
});

describe('the connections of controllers with several accounts', () => {
  const accounts = ['node-controller', 'route-controller'];

  it('request a token for each account, and the health check names the accounts without one', async () => {
    const clock = virtualClock({ startMs: 0 });
    const requested: (string | undefined)[] = [];
    const client: KubeClient = {
      call: ({ resource }) => {
        requested.push(resource.name);
        return Promise.reject(refused(403));
      },
      open: () => Promise.reject(new Error('nothing is opened')),
    };
    const tls = { ca: 'ca', isVerified: true };
    const lines = openControllerConnections({
      accounts,
      client,
      clock,
      credentials: {
        server: 'https://server',
        identity: async () => ({ tls, headers: {} }),
        renew: async () => undefined,
      },
      logger: createLogger({ clock, destination: { write: () => {} } }),
      userAgent: 'test',
      serverFrom: 'a test',
    });
    assert.deepEqual([...lines.transports.keys()], accounts);
    assert.deepEqual(lines.check.check(), { ok: true }, 'before the first use');
    const { signal } = new AbortController();
    const request = { method: 'GET', path: '/api/v1/nodes', headers: {}, signal } as const;
    const reasons: string[] = [];
    for (const name of accounts) {
      const sending = lines.transports.get(name)?.send(request) ?? Promise.resolve();
      await assert.rejects(sending, { code: 'ControllerTokenUnavailable' });
      reasons.push(`no token for the service account kube-system/${name}`);
      assert.deepEqual(lines.check.check(), { ok: false, reason: reasons.join('; ') });
    }
    assert.deepEqual(requested, accounts);
    await lines.close();
  });
});
