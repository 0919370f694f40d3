import assert from 'node:assert/strict';
import { type KubeTransport, TransportError } from '@tandem/kube/transport';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { faultyTransport } from '../../api-faults/index.ts';
import { apiFaults } from './faults.ts';

/** The outcomes of so many requests, and how many of them had an effect. */
async function outcomes(count: number) {
  const clock = virtualClock();
  let effects = 0;
  const inner: KubeTransport = {
    async send() {
      effects++;
      return { status: 200, headers: {}, body: chunks() };
    },
    close: async () => undefined,
  };
  const transport = faultyTransport(inner, { clock, random: seededRandom('a'), plan: apiFaults });
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

describe('requests to the API server with faults switched on', () => {
  it('seldom fail, in each way, and no error claims more than the transport knows', async () => {
    const { seen, effects } = await outcomes(1_000);
    const count = (what: string): number => seen.filter((one) => one === what).length;
    for (const what of ['429', 'none', 'unknown']) {
      assert.ok(count(what) > 15 && count(what) < 120, `${what}: ${count(what)}`);
    }
    assert.equal(count('200') + count('429') + count('none') + count('unknown'), 1_000);
    // Errors that claim no effect had none, and those with an unknown effect had one.
    assert.equal(effects, count('200') + count('unknown'));
  });
});
