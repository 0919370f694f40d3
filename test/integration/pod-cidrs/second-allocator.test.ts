/**
 * Another program allocates beside the manager, as kube-controller-manager does where it was not switched off:
 * it overtakes a write and gives a node a block that another node has. Both nodes get a Warning, the program is
 * named, and the block is not free as long as one of them has it.
 */
import assert from 'node:assert/strict';
import type { Scenario } from '../manager/scenario.ts';
import { useInstallation } from '../manager/installation.ts';
import { allocating, isAllocation, podCIDRsOf, untilAllocated } from './allocation.ts';

describe('a second allocator', function () {
  this.timeout(120_000);
  const { open } = useInstallation();

  it('is named on the node it gave a block to, and the overlap on both nodes', async () => {
    await using scenario = await open();
    const proxy = await scenario.proxy();
    const flags = allocating('10.244.0.0/23,fd00:10:244::/63');
    const manager = await scenario.start({ through: proxy, flags });
    await scenario.register({ name: 'ours' });
    await untilAllocated(scenario, ['ours']);
    const shared = podCIDRsOf(scenario.node('ours'));
    proxy.interfere({
      on: (exchange) => isAllocation(exchange) && exchange.path.endsWith('/taken'),
      nth: 1,
      when: 'before',
      async act(): Promise<'pass'> {
        await allocate(scenario, 'taken', shared);
        return 'pass';
      },
    });
    await scenario.register({ name: 'taken' });

    const foreign = await scenario.untilSaid('taken', 'ForeignAllocator');
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
      const { note, type } = await scenario.untilSaid(name, 'DuplicatePodCIDR');
      assert.equal(type, 'Warning');
      assert.match(
        note,
        new RegExp(`^podCIDR "10.244.0.0/24" overlaps a podCIDR of node ${other}:`),
      );
    }
    assert.deepEqual(podCIDRsOf(scenario.node('taken')), shared, 'it keeps what it has');

    await scenario.deleteNode('ours');
    await manager.says(/^Problem with pod CIDRs is over$/, {
      node: 'taken',
      code: 'DuplicatePodCIDR',
    });
    await scenario.register({ name: 'second' });
    await untilAllocated(scenario, ['second']);
    await scenario.register({ name: 'third' });
    await scenario.untilSaid('third', 'CIDRNotAvailable');
    assert.deepEqual(podCIDRsOf(scenario.node('second')), ['10.244.1.0/24', 'fd00:10:244:1::/64']);
    await scenario.deleteNode('taken');
    await untilAllocated(scenario, ['third']);
    assert.deepEqual(podCIDRsOf(scenario.node('third')), shared);
    manager.assertRunning();
  });
});

/** As kube-controller-manager does it: a strategic merge, under its own name. */
async function allocate(
  scenario: Scenario,
  name: string,
  podCIDRs: readonly string[],
): Promise<void> {
  await scenario.ask({
    method: 'PATCH',
    path: `/api/v1/nodes/${name}?fieldManager=kube-controller-manager`,
    contentType: 'application/strategic-merge-patch+json',
    body: { spec: { podCIDR: podCIDRs[0], podCIDRs } },
  });
}
