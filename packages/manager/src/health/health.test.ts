import assert from 'node:assert/strict';
import { type KubeTransport, TransportError } from '@tandem/kube/transport';
import { createMetrics, deadline } from '@tandem/runtime';
import { virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import type { AppStatus } from '../app/index.ts';
import { ApiServerConnection } from './api-server-connection.ts';
import { EventLoopWatch } from './event-loop.ts';
import { type HealthChecks, healthChecks } from './health-checks.ts';

const startMs = Date.UTC(2026, 0, 1);

describe('the connection to the API server', () => {
  const cases: { name: string; answer: Answer; want: RegExp | undefined }[] = [
    { name: 'a successful answer', answer: 200, want: undefined },
    { name: 'a refusal', answer: 403, want: undefined },
    { name: 'a request that the server does not support', answer: 501, want: undefined },
    { name: 'refused credentials', answer: 401, want: /credentials/ },
    { name: 'a server error', answer: 503, want: /has answered 503 for \d+ s$/ },
    { name: 'a redirect', answer: 302, want: /redirect \(302\)/ },
    { name: 'a web page', answer: 'a page', want: /web page/ },
    {
      name: 'a server that cannot be reached',
      answer: 'unreachable',
      want: /has not been reachable for \d+ s$/,
    },
    { name: 'a server that hangs', answer: 'hanging', want: /has not answered in time for \d+ s$/ },
    {
      name: 'a request that its caller aborted',
      answer: 'withdrawn',
      want: undefined,
    },
  ];
  for (const { name, answer, want } of cases) {
    it(`is ${want === undefined ? 'healthy' : 'unhealthy'} 15 s after ${name}`, async () => {
      const clock = virtualClock({ startMs });
      const connection = new ApiServerConnection(
        answering(() => answer),
        clock,
      );
      await ask(connection, clock, answer);
      assert.ok(connection.check().ok, 'a short failure does not count');
      await clock.advance(15_000);
      const outcome = connection.check();
      assert.equal(outcome.ok, want === undefined);
      if (!outcome.ok) assert.match(outcome.reason, want ?? /never/);
    });
  }

  it('is healthy again after the first answer', async () => {
    const clock = virtualClock({ startMs });
    let answer: Answer = 'unreachable';
    const connection = new ApiServerConnection(
      answering(() => answer),
      clock,
    );
    await ask(connection, clock, answer);
    await clock.advance(15_000);
    assert.ok(!connection.check().ok);
    answer = 200;
    await ask(connection, clock, answer);
    assert.ok(connection.check().ok);
  });

  it('sends its own requests only when there are no others, and notices a server that hangs within a minute', async () => {
    const clock = virtualClock({ startMs });
    let answer: Answer = 200;
    let requests = 0;
    const connection = new ApiServerConnection(
      answering(() => {
        requests++;
        return answer;
      }),
      clock,
    );
    const stop = new AbortController();
    const watching = connection.watch(stop.signal);
    for (let minute = 0; minute < 6; minute++) {
      await ask(connection, clock, 200);
      await clock.advance(10_000);
    }
    assert.equal(requests, 6, 'only the requests of others');
    answer = 'hanging';
    await clock.advance(60_000);
    assert.ok(!connection.check().ok);
    stop.abort();
    await clock.advance(10_000);
    await watching;
  });
});

describe('a connection whose credentials the API server refuses', () => {
  /** Sends requests with the answers of each second, and returns how the watch ended. */
  async function follow(answerAt: (second: number) => Answer, seconds: number): Promise<string> {
    const clock = virtualClock({ startMs });
    let second = 0;
    const connection = new ApiServerConnection(
      answering(() => answerAt(second)),
      clock,
    );
    const stop = new AbortController();
    let ended = 'running';
    const watching = connection
      .watch(stop.signal)
      .then((end) => (ended = `${end} at ${clock.monotonic() / 1_000} s`));
    for (; second < seconds; second += 2) {
      await ask(connection, clock, answerAt(second));
      const spentMs = isAnswered(answerAt(second)) ? 0 : 1_000;
      await clock.advance(2_000 - spentMs);
    }
    const outcome = ended;
    stop.abort();
    await clock.advance(20_000);
    await watching;
    return outcome;
  }

  it('ends the watch after a minute with only 401', async () => {
    assert.match(await follow(() => 401, 100), /^refused at 6[0-5] s$/);
  });

  it('ends the watch by its own requests when there are no others', async () => {
    const clock = virtualClock({ startMs });
    const connection = new ApiServerConnection(
      answering(() => 401),
      clock,
    );
    const watching = connection.watch(new AbortController().signal);
    await clock.advance(100_000);
    assert.equal(await watching, 'refused');
  });

  const passing: { name: string; answer: Answer }[] = [
    { name: 'a successful answer', answer: 200 },
    { name: 'a refusal that does not concern the credentials', answer: 403 },
    { name: 'a server error', answer: 503 },
    { name: 'a server that cannot be reached', answer: 'unreachable' },
    { name: 'a server that hangs', answer: 'hanging' },
  ];
  for (const { name, answer } of passing) {
    it(`does not end the watch while there is ${name} now and then`, async () => {
      const end = await follow((second) => (second % 50 === 0 ? answer : 401), 300);
      assert.equal(end, 'running');
    });
  }
});

describe('the watch on the event loop', () => {
  it('is unhealthy for half a minute after the loop was blocked for seconds', async () => {
    const clock = virtualClock({ startMs });
    const late = { ...clock, monotonic: () => clock.monotonic() + heldMs };
    let heldMs = 0;
    const watch = new EventLoopWatch(late, createMetrics());
    const stop = new AbortController();
    const watching = watch.watch(stop.signal);
    await clock.advance(3_000);
    assert.ok(watch.check().ok);
    await clock.advance(500);
    heldMs = 8_000;
    await clock.advance(1_000);
    const outcome = watch.check();
    assert.ok(!outcome.ok && /delayed by 8 s/.test(outcome.reason), JSON.stringify(outcome));
    await clock.advance(31_000);
    assert.ok(watch.check().ok);
    stop.abort();
    await clock.advance(1_000);
    await watching;
  });
});

describe('the health pages', () => {
  const well: AppStatus = {
    nodes: {
      isSynced: true,
      objects: 1,
      resourceVersion: '1',
      sinceProgressMs: 1_000,
      problem: undefined,
    },
    election: { role: 'leader', leader: 'a', leaseAgeMs: 1_000, isHealthy: true },
    isWorking: true,
  };
  const cases: {
    name: string;
    status?: Partial<AppStatus>;
    isAway?: true;
    isHeld?: true;
    live: string[];
    ready: string[];
  }[] = [
    { name: 'a healthy leader', live: [], ready: [] },
    {
      name: 'a standby',
      status: { election: { role: 'standby', leader: 'b', leaseAgeMs: 9e9, isHealthy: true } },
      live: [],
      ready: [],
    },
    { name: 'a manager without an election', status: { election: undefined }, live: [], ready: [] },
    {
      name: 'a cache that is not filled yet',
      status: { nodes: { ...well.nodes, isSynced: false, resourceVersion: undefined } },
      live: [],
      ready: ['nodes-synced'],
    },
    {
      name: 'a cache without progress although the server answers',
      status: { nodes: { ...well.nodes, sinceProgressMs: 301_000 } },
      live: ['nodes-informer'],
      ready: ['nodes-informer'],
    },
    {
      name: 'an unreachable API server, which a restart would not help',
      status: { nodes: { ...well.nodes, sinceProgressMs: 301_000 } },
      isAway: true,
      live: [],
      ready: ['api-server'],
    },
    {
      name: 'a leader far beyond its Lease',
      status: { election: { role: 'leader', leader: 'a', leaseAgeMs: 36_000, isHealthy: false } },
      live: ['leaderElection'],
      ready: ['leaderElection'],
    },
    { name: 'a blocked event loop', isHeld: true, live: ['event-loop'], ready: ['event-loop'] },
  ];
  for (const { name, status, isAway, isHeld, live, ready } of cases) {
    it(`fail ${[...new Set([...live, ...ready])].join(' and ') || 'no check'} for ${name}`, () => {
      const bad = { ok: false, reason: 'bad' } as const;
      const checks = healthChecks({
        status: () => ({ ...well, ...status }),
        apiServer: { check: () => (isAway ? bad : { ok: true }) },
        eventLoop: { check: () => (isHeld ? bad : { ok: true }) },
      });
      assert.deepEqual(failed(checks, 'livez'), live);
      assert.deepEqual(failed(checks, 'readyz'), ready);
    });
  }
});

type Answer = number | 'a page' | 'unreachable' | 'hanging' | 'withdrawn';

function answering(next: () => Answer): KubeTransport {
  return {
    async send({ signal }) {
      const answer = next();
      if (typeof answer === 'number') return { status: answer, headers: {}, body: nothing() };
      if (answer === 'a page') {
        return { status: 200, headers: { 'content-type': 'text/html' }, body: nothing() };
      }
      if (answer === 'unreachable') {
        const facts = { code: 'Unreachable', retry: 'backoff', effect: 'none' } as const;
        throw new TransportError('no', facts);
      }
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    close: () => Promise.resolve(),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function ask(
  connection: ApiServerConnection,
  clock: VirtualClock,
  answer: Answer,
): Promise<void> {
  const withdrawal = new AbortController();
  using scope = deadline(clock, 1_000, withdrawal.signal);
  const request = { method: 'GET', path: '/', headers: {}, signal: scope.signal } as const;
  const settled = connection.transport.send(request).catch(() => undefined);
  if (answer === 'withdrawn') withdrawal.abort(new Error('Never mind'));
  await clock.advance(isAnswered(answer) ? 0 : 1_000);
  await settled;
}

function isAnswered(answer: Answer): boolean {
  return typeof answer === 'number' || answer === 'a page';
}

function failed(checks: HealthChecks, page: 'livez' | 'readyz'): string[] {
  return checks[page].filter((part) => !part.check().ok).map(({ name }) => name);
}
