/** Tests the section of `/statusz` about pod CIDRs. */
import assert from 'node:assert/strict';
import { dualPool, type IpamManager, IpamWorld } from './ipam-world.fixture.ts';

const edge = { matchLabels: { pool: 'edge' } };
const rack = { matchLabels: { pool: 'rack' } };

/** Returns the values of each row, in the order of the columns. */
function shown(manager: IpamManager): readonly string[] {
  const [{ rows }] = manager.controller.status();
  return rows.map((row) => Object.values(row).join(' '));
}

describe('the status of pod CIDRs', () => {
  it('shows each range with its blocks, and how many nodes wait for its pool', async () => {
    const world = new IpamWorld();
    const manager = world.start({
      pools: [
        { name: 'edge', selector: edge, ranges: ['10.1.0.0/24 24', 'fd01::/48 64'] },
        dualPool,
      ],
      serviceRanges: ['10.244.0.0/22'],
    });
    for (const name of ['a', 'b', 'c']) world.addNode({ name, labels: { pool: 'edge' } });
    world.addNodes('d');
    await world.clock.advance(1_000);
    const [{ rows, notes }] = manager.controller.status();
    assert.deepEqual(Object.keys(rows[0] ?? {}), [
      'pool',
      'range',
      'capacity',
      'bound',
      'in doubt',
      'excluded',
      'free',
      'waiting nodes',
    ]);
    assert.deepEqual(shown(manager), [
      'edge 10.1.0.0/24 1 1 0 0 0 2',
      'edge fd01::/48 65536 1 0 0 65535 2',
      'cluster-cidr 10.244.0.0/16 256 1 0 4 251 0',
      'cluster-cidr fd00:10:244::/48 65536 1 0 0 65535 0',
    ]);
    assert.deepEqual(notes, []);
    await manager.stop();
  });

  it('counts nodes by the problems of their podCIDRs', async () => {
    const world = new IpamWorld();
    world.toleratesOverlaps = true;
    const manager = world.start();
    for (const name of ['a', 'b']) world.addNode({ name, podCIDRs: ['10.244.7.0/24'] });
    world.addNode({ name: 'c', podCIDRs: ['192.168.0.0/24', 'fd00:10:244::/64'] });
    await world.clock.advance(1_000);
    assert.deepEqual(manager.controller.status()[0].notes, [
      'Nodes with DuplicatePodCIDR: 2.',
      'Nodes with PodCIDRFamilyMissing: 2.',
      'Nodes with PodCIDROutsidePools: 1.',
    ]);
    world.removeNode('b');
    await world.clock.advance(1_000);
    assert.doesNotMatch(manager.controller.status()[0].notes.join(), /Duplicate/);
    await manager.stop();
  });

  it('counts nodes that no pool selects', async () => {
    const world = new IpamWorld();
    const manager = world.start({
      pools: [{ name: 'rack', selector: rack, ranges: ['10.1.0.0/16 24'] }],
    });
    world.addNodes('a', 'b');
    await world.clock.advance(1_000);
    assert.deepEqual(shown(manager), ['rack 10.1.0.0/16 256 0 0 0 256 0']);
    assert.deepEqual(manager.controller.status()[0].notes, ['Nodes that no pool selects: 2.']);
    await manager.stop();
  });

  it('says that nothing is allocated while the last write of the previous leader may arrive', async () => {
    const world = new IpamWorld();
    const manager = world.start({ leadership: { predecessor: 'expired', lastWriteMs: 12_000 } });
    await world.clock.advance(11_000);
    const [{ rows, notes }] = manager.controller.status();
    assert.deepEqual(rows, []);
    assert.match(notes.join(), /^Nothing is allocated yet: .* previous leader/);
    await world.clock.advance(2_000);
    assert.equal(shown(manager).length, 2);
    await manager.stop();
  });
});
