/**
 * Routes to the pods of dual-stack nodes, in the file that the routers of a site read: they come and go with nodes,
 * also with those that come and go while no manager runs, and no node takes pods before its routes are there.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aMachine } from './inventory.ts';
import type { Scenario } from './scenario.ts';
import { ipsOf, networkConditionOf, takesPodsTooEarly } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const names = ['a', 'b', 'c'];
const machines = names.map((name, index) => aMachine(name, index + 1));

/** Four blocks of each family. */
const flags = [
  '--allocate-node-cidrs',
  '--cluster-cidr=10.244.0.0/22,fd00:10:244::/62',
  '--leader-elect=false',
];

describe('routes to pods', function () {
  const { open } = useInstallation();
  this.timeout(240_000);

  it('come and go with dual-stack nodes, whatever happens to the manager', async () => {
    await using scenario = await open();
    const file = join(scenario.directory, 'routes.json');
    await scenario.inventory.write(machines, file);
    for (const name of ['a', 'b']) await scenario.register({ name });
    const manager = await scenario.start({ flags });
    await scenario.until(() => hasRoutesOf(scenario, file, ['a', 'b']));
    for (const name of ['a', 'b']) {
      await scenario.until(() => networkConditionOf(scenario.node(name)) === 'False RouteCreated');
      assert.deepEqual(conditionsOf(scenario, name), ['True NoRouteCreated', 'False RouteCreated']);
    }

    await scenario.deleteNode('b');
    await scenario.until(() => hasRoutesOf(scenario, file, ['a']));

    await manager.kill();
    await scenario.deleteNode('a');
    await scenario.register({ name: 'c' });
    const look = await scenario.start({ flags: [...flags, '--dry-run', '--once'] });
    assert.deepEqual(await look.ended(), { code: 3, signal: null }, look.tail);
    const { routes } = JSON.parse(look.stdout);
    assert.deepEqual([routes.isListed, routes.create.routes, routes.delete.routes], [true, 0, 2]);
    assert.equal((await routesIn(file)).length, 2, 'a dry run changes no route');
    await scenario.start({ flags });
    await scenario.until(() => hasRoutesOf(scenario, file, ['c']));
    await scenario.until(() => networkConditionOf(scenario.node('c')) === 'False RouteCreated');

    assert.deepEqual(scenario.nodes.history.filter(takesPodsTooEarly), []);
  });
});

/** Whether the file has the routes to the pod CIDRs of these nodes, and no others. */
async function hasRoutesOf(
  scenario: Scenario,
  file: string,
  wanted: readonly string[],
): Promise<boolean> {
  const nodes = wanted.map((name) => scenario.node(name));
  if (!nodes.every(({ spec }) => spec.podCIDRs?.length === 2)) return false;
  const expected = nodes.flatMap((node) =>
    (node.spec.podCIDRs ?? []).map((destination) => {
      const isIPv6 = destination.includes(':');
      const nextHop = ipsOf(node).find((address) => address.includes(':') === isIPv6);
      return `${destination} ${node.metadata.name} ${nextHop}`;
    }),
  );
  assert.deepEqual((await routesIn(file)).toSorted(), expected.toSorted());
  return true;
}

async function routesIn(file: string): Promise<string[]> {
  const { routes }: { routes: { destination: string; node: string; nextHop: string }[] } =
    JSON.parse(await readFile(file, 'utf8'));
  return routes.map(({ destination, node, nextHop }) => `${destination} ${node} ${nextHop}`);
}

/** What the condition of the node was, from the first on. */
function conditionsOf(scenario: Scenario, name: string): string[] {
  const seen = scenario.nodes.history
    .filter(({ metadata }) => metadata.name === name)
    .map(networkConditionOf);
  return seen.filter((condition, index) => condition !== '' && condition !== seen[index - 1]);
}
