/**
 * With faults of the cloud or the API server, no node loses anything, and all nodes recover (P3).
 */
import assert from 'node:assert/strict';
import type { LookupAnswers, Provider } from '@tandem/provider/plug';
import { TransportError } from '@tandem/kube/transport';
import { noFaults } from '../../../../test/support/simulated-cloud.ts';
import { intercepting } from './transports.fixture.ts';
import { type NodeView, NodeWorld } from './node-world.fixture.ts';

describe('a cloud in trouble', () => {
  for (const fault of ['throttle', 'failure', 'lost', 'partial', 'empty', 'garbage'] as const) {
    it(`takes no address, initialises no node, and is reported on both nodes (${fault})`, async () => {
      const world = new NodeWorld();
      world.addReady('ready');
      const before = world.node('ready');
      world.start({ refreshPeriodMs: 60_000 });
      await world.clock.advance(5_000);
      world.cloud.set({ faults: { ...noFaults, [fault]: 1 } });
      world.cloud.readdress('ready', [{ type: 'InternalIP', address: '10.9.9.9' }]);
      world.addMachine({ name: 'new' });
      await world.clock.advance(4 * 60_000);
      assert.deepEqual(world.node('ready'), before);
      assert.ok(!world.node('new').isInitialised);
      assert.deepEqual(world.reasons('new'), ['InstanceLookupFailed']);
      assert.deepEqual(world.reasons('ready'), ['InstanceLookupFailed']);
      assert.deepEqual(world.writes, []);
      world.cloud.set({ faults: noFaults });
      await world.clock.advance(2 * 60_000);
      assert.ok(world.node('new').isInitialised);
      assert.deepEqual(world.node('ready').addresses, ['InternalIP 10.9.9.9']);
    });
  }

  it('that reports an instance as absent, or without addresses, takes no address either', async () => {
    const world = new NodeWorld();
    for (const name of ['gone', 'bare']) world.addReady(name);
    const before = [world.node('gone'), world.node('bare')];
    world.start({ refreshPeriodMs: 60_000 });
    await world.clock.advance(5_000);
    world.cloud.terminate('gone');
    world.cloud.readdress('bare', []);
    await world.clock.advance(10 * 60_000);
    assert.deepEqual([world.node('gone'), world.node('bare')], before);
    assert.deepEqual(world.reasons('gone'), ['InstanceNotFound']);
    assert.deepEqual(world.reasons('bare'), ['NoCloudAddresses']);
    assert.deepEqual(world.writes, []);
  });

  it('gets no more calls because many nodes wait', async () => {
    const world = new NodeWorld({ cloud: { faults: { ...noFaults, failure: 1 } } });
    for (let number = 0; number < 30; number++) world.addMachine({ name: `n${number}` });
    const manager = world.start();
    await world.clock.advance(60_000);
    assert.ok(world.cloud.counts.lookups <= 13, `${world.cloud.counts.lookups} calls in a minute`);
    assert.equal(
      await manager.metric('tandem_uninitialized_nodes{reason="InstanceLookupFailed"}'),
      30,
    );
  });

  it('that asks to wait for one node gets no call about that node before then', async () => {
    const askedAtMs: number[] = [];
    const world = new NodeWorld({
      provider: (cloud): Provider => ({
        name: 'slow-down',
        identify: (providerID) => providerID,
        async lookup(nodes, options): Promise<LookupAnswers> {
          const answers = new Map(await cloud.lookup(nodes, options));
          const isAsked = nodes.some(({ name }) => name === 'a');
          if (isAsked) askedAtMs.push(world.clock.monotonic());
          const err = new Error('come back later');
          if (isAsked) answers.set('a', { kind: 'unknown', err, retryAfterMs: 30_000 });
          return answers;
        },
      }),
    });
    world.addMachine({ name: 'a' });
    // The polls of this node continue, so that only calls about the other one stop.
    world.addNode({ name: 'b' });
    world.start();
    await world.clock.advance(100_000);
    assert.ok(askedAtMs.length >= 3 && askedAtMs.length <= 4, `asked at ${askedAtMs.join(', ')}`);
  });
});

describe('an outage of the API server for a minute', () => {
  it('ends with every node initialised a minute later', async () => {
    const world = new NodeWorld();
    const names = Array.from({ length: 10 }, (_, number) => `n${number}`);
    const server = { isGone: false };
    world.start({
      wrap: intercepting(async (_, pass) => {
        if (!server.isGone) return pass();
        throw new TransportError('The connection was refused', {
          code: 'ConnectFailed',
          retry: 'backoff',
          effect: 'none',
        });
      }),
    });
    await world.clock.advance(1_000);
    for (const name of names) world.addMachine({ name });
    // The controller has seen the nodes and looked them up when the outage begins.
    await world.clock.advance(12);
    server.isGone = true;
    await world.clock.advance(60_000);
    const some: NodeView[] = names.map((name) => world.node(name));
    assert.ok(some.some(({ isInitialised }) => !isInitialised));
    server.isGone = false;
    await world.clock.advance(61_000);
    assert.ok(names.every((name) => world.node(name).isInitialised));
    assert.equal(world.cloud.counts.lookups <= 3, true);
  });
});

describe('a late watch', () => {
  it('does not cause repeated writes: the controller reads the node before the next write', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const first = world.start();
    await world.clock.advance(1_000);
    first.kill();
    // From here on the watch says nothing, which the informer notices after 150 seconds.
    const watch = { isSilent: true };
    const manager = world.start({
      refreshPeriodMs: 30_000,
      wrap: intercepting(async (request, pass) => {
        const response = await pass();
        if (!request.path.includes('watch=')) return response;
        return { ...response, body: silenced(response.body, watch) };
      }),
    });
    await world.clock.advance(1_000);
    const { writes } = world;
    const count = writes.length;
    world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    await world.clock.advance(62_000);
    assert.deepEqual(world.node('a').addresses, ['InternalIP 10.9.9.9', 'Hostname a']);
    assert.equal(writes.length, count + 1, 'the write was repeated');
    await world.clock.advance(60_000);
    assert.equal(writes.length, count + 1, 'the write was repeated');
    assert.ok(world.gets.length > 0);
    await manager.stop();
  });
});

/** Passes the list on, and while the watch is silent nothing after it. */
async function* silenced(
  body: AsyncIterable<Uint8Array>,
  watch: { readonly isSilent: boolean },
): AsyncGenerator<Uint8Array> {
  let isListed = false;
  for await (const chunk of body) {
    if (!isListed || !watch.isSilent) yield chunk;
    if (new TextDecoder().decode(chunk).includes('initial-events-end')) isListed = true;
  }
}
