/**
 * Nodes with podCIDRs that the allocator would not give them: blocks of another size, blocks in a service range,
 * and spellings that only older API servers accept. What is wrong is reported, the manager goes on, and no
 * other node gets an address of theirs.
 */
import assert from 'node:assert/strict';
import { rootOf } from '../../control-plane/mocha.ts';
import { Scenario } from '../manager/scenario.ts';
import { inOwnInstallation, useInstallation } from '../manager/installation.ts';
import {
  allocating,
  numbered,
  podCIDRsOf,
  registerAll,
  registerWith,
  untilAllocated,
} from './allocation.ts';

function reasonsOf(scenario: Scenario, name: string): string[] {
  return scenario.eventsOf(name).map(({ reason }) => reason);
}

describe('odd podCIDRs', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  it('of other sizes and spellings keep their addresses from others', async () => {
    await using scenario = await open();
    await registerWith(scenario, 'a-upper-case', ['10.244.0.0/24', 'FD00:10:244:0:0::/64']);
    await registerWith(scenario, 'b-smaller', ['10.244.1.64/26', 'fd00:10:244:1:8000::/65']);
    await registerWith(scenario, 'c-larger', ['10.244.2.0/23', 'fd00:10:244:2::/63']);
    await registerWith(scenario, 'd-services', ['10.96.3.0/24', 'fd00:10:244:4::/64']);
    const services = '--service-cluster-ip-range=10.96.0.0/16';
    const flags = allocating('10.244.0.0/21,fd00:10:244::/56', services);
    const manager = await scenario.start({ flags });
    const names = numbered('new', 4);
    await registerAll(scenario, names);
    await untilAllocated(scenario, names);
    assert.deepEqual(names.map((name) => podCIDRsOf(scenario.node(name)).join(' ')).toSorted(), [
      '10.244.4.0/24 fd00:10:244:5::/64',
      '10.244.5.0/24 fd00:10:244:6::/64',
      '10.244.6.0/24 fd00:10:244:7::/64',
      '10.244.7.0/24 fd00:10:244:8::/64',
    ]);
    const { note } = await scenario.untilSaid('d-services', 'PodCIDROutsidePools');
    assert.match(
      note,
      /^podCIDR "10\.96\.3\.0\/24" overlaps the service range 10\.96\.0\.0\/16\. /,
    );
    await scenario.register({ name: 'one-too-many' });
    await scenario.untilSaid('one-too-many', 'CIDRNotAvailable');
    for (const name of ['a-upper-case', 'b-smaller', 'c-larger']) {
      assert.deepEqual(reasonsOf(scenario, name), []);
    }
    manager.assertRunning();
  });

  it('that are larger than a pool are reported, and the pool is free when their Node goes', async () => {
    await using scenario = await open();
    await registerWith(scenario, 'giant', ['10.0.0.0/8', 'fd00:10:244:9::/64']);
    const manager = await scenario.start({ flags: allocating('10.244.0.0/16,fd00:10:244::/56') });
    const { note } = await scenario.untilSaid('giant', 'PodCIDROutsidePools');
    assert.match(note, /^podCIDR "10\.0\.0\.0\/8" covers the whole range /);
    await scenario.register({ name: 'waiting' });
    await scenario.untilSaid('waiting', 'CIDRNotAvailable');
    await scenario.deleteNode('giant');
    await untilAllocated(scenario, ['waiting']);
    manager.assertRunning();
  });
});

describe('podCIDRs that API servers before 1.36 accept', function () {
  this.timeout(120_000);
  // Asked for only to be skipped where there are no programs to run.
  useInstallation();

  it('keep their addresses from others, however they are written', async function () {
    const lenient = ['--feature-gates=StrictIPCIDRValidation=false'];
    await inOwnInstallation(
      rootOf(this),
      async (installation) => {
        await using scenario = await Scenario.open(installation);
        await registerWith(scenario, 'a-host-bits', ['10.244.0.77/24', 'fd00:10:244::7/64']);
        await registerWith(scenario, 'b-zeros', ['010.244.001.0/24', 'fd00:10:244:1::/64']);
        await registerWith(scenario, 'c-mapped', ['::ffff:10.244.2.0/120']);
        const manager = await scenario.start({
          flags: allocating('10.244.0.0/22,fd00:10:244::/56'),
        });
        await scenario.register({ name: 'new' });
        await untilAllocated(scenario, ['new']);
        assert.deepEqual(podCIDRsOf(scenario.node('new')), ['10.244.3.0/24', 'fd00:10:244:2::/64']);
        await scenario.untilSaid('c-mapped', 'PodCIDRFamilyMissing');
        await scenario.register({ name: 'one-too-many' });
        await scenario.untilSaid('one-too-many', 'CIDRNotAvailable');
        for (const name of ['a-host-bits', 'b-zeros'])
          assert.deepEqual(reasonsOf(scenario, name), []);
        manager.assertRunning();
      },
      { extraArgs: lenient },
    );
  });
});
