/** Routes to the pods of dual-stack nodes on Azure: one table that others write too, and writes that fail. */
import assert from 'node:assert/strict';
import { aRoute, ArmError, withTable } from '../../support/arm/index.ts';
import { addNode, routesOf, tableOf, untilRouted, wantedFor } from './azure-routed.ts';
import { openAzureCluster } from './azure-cluster.ts';
import { takesPodsTooEarly } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const flags = ['--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/20,fd00:10:244::/60'];
const firewall = aRoute('firewall', '0.0.0.0/0', '10.0.0.254');
const tags = { owner: 'network team' };

describe('on Azure, routes to pods', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('come in both families and go with their node, whatever becomes of a write, cost others nothing and come together', async () => {
    const call = 'routeTables.createOrUpdate';
    const error = new ArmError('InternalServerError', 'An error occurred.', { status: 500 });
    const refusal = { call, fault: { kind: 'refuse', error } } as const;
    await using cluster = await openAzureCluster(open, {
      flags,
      // The table is missing, and cannot be created at first.
      before: ({ arm }) => arm.nextFaults.push(refusal),
    });
    const { scenario, azure } = cluster;
    const { arm } = azure;
    for (const number of [1, 10]) await addNode(cluster, number);
    await untilRouted(cluster, ['worker-1', 'worker-10'], 120_000);
    assert.equal(tableOf(azure).location, 'westeurope');
    assert.deepEqual(routesOf(cluster), wantedFor(cluster, ['worker-1', 'worker-10']));

    // Others change the table just before a write, and the next write is accepted and fails later.
    arm.beforeWrites.push(() => {
      const { routes, ...table } = tableOf(azure);
      arm.state = withTable(arm.state, { ...table, tags, routes: [firewall, ...routes] });
    });
    arm.nextWrites.push({ kind: 'async', header: 'Azure-AsyncOperation', polls: 1, error });
    await addNode(cluster, 2);
    await untilRouted(cluster, ['worker-2'], 120_000);
    assert.deepEqual(routesOf(cluster), wantedFor(cluster, ['worker-1', 'worker-10', 'worker-2']));

    // The answer to the write is lost.
    arm.nextFaults.push({ call, fault: { kind: 'lose' } });
    await scenario.deleteNode('worker-1');
    await scenario.until(() => tableOf(azure).routes.length === 5);
    assert.deepEqual(routesOf(cluster), wantedFor(cluster, ['worker-10', 'worker-2']));
    assert.deepEqual(tableOf(azure).routes[0], firewall);
    assert.deepEqual(tableOf(azure).tags, tags);
    assert.deepEqual([...arm.nextFaults, ...arm.nextWrites, ...arm.beforeWrites], []);

    // Nodes that register together share a write, between a list for the plan and one for what came of it.
    arm.forgetCalls();
    const together: string[] = [];
    for (const number of [20, 21, 22, 23, 24, 25, 26, 27])
      together.push(await addNode(cluster, number));
    await untilRouted(cluster, together);
    assert.deepEqual(routesOf(cluster), wantedFor(cluster, ['worker-10', 'worker-2', ...together]));
    assert.equal(arm.calls.filter((each) => each === call).length, 1);
    assert(arm.calls.filter((each) => each === 'routeTables.get').length <= 3);
    assert.deepEqual(scenario.nodes.history.filter(takesPodsTooEarly), []);
  });
});
