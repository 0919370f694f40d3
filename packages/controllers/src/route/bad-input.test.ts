/** Tests wrong input from clouds and nodes: the controller reports it and loses no route. */
import assert from 'node:assert/strict';
import type { RouteTable } from '@tandem/provider/plug';
import { readPodCIDR } from '@tandem/core/allocation';
import { CcmError } from '@tandem/runtime';
import { noFaults, noRouteFaults } from '../../../../test/support/simulated-cloud.ts';
import { blocksOf, RouteWorld } from './route-world.fixture.ts';

const second = 1_000;
const minute = 60_000;

/** These ranges include one that a later configuration leaves out. */
const wide = ['192.0.2.0/24', 'fd00:10:244::/48'].flatMap((text) => readPodCIDR(text).cidr ?? []);

/** Sets up a world in which the nodes a and b have their routes and no manager runs. */
async function routed(): Promise<RouteWorld> {
  const world = new RouteWorld();
  const first = world.start();
  for (const name of ['a', 'b']) world.addNode(name);
  await world.clock.advance(second);
  await first.stop();
  assert.equal(world.routes().length, 4);
  return world;
}

function listedAs(world: RouteWorld, change: (table: RouteTable) => RouteTable): RouteTable[] {
  const routes = world.cloud.routes?.routesOf('main') ?? [];
  return [change({ id: 'main', routes })];
}

/** The condition that the cloud-node-controller sets on a node before it removes the taint. */
const marked = [{ type: 'NetworkUnavailable', status: 'True', reason: 'NoRouteCreated' }];

const problems = (log: readonly Record<string, unknown>[]): string[] =>
  log.flatMap(({ msg, reason }) => (msg === 'Problem with a route table' ? [String(reason)] : []));

describe('a route of ours whose destination cannot be parsed', () => {
  it('makes the whole list unknown: no route changes, and the log names the route', async () => {
    const world = await routed();
    const before = world.routes();
    const tables = listedAs(world, (table) => ({
      ...table,
      routes: table.routes.map((route, index) =>
        index === 0 ? { ...route, destination: 'all of it' } : route,
      ),
    }));
    const manager = world.start({ tables });
    world.removeNode('b');
    await world.clock.advance(5 * minute);
    assert.deepEqual(
      world.routes().map((route) => route.split(' ')[0]),
      before.map((route) => route.split(' ')[0]),
    );
    assert.equal(world.condition('a'), 'False RouteCreated');
    const [failure] = manager.log.filter(({ msg }) => msg === 'Could not list routes, retrying');
    assert.match(JSON.stringify(failure), /all of it.*r-1.*main.*has no prefix length/);
    assert.equal(
      await manager.metric(
        'route_controller_route_sync_total{outcome="changed",trigger="node_change"}',
      ),
      0,
    );
    await manager.stop();
  });
});

describe('a foreign route whose destination is not a CIDR', () => {
  it('stays and is logged, and does not prevent other changes', async () => {
    const world = await routed();
    world.cloud.routes?.addForeign('main', 'pl-1a2b3c4d');
    const manager = world.start();
    world.removeNode('b');
    world.cloud.terminate('b');
    await world.clock.advance(5 * second);
    assert.deepEqual(world.routes(), ['10.244.0.0/24 -> a', 'fd00:10:244::/64 -> a']);
    assert.match(problems(manager.log).join(), /destinations that are not CIDRs.*pl-1a2b3c4d/);
    assert.equal(world.cloud.routes?.routesOf('main').filter(({ ours }) => !ours).length, 1);
    await manager.stop();
  });
});

describe('two routes to one destination', () => {
  it('are logged, and the foreign one stays', async () => {
    const world = await routed();
    world.cloud.routes?.addForeign('main', '10.244.0.0/24');
    const manager = world.start();
    await world.clock.advance(5 * minute);
    assert.match(problems(manager.log).join(), /several routes to 10\.244\.0\.0\/24/);
    assert.equal(world.routes().length, 4);
    assert.equal(world.cloud.routes?.routesOf('main').length, 5);
    assert.equal(world.condition('a'), 'False RouteCreated');
    await manager.stop();
  });
});

describe('a destination that two nodes want', () => {
  it('keeps its route, and both nodes get an event', async () => {
    const world = await routed();
    const manager = world.start();
    world.addNode('c', { podCIDRs: blocksOf(0) });
    await world.clock.advance(5 * minute);
    assert.deepEqual(
      world.routes().filter((route) => route.endsWith('-> a')),
      ['10.244.0.0/24 -> a', 'fd00:10:244::/64 -> a'],
    );
    for (const name of ['a', 'c']) {
      assert.match(
        world.events().join('\n'),
        new RegExp(`^${name}: .*several Nodes have these`, 'm'),
      );
    }
    assert.equal(world.condition('a'), 'False RouteCreated');
    assert.notEqual(world.condition('c'), 'False RouteCreated');
    await manager.stop();
  });
});

