/**
 * Tests that the block of a deleted node becomes free only through a list of the routes, if routes are managed (I7).
 */
import assert from 'node:assert/strict';
import type { ListedRoute } from '@tandem/core/routes';
import { ListedRoutes } from '../route/index.ts';
import { cidr, type IpamManager, IpamWorld } from './ipam-world.fixture.ts';

const oneBlock = { ranges: ['10.244.0.0/24 24', 'fd00:10:244::/64 64'] };

function routeTo(text: string, facts: Partial<ListedRoute> = {}): ListedRoute {
  const target = { kind: 'instance', key: 'gone', ready: true } as const;
  return { id: text, destination: cidr(text), text, ours: true, target, ...facts };
}

interface Given {
  readonly world: IpamWorld;
  readonly manager: IpamManager;
  /** Publishes a list that began now, or `earlierMs` ago. */
  readonly list: (routes: readonly ListedRoute[], earlierMs?: number) => Promise<void>;
}

/** Sets up a world in which node `a` had the only block and was deleted, and node `b` waits for that block. */
async function aFreedBlock(): Promise<Given> {
  const world = new IpamWorld();
  world.addNodes('a');
  const listed = new ListedRoutes();
  const clusterCIDRs = ['10.244.0.0/24', 'fd00:10:244::/64'].map(cidr);
  const managedRoutes = { listed, clusterCIDRs, families: ['IPv4', 'IPv6'] } as const;
  const manager = world.start({ pools: [oneBlock], managedRoutes });
  await world.clock.advance(5_000);
  world.addNodes('b');
  world.removeNode('a');
  await world.clock.advance(5_000);
  const list = async (routes: readonly ListedRoute[], earlierMs = 0): Promise<void> => {
    const asOfMs = world.clock.monotonic() - earlierMs;
    listed.tell({ asOfMs, tables: [{ id: 'main', routes }], wanted: 0 });
    await world.clock.advance(1_000);
  };
  return { world, manager, list };
}

describe('the block of a deleted node, if routes are managed', () => {
  it('is held without a list, and is not a write in doubt', async () => {
    const { world, manager } = await aFreedBlock();
    assert.deepEqual(world.podCIDRs('b'), []);
    assert.deepEqual(manager.counts(), ['0 0 1 0', '0 0 1 0']);
    assert.equal(manager.controller.hasWriteInDoubt, false);
    await manager.stop();
  });

  it('is held if the node is deleted while the first allocation waits for a previous leader', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'a', podCIDRs: ['10.244.0.0/24', 'fd00:10:244::/64'] });
    const listed = new ListedRoutes();
    const clusterCIDRs = ['10.244.0.0/24', 'fd00:10:244::/64'].map(cidr);
    const managedRoutes = { listed, clusterCIDRs, families: ['IPv4', 'IPv6'] } as const;
    const leadership = { predecessor: 'expired', lastWriteMs: 12_000 } as const;
    const manager = world.start({ pools: [oneBlock], managedRoutes, leadership });
    await world.clock.advance(5_000);
    world.removeNode('a');
    world.addNodes('b');
    await world.clock.advance(20_000);
    assert.deepEqual(world.podCIDRs('b'), []);
    listed.tell({
      asOfMs: world.clock.monotonic(),
      tables: [{ id: 'main', routes: [] }],
      wanted: 0,
    });
    await world.clock.advance(1_000);
    assert.deepEqual(world.podCIDRs('b'), ['10.244.0.0/24', 'fd00:10:244::/64']);
    await manager.stop();
  });

  it('goes to a waiting node when a later list shows no route to it', async () => {
    const { world, manager, list } = await aFreedBlock();
    await list([routeTo('10.244.9.0/24')]);
    assert.deepEqual(world.podCIDRs('b'), ['10.244.0.0/24', 'fd00:10:244::/64']);
    assert.deepEqual(manager.counts(), ['0 1 0 0', '0 1 0 0']);
    await manager.stop();
  });

  it('stays held after a list that began before the deletion', async () => {
    const { world, manager, list } = await aFreedBlock();
    await list([], 60_000);
    assert.deepEqual(world.podCIDRs('b'), []);
    await list([]);
    assert.notDeepEqual(world.podCIDRs('b'), []);
    await manager.stop();
  });

  it('stays held while a route leads to it, so that no node gets the other family alone', async () => {
    const { world, manager, list } = await aFreedBlock();
    await list([routeTo('fd00:10:244::/64')]);
    assert.deepEqual(world.podCIDRs('b'), []);
    assert.deepEqual(manager.counts(), ['1 0 0 0', '0 0 1 0']);
    await list([]);
    assert.deepEqual(world.podCIDRs('b'), ['10.244.0.0/24', 'fd00:10:244::/64']);
    await manager.stop();
  });

  it('is bound once a node registers with it, and held again when that node is deleted', async () => {
    const { world, manager, list } = await aFreedBlock();
    world.addNode({ name: 'a', podCIDRs: ['10.244.0.0/24', 'fd00:10:244::/64'] });
    const routes = [routeTo('10.244.0.0/24'), routeTo('fd00:10:244::/64')];
    await world.clock.advance(100);
    await list(routes);
    assert.deepEqual(manager.counts(), ['0 1 0 0', '0 1 0 0']);
    world.removeNode('a');
    await world.clock.advance(100);
    await list(routes);
    assert.deepEqual(manager.counts(), ['0 0 1 0', '0 0 1 0']);
    await manager.stop();
  });

  it('is free although it contained the block of another node, which still has its route', async () => {
    const world = new IpamWorld();
    world.addNodes('a');
    const listed = new ListedRoutes();
    const clusterCIDRs = ['10.244.0.0/22', 'fd00:10:244::/62'].map(cidr);
    const managedRoutes = { listed, clusterCIDRs, families: ['IPv4', 'IPv6'] } as const;
    const pools = [{ ranges: ['10.244.0.0/22 24', 'fd00:10:244::/62 64'] }];
    const manager = world.start({ pools, managedRoutes });
    await world.clock.advance(5_000);
    world.toleratesOverlaps = true;
    world.addNode({ name: 'huge', podCIDRs: ['10.244.0.0/22', 'fd00:10:244:1::/64'] });
    await world.clock.advance(1_000);
    world.removeNode('huge');
    world.toleratesOverlaps = false;
    await world.clock.advance(1_000);
    const routes = [routeTo('10.244.0.0/24'), routeTo('fd00:10:244::/64')];
    listed.tell({ asOfMs: world.clock.monotonic(), tables: [{ id: 'main', routes }], wanted: 2 });
    world.addNodes('b');
    await world.clock.advance(1_000);
    assert.notDeepEqual(world.podCIDRs('b'), []);
    assert.deepEqual(manager.counts(), ['2 2 0 0', '2 2 0 0']);
    await manager.stop();
  });

  it('is free although a blackhole default route covers it, which no manager deletes', async () => {
    const { world, manager, list } = await aFreedBlock();
    const target = { kind: 'blackhole' } as const;
    await list([routeTo('0.0.0.0/0', { target }), routeTo('::/0', { ours: false, target })]);
    assert.notDeepEqual(world.podCIDRs('b'), []);
    await manager.stop();
  });

  it('is free although a foreign route leads to it', async () => {
    const { world, manager, list } = await aFreedBlock();
    await list([routeTo('10.244.0.0/24', { ours: false })]);
    assert.notDeepEqual(world.podCIDRs('b'), []);
    await manager.stop();
  });
});
