/** Tests the data that the controllers show: their own records, from which other programs can make the same plan. */
import assert from 'node:assert/strict';
import { isInitialised, type NodeFacts } from '@tandem/core/node-init';
import {
  type NodeView,
  planFromView,
  readSettings,
  type View,
  type ViewName,
} from '@tandem/core/view';
import { createNodeReader } from '@tandem/kube/node';
import { putObject } from '../../../../test/support/embedded-api.ts';
import { AppWorld, type RunningApp } from './app-world.fixture.ts';

const args = [
  '--allocate-node-cidrs',
  '--cluster-cidr=10.244.0.0/23',
  '--leader-elect=false',
  '--controllers=*,-cloud-node-lifecycle',
];

function viewOf<Name extends ViewName>(app: RunningApp, name: Name): View<Name> {
  const view = app.app.view(name);
  assert.ok(typeof view === 'object', name);
  return view as unknown as View<Name>;
}

function itemsOf<Name extends ViewName>(app: RunningApp, name: Name) {
  return viewOf(app, name).entries.map(({ item }) => item());
}

function nodeOf(app: RunningApp, name: string): NodeView {
  const found = itemsOf(app, 'nodes').find((item) => item.name === name);
  assert.ok(found !== undefined);
  // A client reads the data as JSON.
  return JSON.parse(JSON.stringify(found));
}

function factsOf(world: AppWorld, name: string): NodeFacts {
  const node = createNodeReader().fromJson(world.model.store.collection('nodes').get(name));
  return node;
}

function annotate(world: AppWorld, name: string, annotations: Record<string, string>): void {
  const node = world.model.store.collection('nodes').get(name);
  assert.ok(node !== undefined);
  putObject(world.model, 'nodes', { ...node, metadata: { ...node.metadata, annotations } });
}

