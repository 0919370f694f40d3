/**
 * A fleet gets its pod CIDRs as the flags say: one family or two, in either order. Half of the nodes are
 * there when the manager starts, half come while it works.
 */
import assert from 'node:assert/strict';
import { useInstallation } from '../manager/installation.ts';
import {
  allocating,
  allocationsOf,
  assertNoneShared,
  isAllocation,
  numbered,
  podCIDRsOf,
  registerAll,
  untilAllocated,
} from './allocation.ts';

const cases = [
  {
    title: 'both families, IPv4 first',
    clusterCIDR: '10.244.0.0/16,fd00:10:244::/56',
    shapes: [/^10\.244\.\d+\.0\/24$/, /^fd00:10:244:\w*:*\/64$/],
  },
  {
    title: 'both families, IPv6 first',
    clusterCIDR: 'fd00:10:244::/56,10.244.0.0/16',
    shapes: [/^fd00:10:244:\w*:*\/64$/, /^10\.244\.\d+\.0\/24$/],
  },
  {
    title: 'IPv4 alone',
    clusterCIDR: '10.0.0.0/8',
    shapes: [/^10\.\d+\.\d+\.0\/24$/],
  },
  {
    title: 'IPv6 alone, from a range with more blocks than 16 bits count',
    clusterCIDR: 'fd00:10::/32',
    shapes: [/^fd00:10:[\w:]*\/64$/],
  },
];

describe('200 nodes', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  for (const { title, clusterCIDR, shapes } of cases) {
    it(`get ${title}, with one write each`, async () => {
      await using scenario = await open();
      const early = numbered('early', 100);
      const late = numbered('late', 100);
      await registerAll(scenario, early);
      const proxy = await scenario.proxy();
      const manager = await scenario.start({ through: proxy, flags: allocating(clusterCIDR) });
      await registerAll(scenario, late);
      const names = [...early, ...late];
      await untilAllocated(scenario, names);
      assert.deepEqual(await manager.stop(), { code: 0, signal: null }, manager.tail);

      for (const name of names) {
        const { podCIDR } = scenario.node(name).spec;
        const podCIDRs = podCIDRsOf(scenario.node(name));
        assert.equal(podCIDRs.length, shapes.length, `${name} has ${podCIDRs.join()}`);
        for (const [index, shape] of shapes.entries()) assert.match(podCIDRs[index] ?? '', shape);
        assert.equal(podCIDR, podCIDRs[0]);
        assert.deepEqual(allocationsOf(proxy.writes, name), [podCIDRs]);
      }
      assertNoneShared(scenario);
      assert.equal(proxy.writes.filter(isAllocation).length, names.length);
    });
  }
});
