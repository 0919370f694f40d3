/** Tests writes with an unknown outcome, refused writes, and nodes that are deleted during a write (P4, I4, I5). */
import assert from 'node:assert/strict';
import { NotLeadingError } from '@tandem/kube/election';
import {
  type KubeTransport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@tandem/kube/transport';
import { sleep } from '@tandem/runtime';
import { IpamWorld } from './ipam-world.fixture.ts';

type Send = (request: TransportRequest) => Promise<TransportResponse>;

/** Wraps the transport so that a test decides the outcome of every write to a node. */
function onWrites(act: (send: Send, request: TransportRequest) => Promise<TransportResponse>) {
  return (inner: KubeTransport): KubeTransport => ({
    send: (request) =>
      request.method === 'PATCH' && request.path.startsWith('/api/v1/nodes/')
        ? act((one) => inner.send(one), request)
        : inner.send(request),
    close: () => inner.close(),
  });
}

function lost(): TransportError {
  const facts = { code: 'ConnectionLost', retry: 'backoff', effect: 'unknown' } as const;
  return new TransportError('The connection was lost', facts);
}

function refused(): TransportResponse {
  const status = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'a webhook says no' };
  const body = (async function* () {
    yield new TextEncoder().encode(JSON.stringify(status));
  })();
  return { status: 403, headers: { 'content-type': 'application/json' }, body };
}

const tight = [{ ranges: ['10.0.0.0/23 24', 'fd00::/63 64'] }];

