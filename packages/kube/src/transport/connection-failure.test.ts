import assert from 'node:assert/strict';
import { errors } from 'undici';
import { connectFailure, lostConnection } from './connection-failure.ts';

const url = 'https://10.0.0.1:6443';
const from = 'the kubeconfig /etc/kubeconfig';
const server = { url, from };
const failing = (code: string): Error => Object.assign(new Error('raw'), { code });

describe('connection failures', () => {
  const connecting: { given: string; want: [code: string, retry: string] }[] = [
    { given: 'ERR_SSL_WRONG_VERSION_NUMBER', want: ['ServerWithoutTls', 'never'] },
    { given: 'ERR_SSL_PACKET_LENGTH_TOO_LONG', want: ['ServerWithoutTls', 'never'] },
    { given: 'SELF_SIGNED_CERT_IN_CHAIN', want: ['ServerNotTrusted', 'never'] },
    { given: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', want: ['ServerNotTrusted', 'never'] },
    { given: 'CERT_HAS_EXPIRED', want: ['ServerNotTrusted', 'never'] },
    { given: 'ERR_TLS_CERT_ALTNAME_INVALID', want: ['ServerNotTrusted', 'never'] },
    { given: 'UND_ERR_INVALID_ARG', want: ['RequestMalformed', 'never'] },
    { given: 'ECONNREFUSED', want: ['ConnectionFailed', 'backoff'] },
    { given: 'ENOTFOUND', want: ['ConnectionFailed', 'backoff'] },
    { given: 'UND_ERR_CONNECT_TIMEOUT', want: ['ConnectionFailed', 'backoff'] },
  ];
  for (const { given, want } of connecting) {
    it(`have no effect before a socket takes the request: ${given}`, () => {
      const err = connectFailure(failing(given), server);
      assert.deepEqual([err.code, err.retry, err.effect], [...want, 'none']);
    });
  }

  it('leave the effect of a write unknown after a socket took it; a read has none', () => {
    const effects = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
      (method) => lostConnection(failing('ECONNRESET'), { method, server }).effect,
    );
    assert.deepEqual(effects, ['none', 'unknown', 'unknown', 'unknown', 'unknown']);
  });

  it('name the server, what happened and what to check', () => {
    assert.match(
      connectFailure(failing('ERR_SSL_WRONG_VERSION_NUMBER'), server).message,
      /10\.0\.0\.1:6443 does not speak TLS.*Check the port of the server address in the kubeconfig \/etc\/kubeconfig\.$/,
    );
    assert.equal(
      connectFailure(failing('ECONNREFUSED'), server).message,
      `Cannot connect to ${url} (ECONNREFUSED). Check that the API server is running, and check its address in ${from}.`,
    );
    assert.match(
      connectFailure(failing('CERT_HAS_EXPIRED'), server).message,
      /^Cannot trust the certificate of .* \(CERT_HAS_EXPIRED\)\. Check that the server address and the certificate authority in the kubeconfig \/etc\/kubeconfig /,
    );
    assert.match(
      lostConnection(new errors.HTTPParserError(), { method: 'GET', server }).message,
      /^The response of https:\/\/10\.0\.0\.1:6443 is not HTTP/,
    );
  });
});
