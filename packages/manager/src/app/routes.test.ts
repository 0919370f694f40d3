/**
 * Runs a complete manager that allocates pod CIDRs and manages routes. A new node is marked until it has its routes,
 * and a block passes from one node to another only when no route leads to the first one any more (I7).
 */
import assert from 'node:assert/strict';
import { noRouteFaults } from '../../../../test/support/simulated-cloud.ts';
import { AppWorld } from './app-world.fixture.ts';

const twoBlocks = ['--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/23', '--leader-elect=false'];
/** The tests delete nodes themselves. */
const args = [...twoBlocks, '--controllers=*,-cloud-node-lifecycle'];

/** Without an election, the first allocation waits for late writes of a manager that may have run before. */
const settledMs = 20_000;

class RoutedWorld extends AppWorld {
  /** The routes that led elsewhere when their block was given to a node. */
  readonly inherited: string[] = [];
  /** The successive values of NetworkUnavailable of each node. */
  readonly conditions = new Map<string, string[]>();

  constructor() {
    super();
    this.model.store.onChange((collection, { after }) => {
      if (collection === 'nodes' && after !== undefined) this.#check(after.metadata.name);
    });
  }

  /** Returns our own routes as `destination -> instance`. */
  routes(): string[] {
    return (this.cloud.routes?.routesOf('main') ?? [])
      .filter(({ ours }) => ours)
      .map(({ destination, target }) =>
        target.kind === 'instance' ? `${destination} -> ${target.key}` : `${destination} dead`,
      );
  }

  view(name: string): { podCIDR: string; providerID: string; taints: string[]; network: string } {
    const { spec, status } = JSON.parse(
      JSON.stringify(this.model.store.collection('nodes').get(name) ?? {}),
    );
    const conditions: { type: string; status: string; reason: string }[] = status?.conditions ?? [];
    const found = conditions.find(({ type }) => type === 'NetworkUnavailable');
    return {
      podCIDR: spec?.podCIDR ?? '',
      providerID: spec?.providerID ?? '',
      taints: (spec?.taints ?? []).map(({ key }: { key: string }) => key),
      network: found === undefined ? '' : `${found.status} ${found.reason}`,
    };
  }

  removeMachine(name: string): void {
    this.cloud.terminate(name);
    this.model.store.collection('nodes').remove(name);
  }

  notes(reason: string): string[] {
    return this.model.store
      .collection('events')
      .list()
      .map((event) => JSON.parse(JSON.stringify(event)))
      .filter((event) => event.reason === reason)
      .map((event) => event.message);
  }

  #check(name: string): void {
    const { podCIDR, network, providerID } = this.view(name);
    const seen = this.conditions.get(name) ?? [];
    if (network !== '' && seen.at(-1) !== network) this.conditions.set(name, [...seen, network]);
    if (podCIDR === '' || this.#given.has(name)) return;
    this.#given.add(name);
    const key = providerID === '' ? undefined : this.cloud.identify(providerID);
    const others = this.routes().filter(
      (route) => route.startsWith(`${podCIDR} `) && route !== `${podCIDR} -> ${key}`,
    );
    this.inherited.push(...others);
  }

  readonly #given = new Set<string>();
}

