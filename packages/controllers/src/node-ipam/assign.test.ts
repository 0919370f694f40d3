/** Tests which blocks nodes get, in which order, and what happens to the blocks of deleted nodes. */
import assert from 'node:assert/strict';
import { CcmError } from '@tandem/runtime';
import { dualPool, IpamWorld } from './ipam-world.fixture.ts';

describe('the node ipam controller', () => {
  const cases = [
    {
      title: 'both families, IPv4 first',
      ranges: dualPool.ranges,
      want: '10.244.0.0/24,fd00:10:244::/64',
    },
    {
      title: 'both families, IPv6 first',
      ranges: dualPool.ranges.toReversed(),
      want: 'fd00:10:244::/64,10.244.0.0/24',
    },
    { title: 'IPv4 alone', ranges: ['10.244.0.0/16 25'], want: '10.244.0.0/25' },
    { title: 'IPv6 alone', ranges: ['fd00::/32 64'], want: 'fd00::/64' },
  ];
  for (const { title, ranges, want } of cases) {
    it(`gives a node ${title}, with one write`, async () => {
      const world = new IpamWorld();
      const manager = world.start({ pools: [{ ranges }] });
      world.addNodes('a');
      await world.clock.advance(1_000);
      assert.equal(world.all()['a'], want);
      assert.deepEqual(world.writes, ['PATCH a']);
      await manager.stop();
    });
  }

  it('gives blocks to every node, including tainted nodes and nodes of other clouds', async () => {
    const world = new IpamWorld();
    const manager = world.start();
    world.addNodes('tainted', 'foreign');
    const taints = [
      { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
    ];
    world.change('tainted', (node) => ({ ...node, spec: { ...Object(node['spec']), taints } }));
    const providerID = 'othercloud:///7';
    world.change('foreign', (node) => ({ ...node, spec: { ...Object(node['spec']), providerID } }));
    await world.clock.advance(1_000);
    for (const name of ['tainted', 'foreign']) assert.equal(world.podCIDRs(name).length, 2, name);
    await manager.stop();
  });

  it('logs at the start how many nodes fit, by range and in total, without service ranges', async () => {
    const world = new IpamWorld();
    world.addNodes('a');
    const pools = [{ ranges: ['10.0.0.0/20 24', 'fd00::/56 64'] }];
    const manager = world.start({ pools, serviceRanges: ['10.0.8.0/22'] });
    await world.clock.advance(1_000);
    const said = manager.log.find(({ msg }) => msg === 'Pool of pod CIDRs');
    assert.deepEqual(
      [said?.['level'], said?.['nodesPerRange'], said?.['nodesThatFit'], said?.['nodes']],
      ['info', '10.0.0.0/20: 12, fd00::/56: 256', 12, 1],
    );
    await manager.stop();
  });

  it('assigns the lowest blocks first, and a freed one only after the end of the range', async () => {
    const world = new IpamWorld();
    const manager = world.start({ pools: [{ ranges: ['10.0.0.0/22 24'] }] });
    for (const name of ['a', 'b', 'c']) {
      world.addNodes(name);
      await world.clock.advance(100);
    }
    world.removeNode('a');
    await world.clock.advance(100);
    for (const name of ['d', 'e']) {
      world.addNodes(name);
      await world.clock.advance(100);
    }
    assert.deepEqual(world.all(), {
      b: '10.0.1.0/24',
      c: '10.0.2.0/24',
      d: '10.0.3.0/24',
      e: '10.0.0.0/24',
    });
    await manager.stop();
  });

  it('takes every listed node into account before it assigns the first block (I8)', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'new' });
    for (let at = 0; at < 50; at++) {
      world.addNode({
        name: `old-${at}`,
        podCIDRs: [`10.244.${at}.0/24`, `fd00:10:244:${at.toString(16)}::/64`],
      });
    }
    const manager = world.start();
    await world.clock.advance(1_000);
    assert.equal(world.all()['new'], '10.244.50.0/24,fd00:10:244:32::/64');
    await manager.stop();
  });

  it('writes nothing to a converged cluster, a restart included (P5)', async () => {
    const world = new IpamWorld();
    world.addNodes('a', 'b', 'c');
    const first = world.start();
    await world.clock.advance(1_000);
    await first.stop();
    const before = world.writes.length;
    const second = world.start();
    await world.clock.advance(24 * 3_600_000);
    assert.equal(world.writes.length, before);
    await second.stop();
  });

  it('leaves nodes alone while they are paused or being deleted', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'paused', annotations: { 'tandem.dev/paused': 'true' } });
    world.addNode({ name: 'going', isDeleting: true });
    const manager = world.start();
    await world.clock.advance(1_000);
    assert.deepEqual(world.all(), { paused: '', going: '' });
    world.change('paused', ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, annotations: {} },
    }));
    await world.clock.advance(1_000);
    assert.equal(world.all()['paused'], '10.244.0.0/24,fd00:10:244::/64');
    await manager.stop();
  });

  it('keeps the blocks of a node with a deletionTimestamp until the node is gone', async () => {
    const world = new IpamWorld();
    const manager = world.start({ pools: [{ ranges: ['10.0.0.0/24 24'] }] });
    world.addNodes('a');
    await world.clock.advance(100);
    world.change('a', ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, deletionTimestamp: '2026-03-01T12:00:01Z' },
    }));
    world.addNodes('b');
    await world.clock.advance(60_000);
    assert.deepEqual(world.all(), { a: '10.0.0.0/24', b: '' });
    world.removeNode('a');
    await world.clock.advance(100);
    assert.deepEqual(world.all(), { b: '10.0.0.0/24' });
    await manager.stop();
  });

  it('takes a node from the first pool that selects it, with its own block sizes', async () => {
    const world = new IpamWorld();
    const selector = { matchLabels: { pool: 'gpu' } };
    const gpu = { name: 'gpu', ranges: ['10.1.0.0/16 22', 'fd01::/48 60'], selector };
    const manager = world.start({ pools: [gpu, dualPool] });
    world.addNode({ name: 'plain' });
    world.addNode({ name: 'special', labels: { pool: 'gpu' } });
    await world.clock.advance(1_000);
    assert.deepEqual(world.all(), {
      plain: '10.244.0.0/24,fd00:10:244::/64',
      special: '10.1.0.0/22,fd01::/60',
    });
    await manager.stop();
  });

  it('goes by the labels at the time of the write, and keeps no block of another pool', async () => {
    const world = new IpamWorld();
    const selector = { matchLabels: { pool: 'gpu' } };
    const gpu = { name: 'gpu', ranges: ['10.1.0.0/16 24', 'fd01::/48 64'], selector };
    const shut = new CcmError('shut', { code: 'Shut', retry: 'backoff', effect: 'none' });
    let isShut = true;
    const writeGate = (): CcmError | undefined => (isShut ? shut : undefined);
    const manager = world.start({ pools: [gpu, dualPool], writeGate });
    world.addNodes('a', 'b', 'c');
    await world.clock.advance(1_000);
    const label = (name: string, labels: object, annotations: object = {}): void =>
      world.change(name, ({ metadata, ...node }) => ({
        ...node,
        metadata: { ...metadata, labels: { ...labels }, annotations: { ...annotations } },
      }));
    label('a', { pool: 'gpu' });
    label('b', {}, { 'tandem.dev/paused': 'true' });
    await world.clock.advance(1_000);
    isShut = false;
    await world.clock.advance(60_000);
    assert.deepEqual(world.all(), {
      a: '10.1.0.0/24,fd01::/64',
      b: '',
      c: '10.244.2.0/24,fd00:10:244:2::/64',
    });
    assert.deepEqual(manager.counts(), ['255 1 0 0', '65535 1 0 0', '255 1 0 0', '65535 1 0 0']);
    await manager.stop();
  });

  it('gives no block to a node that no pool selects, until its labels change', async () => {
    const world = new IpamWorld();
    const pool = { ...dualPool, selector: { matchLabels: { pool: 'x' } } };
    const manager = world.start({ pools: [pool] });
    world.addNodes('a');
    await world.clock.advance(1_000);
    assert.match(
      world.events('CIDRNotAvailable').join(),
      /^a: No pool of pod CIDRs selects this node/,
    );
    world.change('a', ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, labels: { pool: 'x' } },
    }));
    await world.clock.advance(1_000);
    assert.equal(world.all()['a'], '10.244.0.0/24,fd00:10:244::/64');
    await manager.stop();
  });

  it('never assigns a block in a service range, even one that a deleted node had', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'old', podCIDRs: ['10.0.1.0/24'] });
    const pools = [{ ranges: ['10.0.0.0/22 24'] }];
    const manager = world.start({ pools, serviceRanges: ['10.0.0.0/23'] });
    await world.clock.advance(1_000);
    world.removeNode('old');
    world.addNodes('a', 'b', 'c');
    await world.clock.advance(1_000);
    assert.deepEqual(world.all(), { a: '10.0.2.0/24', b: '10.0.3.0/24', c: '' });
    assert.deepEqual(manager.counts(), ['0 2 0 2']);
    await manager.stop();
  });

  it('gives a node that registers again its old blocks, and a block of a missing family', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'single', podCIDRs: ['10.244.9.0/24'] });
    const manager = world.start();
    world.addNodes('a', 'b');
    await world.clock.advance(1_000);
    world.removeNode('single');
    world.removeNode('b');
    await world.clock.advance(1_000);
    world.addNodes('b', 'single');
    await world.clock.advance(1_000);
    assert.deepEqual(world.all(), {
      a: '10.244.0.0/24,fd00:10:244::/64',
      b: '10.244.1.0/24,fd00:10:244:1::/64',
      single: '10.244.9.0/24,fd00:10:244:2::/64',
    });
    await manager.stop();
  });
});

