/**
 * P4 and P7 over HTTPS: a chain of managers, killed at every kind of call, before it has its effect and after, while
 * new nodes register. No block goes to two nodes, and the last manager, which is not killed, serves all nodes.
 */
import assert from 'node:assert/strict';
import { KillPoints, type ManagerRun } from '../manager/kill-points.ts';
import { useInstallation } from '../manager/installation.ts';
import {
  allocating,
  assertNoneShared,
  numbered,
  podCIDRsOf,
  registerAll,
  untilAllocated,
} from './allocation.ts';

/** Before each manager that is killed. Every manager finds nodes to write to. */
const newNodes = 6;

const nodesMax = 200;

/** Beside what the recording finds: without these calls it would be no recording of this story. */
const known = [
  'at a WATCH /api/v1/nodes',
  'before the first PATCH /api/v1/nodes/NAME /spec/podCIDRs',
  'after a later PATCH /api/v1/nodes/NAME /spec/podCIDRs',
];

describe('an allocating manager that is killed', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('at any call leaves no block to two nodes, and the next one goes on', async () => {
    await using scenario = await open();
    const proxy = await scenario.proxy();
    const names: string[] = [];
    const register = async (count: number): Promise<void> => {
      const coming = numbered(`killed-${names.length}`, count);
      names.push(...coming);
      await registerAll(scenario, coming);
    };
    const flags = allocating('10.244.0.0/16,fd00:10:244::/56');
    const life: ManagerRun = {
      start: () => scenario.start({ through: proxy, flags }),
      isDone: () =>
        names.every((name) => {
          const node = scenario.nodes.objects.get(name);
          return node !== undefined && podCIDRsOf(node).length === 2;
        }),
    };
    const kills = new KillPoints(scenario);
    kills.watch(proxy);
    // Without a Lease, and with one that was released.
    for (let round = 0; round < 2; round++) {
      await register(newNodes);
      await kills.record(life);
    }
    assert.deepEqual(
      known.filter((point) => !kills.points.includes(point)),
      [],
    );
    while (kills.left.length > 0) {
      await register(newNodes);
      await kills.kill(life);
      assertNoneShared(scenario);
    }
    await register(nodesMax - names.length);
    await life.start();
    await untilAllocated(scenario, names);
    assertNoneShared(scenario);
  });
});
