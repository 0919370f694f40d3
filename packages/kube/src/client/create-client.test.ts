import assert from 'node:assert/strict';
import { CcmError, createMetrics, sleep } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { TransportError } from '../transport/index.ts';
import type { Call } from './client.ts';
import { createKubeClient, type KubeClientOptions } from './create-client.ts';
import { type Step, scriptedTransport } from './scripted-transport.fixture.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' };
const read: Call = { verb: 'get', resource: { ...nodes, name: 'a' } };
const write: Call = {
  verb: 'patch',
  resource: { ...nodes, name: 'a', subresource: 'status' },
  contentType: 'application/json-patch+json',
  body: [{ op: 'add', path: '/x', value: 1 }],
};
const notLeading = new CcmError('the lease is lost', {
  code: 'NotLeading',
  retry: 'never',
  effect: 'none',
});
const throttled: Step = { status: 429, headers: { 'retry-after': '2' }, body: 'slow down' };
const reset: Step = {
  fail: new TransportError('reset', { code: 'Reset', retry: 'backoff', effect: 'unknown' }),
};
const refused: Step = {
  fail: new TransportError('refused', {
    code: 'ConnectionFailed',
    retry: 'backoff',
    effect: 'none',
  }),
};

function setUp(steps: readonly Step[], options: Partial<KubeClientOptions> = {}) {
  const transport = scriptedTransport(...steps);
  const clock = virtualClock({ startMs: 1_800_000_000_000 });
  const metrics = createMetrics();
  const random = seededRandom('client');
  const server = 'https://10.0.0.1:6443';
  const client = createKubeClient({ transport, clock, random, metrics, server, ...options });
  /** Advances virtual time until the call has ended. */
  const finish = async <T>(call: Promise<T>): Promise<T> => {
    call.catch(() => {});
    await clock.runAll();
    return call;
  };
  return { transport, clock, metrics, client, finish };
}

