import assert from 'node:assert/strict';
import { CcmError } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { createCluster, putObject } from '../../../../test/support/embedded-api.ts';
import { drawFaultPlan, type FaultKind, requestFaults, streamFaults } from './fault-plan.ts';
import { faultyTransport, type InjectedFault } from './faulty-transport.ts';

const always = (kind: FaultKind) => ({ rates: { [kind]: 1 }, faultsMax: 1, delayMsMax: 1000 });

/** Creates a node through a transport with one certain fault. Returns the outcome and whether the node exists. */
async function createThrough(kind: FaultKind) {
  const clock = virtualClock();
  const model = createCluster({ clock, random: seededRandom('world') });
  const transport = faultyTransport(model.connect(), {
    clock,
    random: seededRandom('faults'),
    plan: always(kind),
  });
  const sent = transport
    .send({
      method: 'POST',
      path: '/api/v1/nodes',
      headers: {},
      body: JSON.stringify({ metadata: { name: 'n' } }),
      signal: new AbortController().signal,
    })
    .then(
      async (response) => {
        const chunks: Uint8Array[] = [];
        try {
          for await (const chunk of response.body) chunks.push(chunk);
        } catch (err) {
          return `${response.status} ${codeOf(err)}`;
        }
        return `${response.status} ${isJson(Buffer.concat(chunks).toString()) ? 'whole' : 'garbled'}`;
      },
      (err: unknown) => codeOf(err),
    );
  await clock.advance(5000);
  return {
    outcome: await sent,
    exists: model.store.collection('nodes').get('n') !== undefined,
    injected: transport.injected,
  };
}

function codeOf(err: unknown): string {
  return err instanceof CcmError ? `${err.code} ${err.effect}` : String(err);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('faultyTransport', () => {
  const cases: { kind: FaultKind; outcome: string; exists: boolean }[] = [
    { kind: 'delay', outcome: '201 whole', exists: true },
    { kind: 'reset-before', outcome: 'ConnectionFailed none', exists: false },
    { kind: 'reset-after', outcome: 'ConnectionLost unknown', exists: true },
    { kind: 'conflict', outcome: '409 whole', exists: false },
    { kind: 'gone', outcome: '410 whole', exists: false },
    { kind: 'too-many-requests', outcome: '429 whole', exists: false },
    { kind: 'unavailable', outcome: '503 whole', exists: false },
    { kind: 'internal-error', outcome: '500 whole', exists: true },
  ];
  for (const { kind, outcome, exists } of cases) {
    it(`${kind}: the caller sees ${outcome}, the server ${exists ? 'acted' : 'did not'}`, async () => {
      const got = await createThrough(kind);
      assert.deepEqual([got.outcome, got.exists], [outcome, exists]);
      assert.deepEqual(got.injected, [{ kind, method: 'POST', path: '/api/v1/nodes' }]);
    });
  }

  const sentEveryMs = 10;

  /** Watches ten nodes through a certain fault. Returns how the stream went. */
  async function watchThrough(kind: FaultKind) {
    const clock = virtualClock();
    const model = createCluster({ clock, random: seededRandom('world') });
    const abort = new AbortController();
    const transport = faultyTransport(model.connect(), {
      clock,
      random: seededRandom('faults'),
      plan: always(kind),
    });
    const sent = transport.send({
      method: 'GET',
      path: '/api/v1/nodes?watch=1&timeoutSeconds=60',
      headers: {},
      signal: abort.signal,
    });
    await clock.advance(10);
    const response = await sent;
    const arrivalsMs: number[] = [];
    let text = '';
    const end = (async () => {
      try {
        for await (const chunk of response.body) {
          arrivalsMs.push(clock.monotonic());
          text += Buffer.from(chunk).toString();
        }
        return 'ended';
      } catch (err) {
        return codeOf(err);
      }
    })();
    // One at a time: events of one instant arrive together.
    for (let count = 0; count < 10; count++) {
      putObject(model, 'nodes', { metadata: { name: `n${count}` } });
      await clock.advance(sentEveryMs);
    }
    await clock.advance(50_000);
    const lines = text.split('\n').filter((line) => isJson(line)).length;
    const outcome = await Promise.race([end, Promise.resolve('open')]);
    abort.abort(new Error('stop'));
    await clock.advance(60_000);
    return { outcome, lines, arrivalsMs };
  }

  it('truncated: some events, then a broken stream', async () => {
    const { outcome, lines } = await watchThrough('truncated');
    assert.equal(outcome, 'ConnectionLost unknown');
    assert.ok(lines < 10);
  });

  it('garbled: all events but one, and no other sign', async () => {
    assert.deepEqual((await watchThrough('garbled')).lines, 9);
  });

  it('silent: some events, then nothing, and the stream stays open', async () => {
    const { outcome, lines } = await watchThrough('silent');
    assert.equal(outcome, 'open');
    assert.ok(lines < 10);
  });

  it('lag: all events in order, late by the same time', async () => {
    const { lines, arrivalsMs } = await watchThrough('lag');
    assert.equal(lines, 10);
    const [first = 0] = arrivalsMs;
    assert.ok(first > 10, `the first after ${first} ms`);
    const sinceFirstMs = arrivalsMs.map((atMs) => Math.round(atMs - first));
    assert.deepEqual(
      sinceFirstMs,
      Array.from({ length: 10 }, (_, index) => index * sentEveryMs),
    );
  });

  it('injects the same faults for the same seed', async () => {
    const run = async (seed: string): Promise<readonly InjectedFault[]> => {
      const clock = virtualClock();
      const random = seededRandom(seed);
      const model = createCluster({ clock, random: random.fork('model') });
      const plan = drawFaultPlan(random.fork('plan'), [...requestFaults, ...streamFaults]);
      const transport = faultyTransport(model.connect(), {
        clock,
        random: random.fork('faults'),
        plan,
      });
      for (let count = 0; count < 50; count++) {
        const signal = new AbortController().signal;
        const sent = transport.send({
          method: 'GET',
          path: `/api/v1/nodes?limit=${count}`,
          headers: {},
          signal,
        });
        sent.catch(() => {});
        await clock.advance(100_000);
      }
      assert.ok(transport.injected.length <= plan.faultsMax);
      return transport.injected;
    };
    const [first, second, other] = await Promise.all([run('7'), run('7'), run('8')]);
    assert.deepEqual(first, second);
    assert.notDeepEqual(first, other);
  });

  it('injects nothing once it is healed, and nothing into other requests', async () => {
    const clock = virtualClock();
    const model = createCluster({ clock, random: seededRandom('world') });
    const plan = { rates: { unavailable: 1 }, faultsMax: 100, delayMsMax: 0 };
    const transport = faultyTransport(model.connect(), {
      clock,
      random: seededRandom('faults'),
      plan,
      isTarget: ({ method }) => method === 'GET',
    });
    const statusOf = async (method: 'GET' | 'DELETE'): Promise<number> => {
      const sent = transport.send({
        method,
        path: '/api/v1/nodes/n',
        headers: {},
        signal: new AbortController().signal,
      });
      await clock.advance(10);
      return (await sent).status;
    };
    assert.deepEqual([await statusOf('GET'), await statusOf('DELETE')], [503, 404]);
    transport.heal();
    assert.equal(await statusOf('GET'), 404);
  });
});
