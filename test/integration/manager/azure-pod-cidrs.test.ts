/**
 * Pod CIDRs of nodes on Azure, with routes to them: whatever becomes of writes to nodes and of writes to the
 * table, no block has two nodes (P4), and none is handed out while a route leads to it (I7).
 */
import assert from 'node:assert/strict';
import { request } from '../../control-plane/index.ts';
import {
  ArmError,
  aRoute,
  aTable,
  FakeAzure,
  type Fault,
  withTable,
} from '../../support/arm/index.ts';
import type { CuttingProxy } from '../../support/cutting-proxy/index.ts';
import {
  allocationsOf,
  assertNoneShared,
  losing,
  losses,
  podCIDRsOf,
  untilAllocated,
  watchReuse,
} from '../pod-cidrs/allocation.ts';
import { addNode, routesOf, tableOf, untilRouted, wantedFor } from './azure-routed.ts';
import { openAzureCluster } from './azure-cluster.ts';
import { useInstallation } from './installation.ts';

/** Four blocks of each family. */
const flags = [
  '--allocate-node-cidrs',
  '--cluster-cidr=10.244.0.0/22,fd00:10:244::/62',
  '--route-reconciliation-period=2s',
];
const write = 'routeTables.createOrUpdate';
const error = new ArmError('InternalServerError', 'An error occurred.', { status: 500 });
const inTrouble: Fault = { kind: 'refuse', error };

describe('on Azure, pod CIDRs', function () {
  this.timeout(240_000);
  const { open } = useInstallation();

  it('have one node each, and the next only once no route leads to the last', async () => {
    const watches: { readonly broken: string[]; readonly proxy: CuttingProxy }[] = [];
    await using cluster = await openAzureCluster(open, {
      flags,
      before: ({ arm }) =>
        arm.nextFaults.push(
          { call: 'virtualMachines.list', fault: { kind: 'reset' } },
          { call: 'routeTables.get', fault: inTrouble },
          { call: write, fault: { kind: 'lose' } },
        ),
      through: (proxy, azure) => {
        proxy.interfere(losing('worker-1', losses['broken-before']));
        proxy.interfere(losing('worker-2', losses['broken-after']));
        proxy.interfere(losing('worker-5', losses['timed-out-after']));
        watches.push({ proxy, broken: watchReuse(proxy, () => destinationsOf(azure)) });
      },
    });
    const { scenario, azure, manager } = cluster;
    const { arm } = azure;
    const first = ['worker-1', 'worker-2', 'worker-3', 'worker-4'];
    for (const number of [1, 2, 3, 4]) await addNode(cluster, number);
    await untilAllocated(scenario, first);
    await untilRouted(cluster, first, 120_000);
    assertNoneShared(scenario);
    const freed = ['worker-1', 'worker-2'].flatMap((name) => podCIDRsOf(scenario.node(name)));

    // The table cannot be written: the routes of nodes that are gone stay, and hold their blocks.
    arm.faults.set(write, inTrouble);
    for (const name of ['worker-1', 'worker-2']) await scenario.deleteNode(name);
    for (const number of [5, 6]) await addNode(cluster, number);
    for (const name of ['worker-5', 'worker-6']) {
      await scenario.untilSaid(name, 'CIDRNotAvailable');
      assert.deepEqual(podCIDRsOf(scenario.node(name)), []);
    }
    // Then a write is accepted and fails later, and the answer to the next one is lost.
    arm.nextWrites.push({ kind: 'async', header: 'Azure-AsyncOperation', polls: 1, error });
    arm.faults.delete(write);
    await scenario.until(() => arm.nextWrites.length === 0, 120_000);
    arm.nextFaults.push({ call: write, fault: { kind: 'lose' } });
    const last = ['worker-3', 'worker-4', 'worker-5', 'worker-6'];
    await untilAllocated(scenario, last);
    await untilRouted(cluster, last, 120_000);
    const reused = ['worker-5', 'worker-6'].flatMap((name) => podCIDRsOf(scenario.node(name)));
    assert.deepEqual(reused.toSorted(), freed.toSorted());
    assert.deepEqual(routesOf(cluster), wantedFor(cluster, last));
    assertNoneShared(scenario);
    const [{ broken, proxy } = assert.fail()] = watches;
    for (const name of [...first, ...last]) {
      assert.notDeepEqual(allocationsOf(proxy.writes, name), [], `no block of ${name} was watched`);
    }
    assert.deepEqual([broken, [...arm.nextFaults]], [[], []]);
    manager.assertRunning();
  });

  it('would be caught if one were handed out while a route leads to it', async () => {
    await using scenario = await open();
    await using azure = await FakeAzure.start();
    const proxy = await scenario.proxy();
    const broken = watchReuse(proxy, () => destinationsOf(azure));
    const [routed, free] = ['10.244.0.0/24', '10.244.1.0/24'];
    const routes = [aRoute('gone____102440024', routed, '10.0.0.4')];
    azure.arm.state = withTable(azure.arm.state, aTable('blue', { routes }));
    const give = async (name: string, podCIDR: string): Promise<void> => {
      await scenario.register({ name });
      const body = [
        { op: 'add', path: '/spec/podCIDR', value: podCIDR },
        { op: 'add', path: '/spec/podCIDRs', value: [podCIDR] },
      ];
      const path = `/api/v1/nodes/${name}`;
      const contentType = 'application/json-patch+json';
      const asked = { method: 'PATCH', path, contentType, body } as const;
      const answer = await request({ ...scenario.managerCredentials, ...proxy.address }, asked);
      assert.equal(answer.status, 200, answer.text);
    };
    await give('other', free);
    assert.deepEqual(broken, []);
    await give('heir', routed);
    assert.deepEqual(broken, [`/api/v1/nodes/heir got ${routed} in spite of a route`]);
  });
});

/** Of the routes that managers made. */
function destinationsOf(azure: FakeAzure): string[] {
  if (azure.arm.state.tables.size === 0) return [];
  return tableOf(azure).routes.map(({ destination }) => destination);
}
