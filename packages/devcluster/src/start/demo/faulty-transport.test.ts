import assert from 'node:assert/strict';
import { type KubeTransport, TransportError } from '@tandem/kube/transport';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { FaultyTransport } from './faulty-transport.ts';

/** What came of so many requests, and how many of them had an effect. */
async function outcomes(seed: string, count: number) {
  const clock = virtualClock();
  let effects = 0;
  const inner: KubeTransport = {
    async send() {
      effects++;
      return { status: 200, headers: {}, body: chunks() };
    },
    close: async () => undefined,
  };
  const transport = new FaultyTransport(inner, { clock, random: seededRandom(seed) });
  const seen: string[] = [];
  const { signal } = new AbortController();
  for (let number = 0; number < count; number++) {
    const sent = transport
      .send({ method: 'GET', path: '/api/v1/nodes', headers: {}, signal })
      .then(({ status }) => String(status))
      .catch((err: unknown) => (err instanceof TransportError ? err.effect : 'other'));
    await clock.advance(400);
    seen.push(await sent);
  }
  return { seen, effects };
}

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
}

describe('a way to the API server on which things go wrong', () => {
  it('fails in each of its ways, seldom, and never claims more than it knows', async () => {
    const { seen, effects } = await outcomes('a', 1_000);
    const count = (what: string): number => seen.filter((one) => one === what).length;
    for (const what of ['429', 'none', 'unknown']) {
      assert.ok(count(what) > 15 && count(what) < 120, `${what}: ${count(what)}`);
    }
    assert.equal(count('200') + count('429') + count('none') + count('unknown'), 1_000);
    // What says that it had no effect had none, and what does not know had one.
    assert.equal(effects, count('200') + count('unknown'));
  });

  it('does the same for the same seed', async () => {
    assert.deepEqual(await outcomes('b', 100), await outcomes('b', 100));
    assert.notDeepEqual((await outcomes('b', 100)).seen, (await outcomes('c', 100)).seen);
  });
});
