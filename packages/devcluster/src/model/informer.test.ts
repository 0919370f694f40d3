import assert from 'node:assert/strict';
import { createKubeClient } from '@tandem/kube/client';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { Informer } from '@tandem/kube/informer';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { aCluster, ask, type TestCluster } from './asking.fixture.ts';
import type { ConnectOptions } from './model-transport.ts';

function follow({ clock, cluster }: TestCluster, connect: ConnectOptions = {}) {
  const metrics = createMetrics();
  const client = createKubeClient({
    transport: cluster.connect(connect),
    clock,
    random: seededRandom('client'),
    metrics,
    server: 'https://embedded',
  });
  const informer = new Informer<NodeProjection>({
    client,
    clock,
    random: seededRandom('informer'),
    logger: createLogger({ clock, destination: { write: () => undefined } }),
    metrics,
    resource: { group: '', version: 'v1', resource: 'nodes' },
    reader: createNodeReader(),
  });
  const abort = new AbortController();
  const ended = informer.run(abort.signal);
  return {
    names: () => [...informer.list()].map(({ name }) => name).toSorted(),
    async stop() {
      abort.abort(new Error('enough'));
      await ended;
    },
  };
}

const nodes = '/api/v1/nodes';
const create = (embedded: TestCluster, name: string) =>
  ask(embedded, 'POST', nodes, { metadata: { name } });

describe('an informer on the embedded cluster', () => {
  for (const hasStreamingList of [true, false]) {
    it(`follows ${hasStreamingList ? 'a streaming list' : 'pages and a watch'}, and leaves nothing behind`, async () => {
      const embedded = aCluster();
      await create(embedded, 'a');
      const informer = follow(embedded, { hasStreamingList });
      await embedded.clock.advance(1_000);
      assert.deepEqual(informer.names(), ['a']);
      await create(embedded, 'b');
      await ask(embedded, 'DELETE', `${nodes}/a`);
      await embedded.clock.advance(100);
      assert.deepEqual(informer.names(), ['b']);
      await informer.stop();
      assert.equal(embedded.clock.pending, 0);
    });
  }

  it('catches up after the server forgot all versions while its watch was down', async () => {
    const embedded = aCluster();
    for (const name of ['a', 'b']) await create(embedded, name);
    const informer = follow(embedded);
    await embedded.clock.advance(1_000);
    for (let round = 0; round < 3; round++) {
      await create(embedded, `c${round}`);
      await ask(embedded, 'DELETE', `${nodes}/c${round - 1}`);
      embedded.cluster.store.compact();
      // Watches end after ten minutes at the most.
      await embedded.clock.advance(700_000);
    }
    assert.deepEqual(informer.names(), ['a', 'b', 'c2']);
    await informer.stop();
  });
});
