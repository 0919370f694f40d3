/**
 * The whole manager on each minor of Kubernetes that is supported, in a control plane of its own: all controllers at
 * work at once, from the first node to a change of leaders, with the shipped program and its shipped rights.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorAnnotation } from '@tandem/core/node-address';
import { testsAtOnce } from '../../control-plane/index.ts';
import { type Minor, minors } from '../../control-plane/binaries/recipe.ts';
import { requireMinors, rootOf } from '../../control-plane/mocha.ts';
import { type Installation, inOwnInstallation } from '../manager/installation.ts';
import { aMachine, internal } from '../manager/inventory.ts';
import { Scenario } from '../manager/scenario.ts';
import { hasTaint, ipsOf, networkConditionOf, takesPodsTooEarly } from '../manager/seen-node.ts';
import { quickDeletion } from '../operate/operated.ts';
import { assertNoneShared } from '../pod-cidrs/allocation.ts';

const flags = [
  '--allocate-node-cidrs',
  '--cluster-cidr=10.244.0.0/16,fd00:10:244::/56',
  ...quickDeletion,
];

const poor = { name: 'poor', addresses: internal('10.1.0.9') };
const staying = ['plain', 'reversed', 'late'].map((name, index) => aMachine(name, index + 1));
const gone = aMachine('gone', 4);

describe('the whole manager', function () {
  this.timeout(180_000);
  const test = testsAtOnce(minors.length);
  let root: Mocha.Suite;

  before(async function () {
    root = rootOf(this);
    await requireMinors(this);
  });

  for (const minor of minors) {
    test(`initialises, allocates, routes, refuses, deletes and hands over on Kubernetes ${minor}`, () =>
      inOwnInstallation(root, (installation) => tell(installation, minor), { minor }));
  }
});

async function tell(installation: Installation, minor: Minor): Promise<void> {
  await using scenario = await Scenario.open(installation);
  const { text } = await scenario.ask({ path: '/version' });
  assert.match(JSON.parse(text).gitVersion, new RegExp(`^v${minor}\\.\\d+$`));
  const routeFile = join(scenario.directory, 'routes.json');
  await scenario.inventory.write([...staying, gone, poor], routeFile);
  const asking = { [operatorAnnotation]: 'IPv6,IPv4' };
  await scenario.register({ name: 'plain' });
  await scenario.register({ name: 'reversed', nodeIP: 'IPv6,IPv4' });
  await scenario.register({ name: 'gone', annotations: asking });
  await scenario.register({ name: 'poor', annotations: asking });
  const leader = await scenario.start({ flags });
  await leader.says(/^Became leader$/);
  const standby = await scenario.start({ flags });
  await standby.says(/standby/);

  await untilServed(scenario, routeFile, ['gone', 'plain', 'reversed']);
  assert.deepEqual(ipsOf(scenario.node('plain')), ['10.1.0.1', 'fd00:1::1']);
  assert.deepEqual(ipsOf(scenario.node('reversed')), ['fd00:1::2', '10.1.0.2']);
  assert.deepEqual(ipsOf(scenario.node('gone')), ['fd00:1::4', '10.1.0.4']);
  const refusal = await scenario.untilSaid('poor', 'NoAddressOfFamily');
  assert.equal(refusal.type, 'Warning');
  assert.ok(hasTaint(scenario.node('poor')), 'a refused node keeps its taint');

  await scenario.inventory.write([...staying, poor], routeFile);
  await scenario.until(() => !scenario.nodes.objects.has('gone'));
  await untilServed(scenario, routeFile, ['plain', 'reversed']);

  assert.deepEqual(await leader.stop(), { code: 0, signal: null }, leader.tail);
  await standby.says(/^Became leader$/);
  await scenario.register({ name: 'late' });
  await untilServed(scenario, routeFile, ['late', 'plain', 'reversed']);
  assertNoneShared(scenario);
  assert.deepEqual(scenario.nodes.history.filter(takesPodsTooEarly), []);
}

/** Waits until these nodes have pod CIDRs of both families, and the routers exactly the routes to them. */
async function untilServed(
  scenario: Scenario,
  routeFile: string,
  names: readonly string[],
): Promise<void> {
  await scenario.untilInitialised(names);
  await scenario.until(async () => {
    const nodes = names.map((name) => scenario.node(name));
    for (const { metadata, spec } of nodes) {
      const families = (spec.podCIDRs ?? []).map((text) => (text.includes(':') ? 'IPv6' : 'IPv4'));
      assert.deepEqual(families, ['IPv4', 'IPv6'], metadata.name);
    }
    const wanted = nodes.flatMap(({ spec, metadata }) =>
      (spec.podCIDRs ?? []).map((destination) => `${destination} ${metadata.name}`),
    );
    const { routes } = JSON.parse(await readFile(routeFile, 'utf8'));
    const present = routes.map(
      ({ destination, node }: Record<string, string>) => `${destination} ${node}`,
    );
    assert.deepEqual(present.toSorted(), wanted.toSorted());
    return nodes.every((node) => networkConditionOf(node) === 'False RouteCreated');
  });
}