describe('a write of pod CIDRs', () => {
  it('whose answer is lost is repeated with the same value, and no other node gets the blocks', async () => {
    const world = new IpamWorld();
    let losses = 8;
    const wrap = onWrites(async (_send, request) => {
      if (request.path.includes('/a') && losses-- > 0) throw lost();
      return _send(request);
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(100);
    assert.deepEqual(manager.counts(), ['1 0 1 0', '1 0 1 0'], 'in doubt');
    assert.ok(manager.controller.hasWriteInDoubt);
    world.addNodes('b', 'c');
    await world.clock.advance(120_000);
    assert.deepEqual(world.all(), {
      a: '10.0.0.0/24,fd00::/64',
      b: '10.0.1.0/24,fd00:0:0:1::/64',
      c: '',
    });
    assert.deepEqual(manager.counts(), ['0 2 0 0', '0 2 0 0']);
    assert.equal(manager.controller.hasWriteInDoubt, false);
    await manager.stop();
  });

  for (const retry of ['never', 'backoff'] as const) {
    it(`that waits for the Lease causes no log line per node (${retry})`, async () => {
      const world = new IpamWorld();
      let isOpen = false;
      const refusal = new NotLeadingError('This process did not renew the Lease in time', retry);
      const manager = world.start({ writeGate: () => (isOpen ? undefined : refusal) });
      const names = Array.from({ length: 100 }, (_, index) => `node-${index}`);
      world.addNodes(...names);
      await world.clock.advance(3_000);
      assert.deepEqual(world.writes, []);
      assert.deepEqual(
        manager.log.filter(({ level }) => level !== 'info'),
        [],
      );
      isOpen = true;
      await world.clock.advance(2_500);
      assert.ok(names.every((name) => world.podCIDRs(name).length === 2));
      await manager.stop();
    });
  }

  it('in doubt does not cause a second event about an exhausted pool', async () => {
    const world = new IpamWorld();
    let isLost = true;
    const wrap = onWrites(async (send, request) => {
      if (isLost && request.path.includes('/a')) throw lost();
      return send(request);
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a', 'b');
    await world.clock.advance(100);
    world.addNodes('c');
    await world.clock.advance(1_000);
    isLost = false;
    await world.clock.advance(60_000);
    // The new labels make the controller plan this node again.
    world.change('c', ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, labels: { zone: 'a' } },
    }));
    await world.clock.advance(1_000);
    assert.deepEqual(manager.counts(), ['0 2 0 0', '0 2 0 0']);
    assert.equal(world.events('CIDRNotAvailable').length, 1);
    await manager.stop();
  });

  it('that was stored is not sent again after its answer was lost', async () => {
    const world = new IpamWorld();
    const wrap = onWrites(async (send, request) => {
      await send(request);
      throw lost();
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(60_000);
    assert.deepEqual(world.writes, ['PATCH a']);
    assert.deepEqual(manager.counts(), ['1 1 0 0', '1 1 0 0']);
    await manager.stop();
  });

  it('in doubt keeps its blocks reserved for the node when a later try is refused', async () => {
    const world = new IpamWorld();
    let tries = 0;
    const wrap = onWrites(async () => {
      if (++tries <= 3) throw lost();
      return refused();
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(60_000);
    assert.ok(tries > 3);
    assert.deepEqual(manager.counts(), ['1 0 1 0', '1 0 1 0']);
    world.removeNode('a');
    await world.clock.advance(1_000);
    assert.deepEqual(manager.counts(), ['2 0 0 0', '2 0 0 0']);
    await manager.stop();
  });

  it('in doubt stays in doubt while the API server cannot be reached', async () => {
    const world = new IpamWorld();
    let tries = 0;
    const facts = { code: 'ConnectionFailed', retry: 'backoff', effect: 'none' } as const;
    const wrap = onWrites(async () => {
      throw ++tries === 1 ? lost() : new TransportError('The server is away', facts);
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(60_000);
    assert.ok(tries > 1);
    assert.ok(manager.controller.hasWriteInDoubt);
    await manager.stop();
    assert.ok(manager.controller.hasWriteInDoubt, 'so the manager does not release the Lease');
  });

  it('in doubt keeps its blocks reserved for the node when its first retry is refused', async () => {
    const world = new IpamWorld();
    let tries = 0;
    const wrap = onWrites(async () => {
      if (++tries === 1) throw lost();
      return refused();
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(500);
    assert.ok(tries >= 2);
    assert.deepEqual(manager.counts(), ['1 0 1 0', '1 0 1 0']);
    await manager.stop();
  });

  it('is in doubt when the manager stops before its outcome is known', async () => {
    const world = new IpamWorld();
    const wrap = onWrites(async () => {
      await sleep(world.clock, 1_000);
      throw lost();
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(500);
    await manager.stop();
    assert.ok(manager.controller.hasWriteInDoubt);
  });

  it('that is refused frees both blocks, is reported, and is retried until it succeeds', async () => {
    const world = new IpamWorld();
    let isShut = true;
    const wrap = onWrites(async (send, request) => (isShut ? refused() : send(request)));
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(500);
    assert.deepEqual(manager.counts(), ['2 0 0 0', '2 0 0 0']);
    assert.deepEqual(world.events('CIDRAssignmentFailed'), [
      'a: The API server refused to store the podCIDRs of this node: a webhook says no',
    ]);
    isShut = false;
    await world.clock.advance(61_000);
    assert.equal(world.podCIDRs('a').length, 2);
    await manager.stop();
  });

  it('to a node that is deleted during the write leaves no block reserved, and spares a namesake', async () => {
    const world = new IpamWorld();
    let isFirst = true;
    const wrap = onWrites(async (send, request) => {
      if (isFirst) {
        isFirst = false;
        world.removeNode('a');
        world.addNodes('a');
      }
      return send(request);
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(60_000);
    assert.equal(world.podCIDRs('a').length, 2);
    assert.deepEqual(manager.counts(), ['1 1 0 0', '1 1 0 0']);
    world.removeNode('a');
    await world.clock.advance(1_000);
    assert.deepEqual(manager.counts(), ['2 0 0 0', '2 0 0 0']);
    assert.equal(manager.controller.remembered, 0);
    await manager.stop();
  });

  it('that another allocator overtakes leaves its block to a waiting node', async () => {
    const world = new IpamWorld();
    const wrap = onWrites(async (send, request) => {
      if (request.path.includes('/a') && world.podCIDRs('a').length === 0) {
        await sleep(world.clock, 100);
        world.change('a', (node) => ({
          ...node,
          spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] },
        }));
      }
      return send(request);
    });
    const manager = world.start({ pools: [{ ranges: ['10.0.0.0/24 24'] }], wrap });
    world.addNodes('a', 'b');
    await world.clock.advance(1_000);
    assert.deepEqual(world.all(), { a: '10.9.0.0/24', b: '10.0.0.0/24' });
    await manager.stop();
  });

  it('that another allocator overtakes frees its blocks', async () => {
    const world = new IpamWorld();
    const wrap = onWrites(async (send, request) => {
      if (world.podCIDRs('a').length === 0) {
        world.change('a', (node) => ({
          ...node,
          spec: { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.1.0/24', 'fd00:0:0:1::/64'] },
        }));
      }
      return send(request);
    });
    const manager = world.start({ pools: tight, wrap });
    world.addNodes('a');
    await world.clock.advance(60_000);
    assert.equal(world.all()['a'], '10.0.1.0/24,fd00:0:0:1::/64');
    assert.deepEqual(manager.counts(), ['1 1 0 0', '1 1 0 0']);
    await manager.stop();
  });
});