describe('kube client', () => {
  it('sends a patch with its path, content type, field manager and timeout', async () => {
    const { client, transport, finish } = setUp([{ status: 200 }]);
    await finish(client.call(write));
    const [request] = transport.requests;
    assert.equal(request?.method, 'PATCH');
    // The server abandons a write soon after the client does.
    assert.equal(request?.path, '/api/v1/nodes/a/status?fieldManager=tandem&timeout=4000ms');
    assert.deepEqual(request?.headers, {
      accept: 'application/json',
      'content-type': 'application/json-patch+json',
    });
    assert.equal(request?.body, '[{"op":"add","path":"/x","value":1}]');
  });

  it('returns the whole answer', async () => {
    const { client, finish, clock } = setUp([{ status: 200, body: { kind: 'Node' } }]);
    const answer = await finish(client.call(read));
    assert.equal(Buffer.from(answer.body).toString(), '{"kind":"Node"}');
    assert.equal(clock.pending, 0);
  });

  const safe: { name: string; call: Call; steps: Step[] }[] = [
    { name: 'a read that was reset', call: read, steps: [reset] },
    { name: 'a read that failed with 5xx', call: read, steps: [{ status: 500 }, { status: 504 }] },
    { name: 'a read that was throttled', call: read, steps: [throttled] },
    { name: 'a write that was throttled', call: write, steps: [throttled, throttled] },
    { name: 'a write that never got a connection', call: write, steps: [refused] },
    {
      name: 'a read with once-reached retries that was throttled and reset',
      call: { ...read, retries: 'once-reached' },
      steps: [throttled, reset],
    },
  ];
  for (const { name, call, steps } of safe) {
    it(`repeats ${name}`, async () => {
      const { client, transport, finish, clock } = setUp([...steps, { status: 200 }]);
      assert.equal((await finish(client.call(call))).status, 200);
      assert.equal(transport.requests.length, steps.length + 1);
      assert.ok(clock.monotonic() > 0, 'waited before the retry');
    });
  }

  const unsafe: { name: string; call: Call; step: Step; effect: string }[] = [
    { name: 'a write that was reset', call: write, step: reset, effect: 'unknown' },
    { name: 'a write that failed with 500', call: write, step: { status: 500 }, effect: 'unknown' },
    { name: 'a write that failed with 503', call: write, step: { status: 503 }, effect: 'unknown' },
    {
      name: 'a write that Priority and Fairness admitted and that failed with 503',
      call: write,
      step: { status: 503, headers: { 'x-kubernetes-pf-flowschema-uid': 'x' } },
      effect: 'unknown',
    },
    { name: 'a write that was invalid', call: write, step: { status: 422 }, effect: 'none' },
    { name: 'a read with unknown credentials', call: read, step: { status: 401 }, effect: 'none' },
    { name: 'a read of a missing object', call: read, step: { status: 404 }, effect: 'none' },
    {
      name: 'a call without retries',
      call: { ...read, retries: false },
      step: refused,
      effect: 'none',
    },
    {
      name: 'a read with once-reached retries that never got a connection',
      call: { ...read, retries: 'once-reached' },
      step: refused,
      effect: 'none',
    },
  ];
  for (const { name, call, step, effect } of unsafe) {
    it(`leaves ${name} to the caller, with effect ${effect}`, async () => {
      const { client, transport, finish } = setUp([step, { status: 200 }]);
      await assert.rejects(finish(client.call(call)), { effect });
      assert.equal(transport.requests.length, 1);
    });
  }

  it('waits as long as Retry-After says, and not much longer', async () => {
    const { client, finish, clock } = setUp([throttled, { status: 200 }]);
    await finish(client.call(read));
    assert.ok(clock.monotonic() >= 2_000 && clock.monotonic() <= 2_400, `${clock.monotonic()}`);
  });

  it('reports the failure at once if the wait would outlast the deadline', async () => {
    const { client, finish, clock } = setUp([throttled]);
    await assert.rejects(finish(client.call({ ...read, limitMs: 1_500 })), {
      code: 'ApiThrottled',
    });
    assert.equal(clock.monotonic(), 0);
  });

  it('gives up after ten tries', async () => {
    const { client, transport, finish } = setUp([{ status: 500 }]);
    await assert.rejects(finish(client.call({ ...read, limitMs: 600_000 })), {
      code: 'ApiServerFailed',
    });
    assert.equal(transport.requests.length, 10);
  });

  it('times out with effect unknown for a write that was sent, and none for a read', async () => {
    for (const [call, effect] of [
      [write, 'unknown'],
      [read, 'none'],
    ] as const) {
      const { client, finish, clock } = setUp(['silent']);
      const error = { code: 'CallTimedOut', effect, retry: 'backoff', limitMs: 5_000 };
      await assert.rejects(finish(client.call({ ...call, limitMs: 5_000 })), error);
      assert.equal(clock.monotonic(), 5_000);
      assert.equal(clock.pending, 0);
    }
  });

  describe('whose answer breaks off', () => {
    const breakingOff = (status: number, headers: Record<string, string> = {}) => {
      const transport = scriptedTransport();
      const lost = { code: 'ConnectionLost', retry: 'backoff', effect: 'unknown' } as const;
      async function* body(): AsyncGenerator<Uint8Array> {
        yield await Promise.resolve(new TextEncoder().encode('{"ki'));
        throw new TransportError('broke off', lost);
      }
      transport.send = () =>
        Promise.resolve({
          status,
          headers: { 'content-type': 'application/json', ...headers },
          body: body(),
        });
      return setUp([], { transport });
    };

    it('reports a write as applied after a head of 200, but not a read', async () => {
      const writing = breakingOff(200);
      const applied = { code: 'ConnectionLost', effect: 'applied' };
      await assert.rejects(writing.finish(writing.client.call(write)), applied);
      const reading = breakingOff(200);
      const { client } = reading;
      await assert.rejects(reading.finish(client.call({ ...read, retries: false })), {
        effect: 'unknown',
      });
    });

    it('reads a refusal and its Retry-After from the head alone', async () => {
      const conflict = breakingOff(409);
      const refusal = { code: 'ApiConflict', effect: 'none' };
      await assert.rejects(conflict.finish(conflict.client.call(write)), refusal);
      const busy = breakingOff(429, { 'retry-after': '7' });
      const { client } = busy;
      await assert.rejects(busy.finish(client.call({ ...write, retries: false })), {
        code: 'ApiThrottled',
        retry: { afterMs: 7_000 },
      });
    });
  });

  it('ends a write within the limit for writes, whatever its caller asks for, but not a read', async () => {
    const bound = { writeLimitMsMax: 4_400 };
    const writing = setUp(['silent'], bound);
    const late = { code: 'CallTimedOut', limitMs: 4_400 };
    await assert.rejects(writing.finish(writing.client.call({ ...write, limitMs: 60_000 })), late);
    assert.equal(writing.clock.monotonic(), 4_400);
    const reading = setUp(['silent'], bound);
    const later = { code: 'CallTimedOut', limitMs: 60_000 };
    await assert.rejects(reading.finish(reading.client.call({ ...read, limitMs: 60_000 })), later);
  });

  it('reports no effect of a write if its transport knows that nothing was sent', async () => {
    const transport = scriptedTransport();
    transport.send = ({ signal }) =>
      new Promise((_, reject) => {
        const facts = { code: 'NotSent', retry: 'backoff', effect: 'none' } as const;
        signal.addEventListener('abort', () => reject(new TransportError('still dialling', facts)));
      });
    const { client, finish } = setUp([], { transport });
    await assert.rejects(finish(client.call(write)), { code: 'CallTimedOut', effect: 'none' });
  });

  it('times out even if the transport ignores the signal', async () => {
    const transport = scriptedTransport();
    transport.send = () => new Promise(() => {});
    const { client, finish } = setUp([], { transport });
    await assert.rejects(finish(client.call(write)), { code: 'CallTimedOut', effect: 'unknown' });
  });

  it('rejects with the reason of the caller’s signal', async () => {
    const { client, finish, clock } = setUp(['silent']);
    const abort = new AbortController();
    const call = client.call({ ...write, signal: abort.signal });
    abort.abort(new Error('shutting down'));
    await assert.rejects(finish(call), /shutting down/);
    assert.equal(clock.pending, 0);
  });

  it('includes the wait for a slot in the deadline, and reports no effect for it', async () => {
    const { client, finish, transport } = setUp(['silent'], { concurrency: 1 });
    const first = assert.rejects(client.call({ ...write, limitMs: 9_000 }), { effect: 'unknown' });
    const second = client.call({ ...write, limitMs: 1_000 });
    await assert.rejects(finish(second), { code: 'CallTimedOut', effect: 'none' });
    await first;
    assert.equal(transport.requests.length, 1);
  });

  it('sends state changes before background calls', async () => {
    const { clock, ...context } = setUp([{ status: 200 }], { concurrency: 1 });
    const order: string[] = [];
    const { transport } = context;
    const answer = transport.send.bind(transport);
    transport.send = async (request) => {
      order.push(request.path);
      await sleep(clock, 10);
      return answer(request);
    };
    const named = (name: string, priority: 'state' | 'background') =>
      context.client.call({ verb: 'get', resource: { ...nodes, name }, priority });
    const calls = [named('a', 'state'), named('b', 'background'), named('c', 'state')];
    await clock.runAll();
    await Promise.all(calls);
    assert.deepEqual(order, ['/api/v1/nodes/a', '/api/v1/nodes/c', '/api/v1/nodes/b']);
  });

  describe('with a rate limit', () => {
    const rate = { perSecond: 10, burst: 1 };

    it('counts reads, writes, retries and the opening of a watch', async () => {
      const { client, finish, clock, transport, metrics } = setUp(
        [{ status: 200 }, { status: 200 }, { status: 500 }, { status: 200 }],
        { rate },
      );
      const atMs: number[] = [];
      const answer = transport.send.bind(transport);
      transport.send = (request) => {
        atMs.push(Math.round(clock.monotonic()));
        return answer(request);
      };
      const watch = { resource: nodes, query: { watch: '1' }, accept: 'application/json' };
      const { signal } = new AbortController();
      const opening = client.open({ ...watch, signal });
      await finish(Promise.all([opening, client.call(write), client.call(read)]));
      assert.deepEqual(atMs, [0, 100, 200, 300]);
      const text = await metrics.render();
      const name = 'rest_client_rate_limiter_duration_seconds';
      assert.match(text, new RegExp(`${name}_count{verb="GET",host="10.0.0.1:6443"} 3`));
      assert.match(text, new RegExp(`${name}_count{verb="PATCH",host="10.0.0.1:6443"} 1`));
      assert.match(text, new RegExp(`${name}_bucket{le="0.1",verb="PATCH",[^}]*} 1`));
    });

    it('includes the wait in the deadline, and reports no effect for it', async () => {
      const { client, finish, transport, clock } = setUp([{ status: 200 }], {
        rate: { perSecond: 0.1, burst: 1 },
      });
      await finish(client.call(write));
      const late = { code: 'CallTimedOut', effect: 'none' };
      await assert.rejects(finish(client.call({ ...write, limitMs: 1_000 })), late);
      assert.equal(transport.requests.length, 1);
      assert.equal(clock.pending, 0);
    });

    it('checks the write gate after the wait', async () => {
      let isLost = false;
      const { client, clock, transport } = setUp([{ status: 200 }], {
        rate,
        writeGate: () => (isLost ? notLeading : undefined),
      });
      const calls = Promise.allSettled([client.call(write), client.call(write)]);
      isLost = true;
      await clock.runAll();
      const outcomes = await calls;
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'rejected'],
      );
      assert.equal(transport.requests.length, 0);
    });

    it('records no wait if there is no limit', async () => {
      const { client, finish, metrics } = setUp([{ status: 200 }]);
      await finish(client.call(read));
      assert.doesNotMatch(await metrics.render(), /rate_limiter_duration_seconds_count/);
    });
  });

  it('sends no write while the gate is closed, even if it closes on the way to the socket', async () => {
    let timesAsked = 0;
    const { client, finish, transport } = setUp([{ status: 200 }], {
      writeGate: () => (timesAsked++ === 0 ? undefined : notLeading),
    });
    await assert.rejects(finish(client.call(write)), notLeading);
    assert.equal(transport.requests.length, 1, 'stopped at the socket');
    await assert.rejects(finish(client.call(write)), notLeading);
    assert.equal(transport.requests.length, 1, 'stopped before');
    assert.equal((await finish(client.call(read))).status, 200);
  });

  it('rejects an answer that is too large', async () => {
    const { client, finish } = setUp([{ status: 200, body: 'x'.repeat(101) }], {
      answerBytesMax: 100,
    });
    await assert.rejects(finish(client.call(read)), { code: 'AnswerTooLarge', effect: 'none' });
  });

  it('counts requests, retries and durations under the names of client-go', async () => {
    const { client, finish, metrics } = setUp([refused, { status: 500 }, { status: 200 }]);
    await finish(client.call(read));
    const text = await metrics.render();
    const host = 'host="10.0.0.1:6443"';
    for (const line of [
      `rest_client_requests_total{code="<error>",method="GET",${host}} 1`,
      `rest_client_requests_total{code="200",method="GET",${host}} 1`,
      `rest_client_request_retries_total{code="500",verb="GET",${host}} 1`,
      `rest_client_request_duration_seconds_count{verb="GET",${host}} 2`,
    ]) {
      assert.ok(text.includes(line), `${line}\nis not in\n${text}`);
    }
  });

  it('shares the metrics of one registry with another client', () => {
    const { metrics } = setUp([]);
    assert.doesNotThrow(() => setUp([], { metrics }));
  });
});