describe('a Node whose instance was terminated', () => {
  it('is looked up when the cloud refuses its routes, and its routes are not changed again', async () => {
    const world = await routed();
    const manager = world.start();
    await world.clock.advance(second);
    const refusals = (): Promise<number> =>
      manager.metric(
        'tandem_cloud_route_operations_total{provider="simulated",operation="replace",result="refused"}',
      );
    world.cloud.terminate('b');
    await world.clock.advance(5 * minute);
    // The cloud refused one replacement for each family.
    assert.equal(await refusals(), 2);
    assert.match(
      world.events().join(),
      /b: Cannot manage routes to .*: the cloud has no instance for the node\./,
    );
    assert.equal(world.routes().length, 4);
    await world.clock.advance(60 * minute);
    assert.equal(await refusals(), 2);
    await manager.stop();
  });
});

describe('a Node whose instance cannot be looked up', () => {
  it('keeps its routes, and its event says that the look-up failed', async () => {
    const world = await routed();
    const before = world.routes();
    world.cloud.set({ faults: { ...noFaults, failure: 1 } });
    const manager = world.start();
    await world.clock.advance(5 * minute);
    assert.deepEqual(world.routes(), before);
    assert.match(world.events().join(), /a: Cannot manage routes to .* yet: .*looked up \(.+\)/);
    world.cloud.set({ faults: noFaults });
    await world.clock.advance(5 * minute);
    assert.equal(world.condition('a'), 'False RouteCreated');
    assert.equal(
      manager.log.filter(({ msg }) => msg === 'Node has all of its routes again').length,
      2,
    );
    await manager.stop();
  });
});

describe('a Node that claims the instance of another Node', () => {
  const twinCIDRs = blocksOf(9);

  /**
   * Sets up a world in which the holder has its routes. The twin registers later, with addresses that its own kubelet
   * set.
   */
  async function withTwin(taints: readonly object[]): Promise<RouteWorld> {
    const world = await routed();
    const { providerID } = JSON.parse(
      JSON.stringify(world.model.store.collection('nodes').get('a')),
    ).spec;
    await world.clock.advance(minute);
    const addresses = [
      { type: 'InternalIP', address: '10.9.9.9' },
      { type: 'InternalIP', address: 'fd00:9::9' },
    ];
    world.putNode('twin', { providerID, addresses, podCIDRs: twinCIDRs });
    world.change('twin', (node) => Object.assign(node, { spec: { ...specOf(node), taints } }));
    return world;
  }

  const uninitialized = {
    key: 'node.cloudprovider.kubernetes.io/uninitialized',
    effect: 'NoSchedule',
  };
  for (const [state, taints] of [
    ['not initialised', [uninitialized]],
    ['initialised as well', []],
  ] as const) {
    it(`gets no route and no condition, ${state} (P2)`, async () => {
      const world = await withTwin(taints);
      const before = world.routes();
      const manager = world.start();
      await world.clock.advance(5 * minute);
      assert.deepEqual(world.routes(), before);
      assert.equal(world.condition('twin'), '');
      assert.deepEqual(world.events(), []);

      // The holder is deleted, so the twin holds the instance.
      world.removeNode('a');
      await world.clock.advance(5 * second);
      assert.deepEqual(
        world.routes().filter((route) => route.endsWith('-> twin')),
        twinCIDRs.map((cidr) => `${cidr} -> twin`),
      );
      await manager.stop();
    });
  }
});

function specOf(node: object): object {
  return JSON.parse(JSON.stringify(node)).spec;
}

describe('podCIDRs outside the cluster CIDRs', () => {
  it('get no route, the node gets an event, and a route of ours to them stays', async () => {
    const world = new RouteWorld();
    const first = world.start({ settings: { clusterCIDRs: wide } });
    world.addNode('odd', { podCIDRs: ['192.0.2.0/24', blocksOf(5)[1] ?? ''] });
    await world.clock.advance(second);
    await first.stop();
    const manager = world.start();
    await world.clock.advance(5 * minute);
    assert.deepEqual(world.routes(), ['192.0.2.0/24 -> odd', 'fd00:10:244:5::/64 -> odd']);
    assert.match(
      world.events().join(),
      /odd: Cannot manage routes to 192\.0\.2\.0\/24: it is outside the cluster CIDRs/,
    );
    await manager.stop();
  });
});

