/** Routes to the pods of dual-stack nodes on Azure: one table that others write too, and writes that fail. */
import assert from 'node:assert/strict';
import { aRoute, ArmError, withTable } from '../../support/arm/index.ts';
import { addNode, routesOf, tableOf, untilRouted, wantedFor } from './azure-routed.ts';
import { openAzureScene } from './azure-scene.ts';
import { takesPodsTooEarly } from './seen-node.ts';
import { useWorld } from './world.ts';

const flags = ['--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/20,fd00:10:244::/60'];
const firewall = aRoute('firewall', '0.0.0.0/0', '10.0.0.254');
const tags = { owner: 'network team' };

describe('on Azure, routes to pods', function () {
  const { open } = useWorld();
  this.timeout(180_000);

  it('come in both families and go with their node, whatever becomes of a write, cost others nothing and come together', async () => {
    const call = 'routeTables.createOrUpdate';
    const error = new ArmError('InternalServerError', 'An error occurred.', { status: 500 });
    const refusal = { call, fault: { kind: 'refuse', error } } as const;
    await using world = await openAzureScene(open, {
      flags,
      // The table is missing, and cannot be created at first.
      before: ({ arm }) => arm.nextFaults.push(refusal),
    });
    const { scene, azure } = world;
    const { arm } = azure;
    for (const number of [1, 10]) await addNode(world, number);
    await untilRouted(world, ['worker-1', 'worker-10'], 120_000);
    assert.equal(tableOf(azure).location, 'westeurope');
    assert.deepEqual(routesOf(world), wantedFor(world, ['worker-1', 'worker-10']));

    // Others change the table just before a write, and the next write is accepted and fails later.
    arm.beforeWrites.push(() => {
      const { routes, ...table } = tableOf(azure);
      arm.state = withTable(arm.state, { ...table, tags, routes: [firewall, ...routes] });
    });
    arm.nextWrites.push({ kind: 'async', header: 'Azure-AsyncOperation', polls: 1, error });
    await addNode(world, 2);
    await untilRouted(world, ['worker-2'], 120_000);
    assert.deepEqual(routesOf(world), wantedFor(world, ['worker-1', 'worker-10', 'worker-2']));

    // The answer to the write is lost.
    arm.nextFaults.push({ call, fault: { kind: 'lose' } });
    await scene.deleteNode('worker-1');
    await scene.until(() => tableOf(azure).routes.length === 5);
    assert.deepEqual(routesOf(world), wantedFor(world, ['worker-10', 'worker-2']));
    assert.deepEqual(tableOf(azure).routes[0], firewall);
    assert.deepEqual(tableOf(azure).tags, tags);
    assert.deepEqual([...arm.nextFaults, ...arm.nextWrites, ...arm.beforeWrites], []);

    // Nodes that register together share a write, between a list for the plan and one for what came of it.
    arm.forgetCalls();
    const together: string[] = [];
    for (const number of [20, 21, 22, 23, 24, 25, 26, 27])
      together.push(await addNode(world, number));
    await untilRouted(world, together);
    assert.deepEqual(routesOf(world), wantedFor(world, ['worker-10', 'worker-2', ...together]));
    assert.equal(arm.calls.filter((each) => each === call).length, 1);
    assert(arm.calls.filter((each) => each === 'routeTables.get').length <= 3);
    assert.deepEqual(scene.nodes.history.filter(takesPodsTooEarly), []);
  });
});
