/**
 * Another program allocates beside the manager, as kube-controller-manager does where it was not switched off:
 * it overtakes a write and gives a node a block that another node has. Both nodes get a Warning, the program is
 * named, and the block is not free as long as one of them has it.
 */
import assert from 'node:assert/strict';
import type { Scene } from '../manager/scene.ts';
import { useWorld } from '../manager/world.ts';
import { allocating, isAllocation, podCIDRsOf, untilAllocated } from './allocation.ts';

describe('a second allocator', function () {
  this.timeout(120_000);
  const { open } = useWorld();

  it('is named on the node it gave a block to, and the overlap on both nodes', async () => {
    await using scene = await open();
    const proxy = await scene.proxy();
    const flags = allocating('10.244.0.0/23,fd00:10:244::/63');
    const manager = await scene.start({ through: proxy, flags });
    await scene.register({ name: 'ours' });
    await untilAllocated(scene, ['ours']);
    const shared = podCIDRsOf(scene.node('ours'));
    proxy.interfere({
      on: (exchange) => isAllocation(exchange) && exchange.path.endsWith('/taken'),
      nth: 1,
      when: 'before',
      async act(): Promise<'pass'> {
        await allocate(scene, 'taken', shared);
        return 'pass';
      },
    });
    await scene.register({ name: 'taken' });

    const foreign = await scene.untilSaid('taken', 'ForeignAllocator');
    assert.equal(foreign.type, 'Warning');
    assert.match(
      foreign.note,
      /^"kube-controller-manager" gave this node its podCIDRs 10\.244\.0\.0\/24, fd00:10:244::\/64 /,
    );
    await manager.says(/^Another program assigns pod CIDRs$/, {
      node: 'taken',
      manager: 'kube-controller-manager',
    });
    for (const [name, other] of [
      ['ours', 'taken'],
      ['taken', 'ours'],
    ] as const) {
      const { note, type } = await scene.untilSaid(name, 'DuplicatePodCIDR');
      assert.equal(type, 'Warning');
      assert.match(
        note,
        new RegExp(`^podCIDR "10.244.0.0/24" overlaps a podCIDR of node ${other}:`),
      );
    }
    assert.deepEqual(podCIDRsOf(scene.node('taken')), shared, 'it keeps what it has');

    await scene.deleteNode('ours');
    await manager.says(/^Problem with pod CIDRs is over$/, {
      node: 'taken',
      code: 'DuplicatePodCIDR',
    });
    await scene.register({ name: 'second' });
    await untilAllocated(scene, ['second']);
    await scene.register({ name: 'third' });
    await scene.untilSaid('third', 'CIDRNotAvailable');
    assert.deepEqual(podCIDRsOf(scene.node('second')), ['10.244.1.0/24', 'fd00:10:244:1::/64']);
    await scene.deleteNode('taken');
    await untilAllocated(scene, ['third']);
    assert.deepEqual(podCIDRsOf(scene.node('third')), shared);
    manager.assertRunning();
  });
});

/** As kube-controller-manager does it: a strategic merge, under its own name. */
async function allocate(scene: Scene, name: string, podCIDRs: readonly string[]): Promise<void> {
  await scene.ask({
    method: 'PATCH',
    path: `/api/v1/nodes/${name}?fieldManager=kube-controller-manager`,
    contentType: 'application/strategic-merge-patch+json',
    body: { spec: { podCIDR: podCIDRs[0], podCIDRs } },
  });
}
