/**
 * Blocks that go from one node to another, and nodes that come back under their name: no route leads to a node
 * that does not have the block, no block is handed out while a route to its last node stands (I7), and no node
 * is said to have its routes before the tables have them (T5), whether or not a manager runs meanwhile.
 */
import assert from 'node:assert/strict';
import { networkConditionOf } from '../manager/seen-node.ts';
import { useInstallation } from '../manager/installation.ts';
import {
  blocks,
  join,
  keyOf,
  leave,
  routing,
  type RoutedCluster,
  untilRouted,
  watchChanges,
  watchWrites,
} from './routed.ts';
import { isChange, ServedCloud } from './served-cloud.ts';

describe('a block that moves', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('leaves no route to a node that came back under its name, and is not routed to two nodes', async () => {
    await using scenario = await open();
    const tables = ['main', 'zone'];
    await using served = await ServedCloud.start({
      routes: { tables: tables.map((id) => ({ id })), latencyMs: { min: 20, max: 60 } },
    });
    const told: RoutedCluster = { scenario, served };
    const wrong = watchChanges(told);
    const proxy = await scenario.proxy();
    const early = watchWrites(proxy, told, tables);
    const provider = await served.flags(scenario.directory);
    const start = () => scenario.start({ through: proxy, provider, flags: routing });
    for (const at of [0, 1, 2]) await join(told, `node-${at}`, blocks(at));
    const manager = await start();
    await untilRouted(told, { tables });

    // Another machine under the name, with another block, while the manager looks on.
    await leave(told, 'node-0');
    await join(told, 'node-0', blocks(7));
    await untilRouted(told, { tables });

    // While none looks on: one block moves to a new node and its old machine goes, another one's machine stays.
    await manager.kill();
    await leave(told, 'node-1');
    await join(told, 'heir-of-1', blocks(1));
    await scenario.deleteNode('node-2');
    await join(told, 'heir-of-2', blocks(2));
    const stale = served.routes('main').filter((route) => route.startsWith(blocks(2)[0]));
    const from = served.questions.length;
    await start();
    await untilRouted(told, { tables });

    assert.equal(stale.length, 1);
    assert.notEqual(stale[0], `${blocks(2)[0]} -> ${keyOf(scenario.node('heir-of-2'))}`);
    // A stale route is replaced: there is no moment without one, and none with two.
    const changes = served.questions.slice(from).filter(isChange);
    assert.deepEqual([...new Set(changes.map(({ operation }) => operation.kind))], ['replace']);
    assert.deepEqual([wrong, early], [[], []]);
  });

  it('is handed out again only when no table has a route to it any more', async () => {
    await using scenario = await open();
    await using served = await ServedCloud.start();
    const told: RoutedCluster = { scenario, served };
    const wrong = watchChanges(told);
    const proxy = await scenario.proxy();
    const early = watchWrites(proxy, told);
    const provider = await served.flags(scenario.directory);
    // Two blocks of each family.
    const flags = [
      '--controllers=*,-cloud-node-lifecycle-controller',
      '--allocate-node-cidrs',
      '--cluster-cidr=10.244.0.0/23,fd00:10:244::/63',
      '--route-reconciliation-period=2s',
    ];
    await scenario.start({ through: proxy, provider, flags });
    for (const name of ['first', 'second']) await join(told, name, []);
    await untilRouted(told);
    const freed = scenario.node('first').spec.podCIDRs;

    const release = served.interfere({
      on: (question) => isChange(question) && question.operation.kind === 'delete',
      when: 'before',
      act: () => 'hang',
    });
    await leave(told, 'first');
    await join(told, 'third', []);
    const { note } = await scenario.untilSaid('third', 'CIDRNotAvailable');
    assert.match(note, /in doubt|route/);
    assert.deepEqual(scenario.node('third').spec.podCIDRs ?? [], []);
    await scenario.until(
      () => networkConditionOf(scenario.node('third')) === 'True NoRouteCreated',
    );
    assert.deepEqual(scenario.node('third').spec.podCIDRs ?? [], []);

    release();
    await scenario.until(() => scenario.node('third').spec.podCIDRs?.length === 2);
    await untilRouted(told);
    assert.deepEqual(scenario.node('third').spec.podCIDRs, freed);
    assert.deepEqual([wrong, early], [[], []]);
  });
});
