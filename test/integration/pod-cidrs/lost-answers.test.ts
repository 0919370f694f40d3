/**
 * Writes whose outcome the manager does not get to know (P4, I5): the answer is lost, late or an error, and the
 * server has stored the podCIDRs or has not.
 */
import assert from 'node:assert/strict';
import type { ManagerProcess } from '../manager/manager-process.ts';
import { useInstallation } from '../manager/installation.ts';
import {
  allocating,
  allocationsOf,
  assertNoneShared,
  isAllocation,
  losing,
  losses,
  numbered,
  podCIDRsOf,
  registerAll,
  untilAllocated,
} from './allocation.ts';

/** 32 blocks: for 24 nodes whose answers are lost, and eight to spare, one of which a second choice would take. */
const flags = allocating('10.244.0.0/19,fd00:10:244::/59');
const spare = 8;

describe('a write of pod CIDRs whose answer is lost', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('is repeated with the same value, and costs no second block', async () => {
    await using scenario = await open();
    const proxy = await scenario.proxy();
    const names = Object.entries(losses).flatMap(([prefix, loss]) => {
      const nodes = numbered(prefix, 4);
      for (const name of nodes) proxy.interfere(losing(name, loss));
      return nodes;
    });
    await registerAll(scenario, names);
    const manager = await scenario.start({ through: proxy, flags });
    await untilAllocated(scenario, names);
    assertNoneShared(scenario);
    for (const name of names) {
      const values = new Set(allocationsOf(proxy.writes, name).map((value) => value.join()));
      assert.deepEqual([...values], [podCIDRsOf(scenario.node(name)).join()]);
      assert.deepEqual(scenario.eventsOf(name), [], 'none of them ever waited for a block');
    }
    const others = numbered('undisturbed', spare);
    await registerAll(scenario, others);
    await untilAllocated(scenario, others);
    assertNoneShared(scenario);
    await scenario.register({ name: 'one-too-many' });
    await scenario.untilSaid('one-too-many', 'CIDRNotAvailable');
    manager.assertRunning();
  });

  it('keeps a manager that is asked to end from giving its Lease back', async () => {
    await using scenario = await open();
    const proxy = await scenario.proxy();
    proxy.interfere({ on: isAllocation, when: 'before', act: () => 'drop' });
    const manager = await scenario.start({ through: proxy, flags });
    await scenario.register({ name: 'in-doubt' });
    await manager.says(/^Work failed, retrying$/, { key: 'in-doubt' });
    const holder = await scenario.leaseHolder();
    assert.notEqual(holder, '');
    assert.deepEqual(await manager.stop(), { code: 0, signal: null }, manager.tail);
    assert.equal(await scenario.leaseHolder(), holder);
    assert.deepEqual(podCIDRsOf(scenario.node('in-doubt')), []);
  });

  it('keeps it from that, too, when the next try is no longer sent', async () => {
    await using scenario = await open();
    const proxy = await scenario.proxy();
    const starting = Promise.withResolvers<ManagerProcess>();
    proxy.interfere({
      on: isAllocation,
      when: 'before',
      async act(): Promise<'drop'> {
        const manager = await starting.promise;
        manager.signal('SIGTERM');
        await manager.says(/^Stopping: /);
        return 'drop';
      },
    });
    const manager = await scenario.start({ through: proxy, flags });
    starting.resolve(manager);
    await scenario.register({ name: 'in-doubt' });
    assert.deepEqual(await manager.ended(), { code: 0, signal: null }, manager.tail);
    assert.notEqual(await scenario.leaseHolder(), '', manager.tail);
    assert.equal(proxy.writes.filter(isAllocation).length, 1);
  });
});
