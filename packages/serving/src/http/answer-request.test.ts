import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { createLogger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import type { Authentication } from '../authentication/authenticator.ts';
import { anonymous } from '../authentication/identity.ts';
import type { Decision } from '../authorization/authorizer.ts';
import { answerRequest } from './answer-request.ts';
import { type Reply, textReply } from './reply.ts';

const identified: Authentication = { kind: 'identified', identity: anonymous };

interface Case {
  readonly who?: Authentication;
  readonly decision?: Decision;
  readonly url?: string;
  readonly method?: string;
  readonly versionMajor?: number;
  readonly rawHeaders?: readonly string[];
  readonly page?: () => Promise<Reply>;
}

/** Answers a request, and records the steps and the status. */
async function answerTo(
  asked: Case,
): Promise<{ steps: string[]; status: number; body: string; log: string }> {
  const { who = identified, decision = 'allowed', url = '/metrics', method = 'GET' } = asked;
  const { page = () => Promise.resolve(textReply(200, 'page')) } = asked;
  const clock = virtualClock();
  const steps: string[] = [];
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const answering = answerRequest(
    {
      clock,
      logger: createLogger({ clock, destination }),
      authenticator: {
        authenticate: ({ limitMs }) => {
          steps.push(`who within ${limitMs}`);
          return Promise.resolve(who);
        },
      },
      authorizer: {
        isOpen: (path) => path === '/livez',
        decide: ({ verb, path }) => {
          steps.push(`may ${verb} ${path}`);
          return Promise.resolve(decision);
        },
      },
      site: {
        reply: ({ target }) => {
          steps.push(`page ${target.path}`);
          return page();
        },
        labelOf: () => 'other',
      },
    },
    {
      request: {
        url,
        method,
        httpVersionMajor: asked.versionMajor ?? 1,
        headers: {},
        rawHeaders: asked.rawHeaders ?? ['Host', 'a', 'X', 'host'],
      } as unknown as IncomingMessage,
      socket: { getPeerX509Certificate: () => undefined } as unknown as TLSSocket,
      signal: new AbortController().signal,
    },
  );
  await clock.runAll();
  const { status, body } = await answering;
  return { steps, status, body, log: lines.join('') };
}

describe('the answer to a request', () => {
  const cases: readonly (Case & { name: string; steps: string[]; status: number })[] = [
    {
      name: 'is authenticated, authorized, and then served by a page',
      url: '/%6detrics?a=%20',
      method: 'HEAD',
      steps: ['who within 15000', 'may head /metrics', 'page /%6detrics'],
      status: 200,
    },
    {
      name: 'is 400 for two Host headers',
      url: '/livez',
      rawHeaders: ['Host', 'a', 'hOST', 'a'],
      steps: [],
      status: 400,
    },
    { name: 'is 400 without an HTTP version', versionMajor: 0, steps: [], status: 400 },
    {
      name: 'is 401 for a bad credential',
      who: { kind: 'refused' },
      steps: ['who within 15000'],
      status: 401,
    },
    {
      name: 'is 401 for a bad credential on an open path, too',
      who: { kind: 'refused' },
      url: '/livez',
      steps: ['who within 1000'],
      status: 401,
    },
    {
      name: 'is 500 for a token that could not be reviewed',
      who: { kind: 'unknown' },
      steps: ['who within 15000'],
      status: 500,
    },
    {
      name: 'is the page of an open path for a token that could not be reviewed',
      who: { kind: 'unknown' },
      url: '/livez?verbose',
      steps: ['who within 1000', 'page /livez'],
      status: 200,
    },
    {
      name: 'is 403 without permission',
      decision: 'forbidden',
      steps: ['who within 15000', 'may get /metrics'],
      status: 403,
    },
    {
      name: 'is 500 when the permission could not be reviewed',
      decision: 'unknown',
      steps: ['who within 15000', 'may get /metrics'],
      status: 500,
    },
    {
      name: 'needs permission below an open path',
      decision: 'forbidden',
      url: '/livez/ping',
      steps: ['who within 15000', 'may get /livez/ping'],
      status: 403,
    },
  ];
  for (const { name, steps, status, ...asked } of cases) {
    it(name, async () => {
      const answer = await answerTo(asked);
      assert.deepEqual([answer.steps, answer.status], [steps, status]);
    });
  }

  it('is 403 with the flag that is missing when no API server reviews callers', async () => {
    const who: Authentication = { ...identified, unchecked: 'token' };
    const cannot = 'forbidden: User "system:anonymous" cannot get path "/metrics"';
    const byFlag = 'it was started without --authentication-kubeconfig';
    const answers: readonly { asked: Case; message: string }[] = [
      { asked: { decision: 'forbidden' }, message: cannot },
      {
        asked: { who, decision: 'forbidden' },
        message: `${cannot}: this manager does not check tokens, because ${byFlag}`,
      },
      {
        asked: { decision: 'unchecked' },
        message: `${cannot}: this manager allows no other access, because it was started without --authorization-kubeconfig`,
      },
      {
        asked: { who, decision: 'unchecked' },
        message: `${cannot}: this manager does not check tokens, because ${byFlag} and --authorization-kubeconfig`,
      },
    ];
    for (const { asked, message } of answers) {
      const { status, body } = await answerTo(asked);
      assert.deepEqual([status, JSON.parse(body).message], [403, message]);
    }
  });

  it('is 500 when a page fails, which is logged, or does not finish in time', async () => {
    const broken = await answerTo({ page: () => Promise.reject(new Error('broken')) });
    assert.equal(broken.status, 500);
    assert.match(broken.log, /Could not answer a request/);
    const endless = await answerTo({ page: () => new Promise(() => undefined) });
    assert.equal(endless.status, 500);
  });
});
