/**
 * The CloudAllocator with an inventory that says which blocks each machine has: a node gets those, in the
 * order of families that `--cluster-cidr` has, or a Warning that says why not.
 */
import assert from 'node:assert/strict';
import { aMachine } from '../manager/inventory.ts';
import { useInstallation } from '../manager/installation.ts';
import {
  allocating,
  isAllocation,
  podCIDRsOf,
  registerWith,
  untilAllocated,
} from './allocation.ts';

describe('pod CIDRs from the cloud', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  it('are those of the instance, all families or none, and never two nodes’', async () => {
    const machines = [
      aMachine('whole', 1, { podCIDRs: ['10.1.1.0/24', 'fd01:0:0:1::/64'] }),
      aMachine('half', 2, { podCIDRs: ['10.1.2.0/24'] }),
      aMachine('twin-a', 3, { podCIDRs: ['10.1.4.0/23', 'fd01:0:0:4::/64'] }),
      aMachine('twin-b', 4, { podCIDRs: ['10.1.5.0/24', 'fd01:0:0:5::/64'] }),
      aMachine('moved', 5, { podCIDRs: ['10.1.6.0/24', 'fd01:0:0:6::/64'] }),
    ];
    await using scenario = await open({ machines });
    for (const name of ['whole', 'half', 'twin-a', 'twin-b']) await scenario.register({ name });
    await registerWith(scenario, 'moved', ['10.9.0.0/24', 'fd01:0:0:9::/64']);
    const proxy = await scenario.proxy();
    const flags = allocating('fd00::/8,10.0.0.0/8', '--cidr-allocator-type=CloudAllocator');
    const manager = await scenario.start({ through: proxy, flags });

    await untilAllocated(scenario, ['whole']);
    assert.deepEqual(podCIDRsOf(scenario.node('whole')), ['fd01:0:0:1::/64', '10.1.1.0/24']);
    const { note } = await scenario.untilSaid('half', 'CIDRNotAvailable');
    assert.match(note, /^The cloud lists no IPv6 block for the instance of this node/);
    for (const [name, other] of [
      ['twin-a', 'twin-b'],
      ['twin-b', 'twin-a'],
    ] as const) {
      const duplicate = await scenario.untilSaid(name, 'DuplicatePodCIDR');
      assert.match(
        duplicate.note,
        new RegExp(`overlaps a block of node ${other}, so this node gets no podCIDRs`),
      );
    }
    const mismatch = await scenario.untilSaid('moved', 'CloudCIDRAllocatorMismatch');
    assert.match(
      mismatch.note,
      /has podCIDRs 10\.9\.0\.0\/24 and fd01:0:0:9::\/64, but the cloud /,
    );

    const mended = aMachine('half', 2, { podCIDRs: ['10.1.2.0/24', 'fd01:0:0:2::/64'] });
    await scenario.inventory.write(machines.with(1, mended));
    await untilAllocated(scenario, ['half']);
    assert.deepEqual(podCIDRsOf(scenario.node('half')), ['fd01:0:0:2::/64', '10.1.2.0/24']);
    manager.assertRunning();
    const written = proxy.writes.filter(isAllocation).map(({ path }) => path);
    assert.deepEqual(written, ['/api/v1/nodes/whole', '/api/v1/nodes/half']);
  });
});
