import assert from 'node:assert/strict';
import type { Effect, Retry } from '@tandem/runtime';
import { type Exchange, isSuccess, refusalOf } from './refusal.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const text = { 'content-type': 'text/plain' };

function answer(changes: Partial<Omit<Exchange, 'body'>> & { body?: string }): Exchange {
  return {
    method: 'PATCH',
    path: '/api/v1/nodes/a',
    server: 'https://10.0.0.1:6443',
    status: 200,
    headers: json,
    ...changes,
    body: new TextEncoder().encode(changes.body ?? '{}'),
  };
}

describe('refusalOf', () => {
  const cases: {
    status: number;
    headers?: Record<string, string>;
    method?: 'GET';
    want: [code: string, effect: Effect, retry: Retry];
  }[] = [
    {
      status: 503,
      headers: { 'x-kubernetes-pf-flowschema-uid': 'f' },
      want: ['ApiServerFailed', 'unknown', 'backoff'],
    },
    { status: 503, want: ['ApiServerFailed', 'unknown', 'backoff'] },
    {
      status: 503,
      headers: { 'retry-after': '7' },
      want: ['ApiServerFailed', 'unknown', { afterMs: 7_000 }],
    },
    { status: 500, want: ['ApiServerFailed', 'unknown', 'backoff'] },
    { status: 502, headers: html, want: ['ApiServerFailed', 'unknown', 'backoff'] },
    { status: 504, want: ['ApiServerFailed', 'unknown', 'backoff'] },
    { status: 500, method: 'GET', want: ['ApiServerFailed', 'none', 'backoff'] },
    {
      status: 429,
      headers: { 'retry-after': '1' },
      want: ['ApiThrottled', 'none', { afterMs: 1_000 }],
    },
    { status: 400, want: ['ApiRefused', 'none', 'never'] },
    { status: 401, want: ['ApiUnauthorized', 'none', 'backoff'] },
    { status: 403, want: ['ApiForbidden', 'none', 'never'] },
    { status: 404, want: ['ApiNotFound', 'none', 'never'] },
    { status: 409, want: ['ApiConflict', 'none', 'never'] },
    { status: 410, want: ['ApiExpired', 'none', 'never'] },
    { status: 422, want: ['ApiInvalid', 'none', 'never'] },
  ];
  for (const { status, headers = json, method = 'PATCH', want } of cases) {
    const [code, effect, retry] = want;
    const when = typeof retry === 'string' ? retry : `after ${retry.afterMs} ms`;
    it(`reads ${method} ${status} ${Object.keys(headers).join()} as ${code}, effect ${effect}, retry ${when}`, () => {
      const err = refusalOf(answer({ status, headers, method }), 0);
      assert.deepEqual([err.code, err.effect, err.retry], want);
      assert.equal(err.status.code, status);
    });
  }

  it('honours the retryAfterSeconds of a Status without a header', () => {
    const body = JSON.stringify({ kind: 'Status', code: 504, details: { retryAfterSeconds: 4 } });
    assert.deepEqual(refusalOf(answer({ status: 504, body }), 0).retry, { afterMs: 4_000 });
  });

  it('names the request and the answer in its message', () => {
    const body = JSON.stringify({ kind: 'Status', code: 404, message: 'nodes "a" not found' });
    const err = refusalOf(answer({ status: 404, body }), 0);
    assert.equal(err.message, 'PATCH /api/v1/nodes/a failed with 404: nodes "a" not found');
  });

  it('names the origin of refused credentials, and what to do', () => {
    const body = JSON.stringify({ kind: 'Status', code: 401, message: 'Unauthorized' });
    const refused = { name: 'the kubeconfig /etc/ccm', remedy: 'Renew the token in it.' };
    const message = 'PATCH /api/v1/nodes/a failed with 401: Unauthorized';
    assert.equal(
      refusalOf(answer({ status: 401, body, refused }), 0).message,
      `${message}. Tandem used the kubeconfig /etc/ccm. Renew the token in it.`,
    );
    assert.equal(refusalOf(answer({ status: 401, body }), 0).message, message);
  });

  it('shows the plain text that some filters of the API server answer with', () => {
    const body = 'Too many requests,\n please try again later.\n';
    const err = refusalOf(answer({ status: 429, headers: text, body }), 0);
    assert.equal(err.status.message, 'Too many requests, please try again later.');
  });

  it('does not apply to a success', () => {
    for (const status of [200, 201, 202]) assert.ok(isSuccess(answer({ status })));
    assert.ok(isSuccess(answer({ headers: {} })));
  });
});

describe('an answer that does not come from an API server', () => {
  const cases: { name: string; given: Exchange; says: RegExp }[] = [
    {
      name: 'a web page',
      given: answer({ headers: html, body: '<!doctype html>\n<title>Log in</title>' }),
      says: /10\.0\.0\.1:6443 answered with a web page \(200\) that starts with "<!doctype html> <title>Log in<\/title>".*Check the server address/,
    },
    {
      name: 'a web page that says not found',
      given: answer({ status: 404, headers: html, body: '<h1>Not Found</h1>' }),
      says: /a web page \(404\)/,
    },
    {
      name: 'plain text instead of an object',
      given: answer({ headers: text, body: 'It works!' }),
      says: /plain text \(200\) that starts with "It works!"/,
    },
    {
      name: 'a redirect',
      given: answer({ status: 302, headers: { location: 'https://login.example/' } }),
      says: /a redirect \(302\) to https:\/\/login\.example\/.*no proxy or login page/,
    },
    {
      name: 'the complaint of a TLS server about plain HTTP',
      given: answer({
        status: 400,
        headers: text,
        body: 'Client sent an HTTP request to an HTTPS server.\n',
      }),
      says: /Write https:\/\/ instead of http:\/\//,
    },
  ];
  for (const { name, given, says } of cases) {
    it(`is reported and not retried: ${name}`, () => {
      assert.ok(!isSuccess(given));
      const err = refusalOf(given, 0);
      assert.deepEqual([err.code, err.retry], ['NotAnApiServer', 'never']);
      assert.match(err.message, says);
    });
  }
});