describe('a manager that allocates pod CIDRs and manages routes', () => {
  it('marks a new node until it has its routes, and taints it in the meantime', async () => {
    const world = new RoutedWorld();
    world.addMachine('a');
    world.setRoutes({ faults: { ...noRouteFaults, failure: 1 } });
    const running = world.start('one', { args });
    await world.clock.advance(30_000);
    const { podCIDR, providerID, ...before } = world.view('a');
    assert.equal(podCIDR, '10.244.0.0/24');
    assert.deepEqual(before, {
      taints: ['node.kubernetes.io/network-unavailable'],
      network: 'True NoRouteCreated',
    });
    world.setRoutes({});
    await world.clock.advance(300_000);
    assert.deepEqual(world.routes(), [`${podCIDR} -> ${world.cloud.identify(providerID)}`]);
    assert.deepEqual(world.conditions.get('a'), ['True NoRouteCreated', 'False RouteCreated']);
    await running.stop();
  });

  it('gives the block of a node that is gone to another only when no route leads to it', async () => {
    const world = new RoutedWorld();
    for (const name of ['a', 'b']) world.addMachine(name);
    const running = world.start('one', { args });
    await world.clock.advance(settledMs);
    assert.equal(world.routes().length, 2);
    const freed = world.view('a').podCIDR;

    // The cloud deletes no routes for now.
    world.setRoutes({ faults: { ...noRouteFaults, failure: 1 } });
    world.removeMachine('a');
    world.addMachine('c');
    await world.clock.advance(120_000);
    assert.equal(world.view('c').podCIDR, '');
    assert.deepEqual(world.notes('CIDRNotAvailable').map(withoutRemedy), [
      'Pool cluster-cidr (10.244.0.0/23) has no free /24 in 10.244.0.0/23, and a node gets all of its families or none. 1 of its blocks had nodes that are gone, and wait until no route leads to them.',
    ]);

    world.setRoutes({});
    await world.clock.advance(300_000);
    const { podCIDR, providerID, network } = world.view('c');
    assert.deepEqual([podCIDR, network], [freed, 'False RouteCreated']);
    assert.ok(world.routes().includes(`${freed} -> ${world.cloud.identify(providerID)}`));
    assert.equal(world.routes().length, 2);
    assert.deepEqual(world.inherited, []);
    await running.stop();
  });

  it('frees the block of a deleted node within seconds when the cloud works', async () => {
    const world = new RoutedWorld();
    for (const name of ['a', 'b']) world.addMachine(name);
    const running = world.start('one', { args });
    await world.clock.advance(settledMs);
    const freed = world.view('a').podCIDR;
    world.removeMachine('a');
    world.addMachine('c');
    await world.clock.advance(3_000);
    const { podCIDR, network } = world.view('c');
    assert.deepEqual([podCIDR, network], [freed, 'False RouteCreated']);
    assert.deepEqual(world.inherited, []);
    await running.stop();
  });

  it('frees the block of a deleted node at once when it manages no routes', async () => {
    const world = new RoutedWorld();
    for (const name of ['a', 'b']) world.addMachine(name);
    const running = world.start('one', { args: [...args, '--configure-cloud-routes=false'] });
    await world.clock.advance(settledMs);
    world.removeMachine('a');
    world.addMachine('c');
    await world.clock.advance(1_000);
    assert.notEqual(world.view('c').podCIDR, '');
    assert.deepEqual([world.routes(), world.view('c').network], [[], '']);
    await running.stop();
  });

  it('replaces the route that its predecessor left before it reports the routes as created', async () => {
    const world = new RoutedWorld();
    for (const name of ['a', 'b']) world.addMachine(name);
    const first = world.start('one', { args });
    await world.clock.advance(settledMs);
    await first.stop();
    world.removeMachine('a');
    world.addMachine('c');
    world.setRoutes({ latencyMs: { min: 1_000, max: 1_000 } });
    const second = world.start('two', { args });
    await world.clock.advance(60_000);
    const { podCIDR, providerID } = world.view('c');
    assert.ok(world.routes().includes(`${podCIDR} -> ${world.cloud.identify(providerID)}`));
    assert.deepEqual(world.conditions.get('c'), ['True NoRouteCreated', 'False RouteCreated']);
    assert.equal(world.routes().length, 2);
    await second.stop();
  });

  it('warns once about nodes that stay marked after routes are switched off', async () => {
    const world = new RoutedWorld();
    world.addMachine('a');
    world.setRoutes({ faults: { ...noRouteFaults, failure: 1 } });
    const first = world.start('one', { args });
    await world.clock.advance(settledMs);
    await first.stop();
    const second = world.start('two', { args: [...args, '--configure-cloud-routes=false'] });
    await world.clock.advance(300_000);
    const warning = 'Nodes are marked as without a network';
    assert.equal(second.log.filter((message) => message === warning).length, 1);
    assert.ok(!first.log.includes(warning));
    assert.equal(world.view('a').network, 'True NoRouteCreated');
    await second.stop();
  });

  it('changes neither routes nor nodes in a dry run', async () => {
    const world = new RoutedWorld();
    world.addMachine('a');
    const running = world.start('one', { args: [...args, '--dry-run'] });
    await world.clock.advance(60_000);
    assert.deepEqual([world.routes(), running.writes], [[], []]);
    await running.stop();
  });
});

function withoutRemedy(note: string): string {
  return note.slice(0, note.indexOf(' Delete Nodes'));
}