describe('a table that cannot be listed', () => {
  it('is reported on waiting nodes and on /statusz, until a list succeeds', async () => {
    const world = await routed();
    const manager = world.start();
    await world.clock.advance(second);
    world.set({ faults: { ...noRouteFaults, failure: 1 } });
    world.addNode('new');
    world.change('new', (node) => ({
      ...node,
      status: { ...Object(node['status']), conditions: marked },
    }));
    await world.clock.advance(minute);
    const told = world.events().filter((event) => /cannot be listed/.test(event));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /^new: No route could be created.*\.$/);
    assert.match(
      manager.controller.status()[0].notes.join(),
      /The last \d+ lists of the tables failed/,
    );
    world.set({ faults: noRouteFaults });
    await world.clock.advance(minute);
    assert.equal(world.condition('new'), 'False RouteCreated');
    assert.doesNotMatch(manager.controller.status()[0].notes.join(), /failed/);
    await manager.stop();
  });

  it('is reported with its current reason, but not for every message of one error code', async () => {
    const world = await routed();
    world.listFailure = invalid('route 1 has no nextHop');
    world.addNode('new');
    world.change('new', (node) => ({
      ...node,
      status: { ...Object(node['status']), conditions: marked },
    }));
    const manager = world.start();
    const logged = (): number =>
      manager.log.filter(({ msg }) => msg === 'Could not list routes, retrying').length;
    const status = (): string => manager.controller.status()[0].notes.join();
    await world.clock.advance(2 * minute);
    assert.equal(logged(), 1);
    world.listFailure = invalid('routes must be a list');
    await world.clock.advance(10 * second);
    assert.match(status(), /lists of the tables failed: .*routes must be a list/);
    assert.equal(logged(), 2);
    assert.match(world.events().join(), /new: No route .*cannot be listed: .*must be a list/);
    for (let id = 0; id < 36; id++) {
      world.listFailure = invalid(`request ${id} failed`);
      await world.clock.advance(5 * second);
    }
    assert.ok(logged() <= 6, `the log has ${logged()} lines`);
    await manager.stop();
  });

  it('is reported with the words of the cloud while the cloud asks to wait, and once', async () => {
    const world = await routed();
    const facts = { code: 'Throttled', retry: { afterMs: minute }, effect: 'none' } as const;
    world.listFailure = new CcmError('the cloud throttles lists', facts);
    world.addNode('new');
    world.change('new', (node) => ({
      ...node,
      status: { ...Object(node['status']), conditions: marked },
    }));
    const manager = world.start();
    await world.clock.advance(10 * minute);
    assert.deepEqual(world.events(), [
      'new: No route could be created, because the route tables cannot be listed: the cloud throttles lists.',
    ]);
    const logged = manager.log.filter(({ msg }) => msg === 'Could not list routes, retrying');
    assert.equal(logged.length, 1);
    await manager.stop();
  });
});

function invalid(message: string): CcmError {
  return new CcmError(message, { code: 'Invalid', retry: 'backoff', effect: 'none' });
}

describe('the event on a node that lacks routes', () => {
  it('has the current error of the cloud, but does not repeat one error code', async () => {
    const world = await routed();
    const manager = world.start();
    await world.clock.advance(second);
    const refuse = (code: string, message: string): void => {
      world.refusal = new CcmError(message, { code, retry: 'backoff', effect: 'none' });
    };
    refuse('Locked', 'the account is locked');
    world.addNode('new');
    await world.clock.advance(minute);
    refuse('Forbidden', 'the role may not do this');
    await world.clock.advance(5 * minute);
    const told = world.events().filter((event) => event.startsWith('new: '));
    assert.match(told.at(-1) ?? '', /the role may not do this/);
    for (let id = 0; id < 6; id++) {
      refuse('Forbidden', `the role may not do this: request ${id}`);
      await world.clock.advance(6 * minute);
    }
    assert.equal(world.events().filter((event) => event.includes('request')).length, 0);
    await manager.stop();
  });

  it('is one sentence per failure, whatever punctuation the cloud’s message ends with', async () => {
    const cases = [
      { message: 'socket hang up', want: 'socket hang up.' },
      { message: 'The account is locked.', want: 'The account is locked.' },
      { message: 'Is the proxy up?', want: 'Is the proxy up?' },
    ];
    for (const { message, want } of cases) {
      const world = new RouteWorld({ tables: [{ id: 'main' }, { id: 'zone' }] });
      world.refusal = message;
      world.addNode('a');
      const manager = world.start();
      await world.clock.advance(second);
      const told = ['main', 'zone'].map(
        (table) =>
          `Could not create the routes to 10.244.0.0/24 and fd00:10:244::/64 in table ${table}: simulated refused to change a route: ${want}`,
      );
      assert.deepEqual(world.events(), [`a: ${told.join(' ')}`]);
      await manager.stop();
    }
  });

  it('names all nodes that share its addresses now', async () => {
    const world = await routed();
    const manager = world.start();
    world.addNode('c', { podCIDRs: blocksOf(0) });
    await world.clock.advance(minute);
    world.addNode('d', { podCIDRs: blocksOf(0) });
    await world.clock.advance(minute);
    assert.match(world.events().join('\n'), /^a: .*shared with c and d/m);
    await manager.stop();
  });
});

describe('an answer that lists nothing', () => {
  it('deletes no route and marks no node; wanted routes are created', async () => {
    const world = await routed();
    const before = world.routes();
    const manager = world.start({ tables: [{ id: 'main', routes: [] }] });
    world.removeNode('b');
    await world.clock.advance(10 * minute);
    assert.equal(world.routes().length, before.length);
    assert.equal(world.condition('a'), 'False RouteCreated');
    assert.ok((world.cloud.routes?.counts.writes ?? 0) > 4, 'creation was tried');
    await manager.stop();
  });
});