describe('an exhausted pool', () => {
  const tight = { ranges: ['10.0.0.0/16 24', 'fd00::/63 64'] };

  it('leaks no block of the other family, reports once, and assigns a freed block at once', async () => {
    const world = new IpamWorld();
    const manager = world.start({ pools: [tight] });
    world.addNodes('a', 'b');
    await world.clock.advance(1_000);
    world.addNodes('c', 'd');
    await world.clock.advance(10 * 60_000);
    assert.deepEqual([world.podCIDRs('c'), world.podCIDRs('d')], [[], []]);
    assert.deepEqual(manager.counts(), ['254 2 0 0', '0 2 0 0']);
    assert.equal(world.events('CIDRNotAvailable').length, 2);
    assert.match(
      world.events('CIDRNotAvailable').join(),
      /Pool cluster-cidr \(10\.0\.0\.0\/16, fd00::\/63\) has no free \/64 in fd00::\/63, and a node gets all of its families or none\./,
    );
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 2);
    world.removeNode('a');
    await world.clock.advance(50);
    assert.equal(Object.values(world.all()).filter((text) => text !== '').length, 2);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 1);
    await world.clock.advance(1_000);
    const served = world.podCIDRs('c').length > 0 ? 'c' : 'd';
    const [four = '', six = ''] = world.podCIDRs(served);
    assert.deepEqual(world.events('CIDRAssigned'), [
      `${served}: The node has its podCIDRs ${four} and ${six} now, after CIDRNotAvailable.`,
    ]);
    await world.clock.advance(60 * 60_000);
    assert.equal(world.events('CIDRAssigned').length, 1);
    await manager.stop();
  });

  it('does not prevent the start of a manager if more nodes exist than fit', async () => {
    const world = new IpamWorld();
    world.addNodes('a', 'b', 'c', 'd');
    const manager = world.start({ pools: [tight] });
    await world.clock.advance(1_000);
    const said = manager.log.find(
      ({ msg }) => msg === 'Pool of pod CIDRs is too small for its nodes',
    );
    assert.deepEqual(
      [said?.['nodesPerRange'], said?.['nodesThatFit'], said?.['nodes']],
      ['10.0.0.0/16: 256, fd00::/63: 2', 2, 4],
    );
    assert.equal(Object.values(world.all()).filter((text) => text !== '').length, 2);
    await manager.stop();
  });

  it('counts a node for the pool that contains its blocks in the log about capacity', async () => {
    const world = new IpamWorld();
    const two = { name: 'two', ranges: ['10.1.0.0/23 24'], selector: { matchLabels: { a: 'b' } } };
    const four = { name: 'four', ranges: ['10.2.0.0/22 24'] };
    const labels = { a: 'b' };
    // The first pool selects these nodes since their labels changed, but their blocks are from the second pool.
    world.addNode({ name: 'moved-1', labels, podCIDRs: ['10.2.0.0/24'] });
    world.addNode({ name: 'moved-2', labels, podCIDRs: ['10.2.1.0/24'] });
    world.addNode({ name: 'outside', labels, podCIDRs: ['192.0.2.0/24'] });
    world.addNode({ name: 'new-1', labels });
    world.addNode({ name: 'new-2', labels });
    const manager = world.start({ pools: [two, four] });
    await world.clock.advance(1_000);
    const said = manager.log.filter(({ msg }) => String(msg).startsWith('Pool of pod CIDRs'));
    assert.deepEqual(
      said.map(({ msg, pool, nodesThatFit, nodes }) => [msg, pool, nodesThatFit, nodes]),
      [
        ['Pool of pod CIDRs', 'two', 2, 2],
        ['Pool of pod CIDRs', 'four', 4, 2],
      ],
    );
    await manager.stop();
  });
});