describe('kube client, streams', () => {
  const stream = { resource: nodes, query: { watch: '1' }, accept: 'application/json' };

  it('returns the stream and no longer limits its time', async () => {
    const { client, finish, clock, transport } = setUp([{ status: 200, body: 'abcd' }]);
    const { body } = await finish(
      client.open({ ...stream, limitMs: 1_000, signal: new AbortController().signal }),
    );
    await clock.advance(60_000);
    assert.equal(transport.requests[0]?.signal.aborted, false);
    const received: string[] = [];
    for await (const chunk of body) received.push(Buffer.from(chunk).toString());
    assert.equal(received.join(''), 'abcd');
    assert.equal(transport.requests[0]?.path, '/api/v1/nodes?watch=1');
  });

  it('ends the stream when the caller aborts', async () => {
    const { client, finish, transport } = setUp([{ status: 200 }]);
    const abort = new AbortController();
    await finish(client.open({ ...stream, signal: abort.signal }));
    abort.abort();
    assert.equal(transport.requests[0]?.signal.aborted, true);
  });

  it('never retries by itself, and reports a refusal', async () => {
    const gone = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    const { client, finish, transport } = setUp([{ status: 410, body: gone }]);
    const { signal } = new AbortController();
    await assert.rejects(finish(client.open({ ...stream, signal })), { code: 'ApiExpired' });
    assert.equal(transport.requests.length, 1);
  });

  it('limits the wait for the head of the answer', async () => {
    const { client, finish } = setUp(['silent']);
    const { signal } = new AbortController();
    await assert.rejects(finish(client.open({ ...stream, limitMs: 700, signal })), {
      code: 'CallTimedOut',
      limitMs: 700,
    });
  });
});
