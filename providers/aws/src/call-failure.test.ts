import assert from 'node:assert/strict';
import { CallPausedError } from '@tandem/provider/calls';
import { DeadlineExceededError } from '@tandem/runtime';
import { failureOf } from './call-failure.ts';

describe('failures of calls to EC2', () => {
  const read = (err: unknown, isWrite = false) =>
    failureOf({ action: 'CreateRoute', isWrite, restsForMs: 5_000, advice: undefined }, err);
  const ofEC2 = (name: string, httpStatusCode: number): Error =>
    Object.assign(new Error('words of EC2'), { name, $metadata: { httpStatusCode } });
  const ofNetwork = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  const cases = [
    { err: ofEC2('RequestLimitExceeded', 503), code: 'EC2Throttled', effect: 'none' },
    { err: ofEC2('ThrottlingException', 400), code: 'EC2Throttled', effect: 'none' },
    { err: ofEC2('UnauthorizedOperation', 403), code: 'EC2AccessRefused', effect: 'none' },
    { err: ofEC2('AuthFailure', 401), code: 'EC2AccessRefused', effect: 'none' },
    { err: ofEC2('RequestExpired', 400), code: 'EC2AccessRefused', effect: 'none' },
    { err: ofEC2('IncompleteSignature', 400), code: 'EC2AccessRefused', effect: 'none' },
    { err: ofEC2('RouteLimitExceeded', 400), code: 'EC2CallFailed', effect: 'none' },
    { err: ofEC2('InternalError', 500), code: 'EC2CallFailed', effect: 'unknown' },
    { err: ofEC2('RequestTimeout', 408), code: 'EC2CallFailed', effect: 'unknown' },
    { err: ofEC2('SyntaxError', 200), code: 'EC2CallFailed', effect: 'unknown' },
    { err: ofNetwork, code: 'EC2CallFailed', effect: 'unknown' },
    { err: new DeadlineExceededError(10_000), code: 'EC2CallFailed', effect: 'unknown' },
    { err: new CallPausedError('CreateRoute', 5_000), code: 'EC2Throttled', effect: 'none' },
    { err: 'a string', code: 'EC2CallFailed', effect: 'unknown' },
  ];
  for (const { err, code, effect } of cases) {
    const name = err instanceof Error ? (Reflect.get(err, 'code') ?? err.name) : err;
    it(`have the effect ${effect} on a write and the code ${code}: ${String(name)}`, () => {
      const failure = read(err, true);
      assert.equal(failure.code, code);
      assert.equal(failure.effect, effect);
      assert.equal(failure.cause, undefined);
      assert.equal(read(err).effect, 'none');
    });
  }

  it('have EC2’s code, and EC2’s message unless it is about credentials', () => {
    assert.equal(
      read(ofEC2('RouteLimitExceeded', 400)).message,
      'CreateRoute of EC2 failed: RouteLimitExceeded: words of EC2',
    );
    assert.equal(
      read(ofEC2('SignatureDoesNotMatch', 403)).message,
      'EC2 refuses CreateRoute: SignatureDoesNotMatch. Check the credentials of the manager and their IAM policy',
    );
  });

  it('say that the clock is wrong when credentials are refused and it is wrong', () => {
    const advice = 'The clock is wrong';
    const call = { action: 'CreateRoute', isWrite: true, restsForMs: 0, advice };
    const { message } = failureOf(call, ofEC2('RequestExpired', 400));
    assert.equal(message, 'EC2 refuses CreateRoute: RequestExpired. The clock is wrong');
  });

  it('name the endpoint when the region does not exist', () => {
    const message = 'getaddrinfo ENOTFOUND ec2.moon-1.amazonaws.com';
    assert.equal(
      read(Object.assign(new Error(message), { code: 'ENOTFOUND' })).message,
      `CreateRoute of EC2 failed: ENOTFOUND: ${message}. Check the region and the name server`,
    );
  });

  it('name NODE_EXTRA_CA_CERTS when a certificate is not trusted', () => {
    for (const code of ['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']) {
      assert.equal(
        read(Object.assign(new Error('not trusted'), { code })).message,
        `CreateRoute of EC2 failed: ${code}: not trusted. Set NODE_EXTRA_CA_CERTS to the authority of the endpoint or proxy`,
      );
    }
  });

  it('name the places that were searched for credentials', () => {
    const err = Object.assign(new Error('none'), { name: 'CredentialsProviderError' });
    const { code, retry, message } = read(err);
    assert.deepEqual([code, retry], ['EC2AccessRefused', 'never']);
    assert.match(message, /the environment, files, the service account and the role/);
  });

  it('may be those of a zone, if EC2 answers with an error of its own or misses the deadline', () => {
    const outages = [
      ofEC2('Unavailable', 503),
      ofEC2('ServerInternal', 500),
      ofEC2('ZoneImpaired', 400),
      new DeadlineExceededError(10_000),
    ];
    for (const err of outages) assert(read(err).isTrouble);
    const others = [ofEC2('RequestLimitExceeded', 503), ofEC2('AuthFailure', 401), ofNetwork];
    for (const err of others) assert(!read(err).isTrouble);
  });
});
