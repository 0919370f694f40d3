/**
 * A dry run before allocation is switched on, as the move from another allocator wants it: beside the manager
 * that runs, without a write, and with a log line for each node that would get pod CIDRs.
 */
import assert from 'node:assert/strict';
import { aMachine } from '../manager/inventory.ts';
import { hasTaint } from '../manager/seen-node.ts';
import { useInstallation } from '../manager/installation.ts';
import { podCIDRsOf, registerWith } from './allocation.ts';

describe('one look of a dry run with allocation', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  it('tells beside a manager which nodes would get what, exits 3, and writes nothing', async () => {
    const names = ['first', 'second', 'served'];
    await using scenario = await open({
      machines: names.map((name, index) => aMachine(name, index + 1)),
    });
    for (const name of ['first', 'second']) await scenario.register({ name });
    const served = ['10.244.0.0/24', 'fd00:10:244::/64'];
    await registerWith(scenario, 'served', served);
    const manager = await scenario.start();
    await scenario.untilInitialised(names);
    const holder = await scenario.leaseHolder();

    const proxy = await scenario.proxy();
    const looking = await scenario.start({
      through: proxy,
      flags: [
        '--allocate-node-cidrs',
        '--cluster-cidr=10.244.0.0/16,fd00:10:244::/56',
        '--dry-run',
        '--once',
      ],
    });
    assert.deepEqual(await looking.ended(), { code: 3, signal: null }, looking.tail);
    const { result, nodes, actions } = JSON.parse(looking.stdout);
    assert.deepEqual([result, nodes], ['wouldChange', 3]);
    assert.deepEqual(actions, { assignPodCIDRs: { nodes: 2, names: ['first', 'second'] } });
    const would = looking.log.filter(({ msg }) => msg === 'Would write to node');
    assert.deepEqual(
      would.map(({ node, podCIDRs }) => `${String(node)}: ${String(podCIDRs)}`).toSorted(),
      ['first: 10.244.1.0/24,fd00:10:244:1::/64', 'second: 10.244.2.0/24,fd00:10:244:2::/64'],
    );

    assert.deepEqual(proxy.writes, []);
    assert.equal(await scenario.leaseHolder(), holder);
    assert.deepEqual(
      names.map((name) => podCIDRsOf(scenario.node(name))),
      [[], [], served],
    );
    assert.ok(names.every((name) => !hasTaint(scenario.node(name))));
    manager.assertRunning();
  });
});
