/**
 * Pools that are too small: a node that comes too late gets a Warning, holds nothing of the family that has blocks,
 * and is served as soon as another Node is deleted. The manager goes on all the while.
 */
import assert from 'node:assert/strict';
import { describedEvents } from '../../support/kubectl.ts';
import type { Scenario } from '../manager/scenario.ts';
import { useInstallation } from '../manager/installation.ts';
import {
  allocating,
  assertNoneShared,
  numbered,
  podCIDRsOf,
  registerAll,
  untilAllocated,
} from './allocation.ts';

/** A second or two, and what a busy machine adds to it. */
const servedMs = 5_000;

describe('a pool that is too small', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  it('serves two of five nodes when it has two blocks to spare, and the others as Nodes go', async () => {
    await using scenario = await open();
    const flags = allocating('10.244.0.0/21,fd00:10:244::/61');
    const manager = await scenario.start({ flags });
    const old = numbered('old', 6);
    await registerAll(scenario, old);
    await untilAllocated(scenario, old);
    const late = numbered('late', 5);
    await registerAll(scenario, late);
    await untilWaiting(scenario, late, 3);
    for (const name of old.slice(0, 3)) {
      const before = unserved(scenario, late).length;
      await scenario.deleteNode(name);
      await scenario.until(() => unserved(scenario, late).length === before - 1, servedMs);
      assertNoneShared(scenario);
    }
    manager.assertRunning();
  });

  it('in its second family leaks nothing of the first, however often nodes try', async () => {
    await using scenario = await open();
    // Of three IPv4 blocks one is never used: what a waiting node kept of them would be missed.
    const services = '--service-cluster-ip-range=10.244.0.0/24';
    const flags = allocating('10.244.0.0/22,fd00:10:244::/63', services);
    const manager = await scenario.start({ flags });
    const names = numbered('node', 8);
    await registerAll(scenario, names);
    await untilWaiting(scenario, names, 6);
    const there = new Set(names);
    while (there.size > 2) {
      const waiting = unserved(scenario, [...there]);
      for (const name of waiting) {
        assert.deepEqual(
          scenario
            .eventsOf(name)
            .map(({ note }) => note.includes('no free /64 in fd00:10:244::/63')),
          [true],
          'one event, about the family that is exhausted',
        );
      }
      const served = [...there].find((name) => !waiting.includes(name)) ?? '';
      there.delete(served);
      await scenario.deleteNode(served);
      await scenario.until(
        () => unserved(scenario, [...there]).length === waiting.length - 1,
        servedMs,
      );
      assertNoneShared(scenario);
    }
    manager.assertRunning();
  });
});

describe('a node that waits for pod CIDRs', function () {
  this.timeout(120_000);
  const { open } = useInstallation();

  it('shows in kubectl describe which pool has no block of which size', async () => {
    await using scenario = await open();
    await scenario.start({ flags: allocating('10.244.0.0/24,fd00:10:244::/56') });
    await scenario.register({ name: 'served' });
    await untilAllocated(scenario, ['served']);
    await scenario.register({ name: 'waiting' });
    await untilWaiting(scenario, ['served', 'waiting'], 1);
    const described = await describedEvents(scenario.controlPlane, 'waiting');
    assert.equal(described.length, 1, described.join('\n'));
    assert.match(
      described[0] ?? '',
      /^ +Warning +CIDRNotAvailable .* node-ipam-controller +Pool cluster-cidr \(10\.244\.0\.0\/24, fd00:10:244::\/56\) has no free \/24 in 10\.244\.0\.0\/24, and a node gets all of its families or none\. /,
    );
  });
});

function unserved(scenario: Scenario, names: readonly string[]): string[] {
  return names.filter((name) => podCIDRsOf(scenario.node(name)).length === 0);
}

/** Waits until so many of these have the Warning, and the others their podCIDRs. */
async function untilWaiting(
  scenario: Scenario,
  names: readonly string[],
  count: number,
): Promise<void> {
  await scenario.until(() => {
    const waiting = unserved(scenario, names);
    const told = waiting.filter((name) =>
      scenario.eventsOf(name).some(({ reason }) => reason === 'CIDRNotAvailable'),
    );
    assert.deepEqual([waiting.length, told.length], [count, count]);
    return true;
  });
}