describe('the data that a manager shows', () => {
  let world: AppWorld;
  let app: RunningApp;

  before(async () => {
    world = new AppWorld();
    for (const name of ['a', 'b', 'c', 'd', 'gone', 'paused']) world.addMachine(name);
    annotate(world, 'b', { 'tandem.dev/node-ip': '192.0.2.1' });
    annotate(world, 'c', { 'tandem.dev/node-ip': 'IPv6,IPv4' });
    annotate(world, 'paused', { 'tandem.dev/paused': 'true' });
    world.cloud.terminate('gone');
    app = world.start('a', { args });
    await world.clock.advance(40_000);
  });
  after(() => app.stop());

  it('has the request of every node, the answer of the cloud with its age, and the decision', () => {
    const states = itemsOf(app, 'nodes').map(
      ({ name, state, standing }) => `${name} ${state} ${standing?.reason ?? 'nothing'}`,
    );
    assert.deepEqual(states.toSorted(), [
      'a initialised nothing',
      'b refused AddressNotFound',
      'c initialised nothing',
      'd initialised nothing',
      'gone refused InstanceNotFound',
      'paused paused paused',
    ]);
    const c = nodeOf(app, 'c');
    assert.deepEqual(c.request, { value: 'IPv6,IPv4', source: 'tandem.dev/node-ip' });
    assert.deepEqual([c.planned?.actions, c.planned?.outcome], [[], { kind: 'settled' }]);
    assert.equal(c.planned?.stack, 'DS IPv6-primary');
    assert.ok(c.cloud?.kind === 'found');
    assert.deepEqual(
      c.cloud.instance.addresses.map(({ type }) => type),
      ['InternalIP', 'InternalIP'],
    );
    assert.equal(c.cloud.instance.state, 'running');
    const ageMs = world.clock.now() - Date.parse(c.cloud.asOf);
    assert.ok(ageMs >= 0 && ageMs <= 40_000, c.cloud.asOf);
    const b = nodeOf(app, 'b');
    assert.equal(b.request?.value, '192.0.2.1');
    assert.ok(b.planned?.outcome.kind === 'refused');
    assert.equal(b.planned.outcome.code, 'AddressNotFound');
    assert.ok(Date.parse(b.standing?.since ?? '') < world.clock.now() - 20_000);
    assert.deepEqual(nodeOf(app, 'gone').cloud?.kind, 'absent');
  });

  it('is the same text while nothing changes', async () => {
    const text = (): string =>
      JSON.stringify(itemsOf(app, 'nodes').filter(({ name }) => name === 'c'));
    const before = text();
    await world.clock.advance(5_000);
    assert.equal(text(), before);
  });

  it('leads other programs to the same plan as the controller', async () => {
    const settings = readSettings(viewOf(app, 'nodes').summary.settings);
    assert.ok(settings !== undefined);
    for (const name of ['a', 'b', 'c', 'd', 'gone', 'paused']) {
      const view = nodeOf(app, name);
      const plan = planFromView(factsOf(world, name), view, settings);
      assert.deepEqual(
        plan.actions.map(({ kind, reason }) => ({ kind, reason: reason() })),
        view.planned?.actions,
      );
      const { outcome } = plan;
      const shown = outcome.kind === 'refused' ? { kind: 'refused', ...outcome.refusal } : outcome;
      assert.deepEqual(shown, view.planned?.outcome, name);
    }
    assert.ok(!isInitialised(factsOf(world, 'b')));
  });

  it('needs a look-up for a request that the manager has not seen, instead of a refusal by an older answer', () => {
    const settings = readSettings(viewOf(app, 'nodes').summary.settings);
    assert.ok(settings !== undefined);
    const asking = { annotations: { 'tandem.dev/node-ip': '198.51.100.1' } };
    const plan = planFromView({ ...factsOf(world, 'a'), ...asking }, nodeOf(app, 'a'), settings);
    assert.equal(plan.outcome.kind, 'lookup');
  });

  it('has the pools, the nodes that hold their blocks, and the nodes that wait', () => {
    const { summary } = viewOf(app, 'pools');
    assert.deepEqual(
      summary.pools.map(({ name, ranges }) => [name, ranges[0]?.bound, ranges[0]?.free]),
      [['cluster-cidr', 2, 0]],
    );
    assert.deepEqual([summary.isAllocating, summary.waiting], [true, 3]);
    const holders = itemsOf(app, 'pools');
    assert.deepEqual(holders.map(({ state }) => state).toSorted(), [
      'bound',
      'bound',
      'waiting',
      'waiting',
      'waiting',
    ]);
    const waiting = holders.find(({ state }) => state === 'waiting');
    assert.deepEqual(
      waiting?.problems.map(({ code }) => code),
      ['CIDRNotAvailable'],
    );
  });

  it('has the routes that nodes need, compared with the tables, and routes to no node', async () => {
    world.cloud.routes?.addForeign('main', '10.244.1.128/25');
    await world.clock.advance(70_000);
    const { summary } = viewOf(app, 'routes');
    assert.deepEqual(summary.clusterCIDRs, ['10.244.0.0/23']);
    const routes = itemsOf(app, 'routes');
    const wanted = routes.filter(({ node }) => node !== null);
    assert.ok(wanted.length > 0);
    for (const { state, node, target, planned } of wanted) {
      assert.deepEqual([state, planned], ['present', null]);
      assert.deepEqual(target, { kind: 'instance', node, ready: true });
    }
    const others = routes.filter(({ node }) => node === null);
    assert.deepEqual(
      others.map(({ destination, state, ours }) => [destination, state, ours]),
      [['10.244.1.128/25', 'unwanted', false]],
    );
  });

  it('is shown only by the leader', async () => {
    const other = world.start('b', { args: ['--cluster-cidr=10.244.0.0/23'] });
    assert.equal(other.app.view('nodes'), 'standby');
    await world.clock.advance(20_000);
    assert.equal(other.app.view('pools'), 'absent');
    await other.stop();
  });
});
