/**
 * A cluster without any IPv4: machines, pods and Services have IPv6 alone. All controllers run, as they do in
 * a cluster, and a service range inside the cluster CIDR is left out.
 */
import assert from 'node:assert/strict';
import { aMachine, internal } from '../manager/inventory.ts';
import { ipsOf } from '../manager/seen-node.ts';
import { useInstallation } from '../manager/installation.ts';
import { numbered, podCIDRsOf, untilAllocated } from './allocation.ts';

describe('an IPv6-only cluster', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  it('gets its nodes initialised, with one IPv6 pod CIDR each', async () => {
    const names = numbered('six', 3);
    const addressOf = (index: number): string => `fd00:1::${index + 1}`;
    const machines = names.map((name, index) =>
      aMachine(name, index + 1, { addresses: internal(addressOf(index)) }),
    );
    await using scenario = await open({ machines });
    const manager = await scenario.start({
      flags: [
        '--allocate-node-cidrs',
        '--cluster-cidr=fd00:10:244::/62',
        '--service-cluster-ip-range=fd00:10:244::/112',
        '--node-cidr-mask-size=64',
      ],
    });
    for (const name of names) {
      await scenario.register({ name });
      await untilAllocated(scenario, [name]);
    }
    await scenario.untilInitialised(names);
    for (const [index, name] of names.entries()) {
      const { spec } = scenario.node(name);
      assert.deepEqual(ipsOf(scenario.node(name)), [addressOf(index)]);
      assert.deepEqual(podCIDRsOf(scenario.node(name)), [`fd00:10:244:${index + 1}::/64`]);
      assert.equal(spec.podCIDR, `fd00:10:244:${index + 1}::/64`);
    }
    await scenario.register({ name: 'one-too-many' });
    const { note } = await scenario.untilSaid('one-too-many', 'CIDRNotAvailable');
    assert.match(note, /has no free \/64 in fd00:10:244::\/62/);
    manager.assertRunning();
  });
});
