/** Tests the routes in the tables and the conditions and events of nodes, with and without faults. */
import assert from 'node:assert/strict';
import { uninitializedTaint } from '@tandem/core/node-init';
import type { KubeTransport } from '@tandem/kube/transport';
import { sleep } from '@tandem/runtime';
import type { VirtualClock } from '@tandem/runtime/testing';
import { blocksOf, RouteWorld } from './route-world.fixture.ts';

const second = 1_000;
const minute = 60_000;

describe('the node route controller', () => {
  it('creates the routes of both families in every table, and then sets the condition', async () => {
    const world = new RouteWorld({ tables: [{ id: 'main' }, { id: 'zone' }], spellsOddly: true });
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(second);
    const wanted = ['10.244.0.0/24 -> a', 'fd00:10:244::/64 -> a'];
    assert.deepEqual([world.routes('main'), world.routes('zone')], [wanted, wanted]);
    assert.equal(world.condition('a'), 'False RouteCreated');
    assert.deepEqual(world.unproven, []);
    await manager.stop();
  });

  it('sends the routes of nodes that register together as one batch', async () => {
    const world = new RouteWorld({ limits: { batchSize: 100 } });
    const manager = world.start();
    await world.clock.advance(second);
    for (let at = 0; at < 50; at++) world.addNode(`n${at}`);
    const before = world.cloud.routes?.counts.applies ?? 0;
    await world.clock.advance(second);
    assert.equal(world.routes().length, 100);
    assert.equal((world.cloud.routes?.counts.applies ?? 0) - before, 1);
    await manager.stop();
  });

  it('lists its tables twice for nodes that register together, and not for nodes without podCIDRs or providerID', async () => {
    const world = new RouteWorld({ limits: { batchSize: 100 } });
    const manager = world.start();
    await world.clock.advance(second);
    const lists = (): number => world.cloud.routes?.counts.lists ?? 0;
    const before = lists();
    for (let at = 0; at < 20; at++) world.addNode(`m${at}`, { podCIDRs: [] });
    await world.clock.advance(second);
    for (let at = 0; at < 20; at++) {
      world.putNode(`u${at}`, { providerID: '', addresses: [], podCIDRs: blocksOf(100 + at) });
    }
    await world.clock.advance(second);
    world.change('u0', (node) => ({
      ...node,
      status: { addresses: [{ type: 'InternalIP', address: '10.9.9.9' }] },
    }));
    await world.clock.advance(second);
    assert.equal(lists() - before, 0);
    for (let at = 0; at < 20; at++) {
      world.addNode(`n${at}`);
      await world.clock.advance(20);
    }
    await world.clock.advance(5 * second);
    assert.equal(world.condition('n19'), 'False RouteCreated');
    // The controller lists once to plan, and once to see the outcome.
    assert.equal(lists() - before, 2);
    await manager.stop();
  });

  it('makes no write and fewer than two lists a minute while nothing changes', async () => {
    const world = new RouteWorld({ spellsOddly: true });
    const manager = world.start();
    for (const name of ['a', 'b', 'c']) world.addNode(name);
    await world.clock.advance(minute);
    const before = { ...world.cloud.routes?.counts };
    const writes = world.writes.length;
    await world.clock.advance(60 * minute);
    const after = world.cloud.routes?.counts;
    assert.equal(after?.writes, before.writes);
    assert.equal(world.writes.length, writes);
    assert.ok((after?.lists ?? 0) - (before.lists ?? 0) <= 80, `${after?.lists} lists`);
    await manager.stop();
  });

  it('deletes the routes of a deleted node, and gives a namesake only its own', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    world.addNode('a');
    world.addNode('b');
    await world.clock.advance(second);
    world.removeNode('a');
    world.cloud.terminate('a');
    await world.clock.advance(2 * second);
    assert.deepEqual(world.routes(), ['10.244.1.0/24 -> b', 'fd00:10:244:1::/64 -> b']);
    world.addNode('a', { podCIDRs: blocksOf(7) });
    await world.clock.advance(2 * second);
    assert.deepEqual(
      world.routes().filter((text) => text.endsWith('-> a')),
      ['10.244.7.0/24 -> a', 'fd00:10:244:7::/64 -> a'],
    );
    await manager.stop();
  });

  it('leaves foreign routes alone, and reports on a node whose destination has one', async () => {
    const world = new RouteWorld();
    world.cloud.routes?.addForeign('main', '10.244.0.0/24');
    world.cloud.routes?.addForeign('main', '192.0.2.0/24');
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(5 * second);
    assert.deepEqual(world.routes(), ['fd00:10:244::/64 -> a']);
    assert.equal(world.cloud.routes?.routesOf('main').filter(({ ours }) => !ours).length, 2);
    assert.match(
      world.events().join(),
      /a: No route to 10\.244\.0\.0\/24 in table main: a route that this manager did not create has this destination/,
    );
    assert.notEqual(world.condition('a'), 'False RouteCreated');
    await manager.stop();
  });

  it('retries a refused route, reports the cloud’s message, and marks the node', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    world.addNode('before');
    await world.clock.advance(second);
    world.refusal = 'the account is locked';
    world.addNode('a');
    await world.clock.advance(30 * second);
    assert.equal(world.condition('a'), 'True NoRouteCreated');
    assert.equal(world.condition('before'), 'False RouteCreated');
    assert.match(
      world.events().join(),
      /a: Could not create the routes to 10\.244\.1\.0\/24 and fd00:10:244:1::\/64 in table main: .*the account is locked/,
    );
    world.refusal = undefined;
    await world.clock.advance(5 * minute);
    assert.equal(world.routes().filter((text) => text.endsWith('-> a')).length, 2);
    assert.equal(world.condition('a'), 'False RouteCreated');
    await manager.stop();
  });

  it('adds no route to a full table, reports on the waiting node, and serves it once there is room', async () => {
    const world = new RouteWorld({ tables: [{ id: 'main', capacity: 2 }] });
    const manager = world.start();
    world.addNode('before');
    await world.clock.advance(second);
    world.addNode('a');
    await world.clock.advance(3 * minute);
    assert.equal(world.routes().length, 2);
    assert.equal(world.condition('a'), 'True NoRouteCreated');
    assert.match(world.events().join(), /a: No route to .* in table main.*: the table is full/);
    world.removeNode('before');
    world.cloud.terminate('before');
    await world.clock.advance(5 * second);
    assert.deepEqual(world.routes(), ['10.244.1.0/24 -> a', 'fd00:10:244:1::/64 -> a']);
    assert.equal(world.condition('a'), 'False RouteCreated');
    await manager.stop();
  });

  it('writes no condition based on a verdict from before the node changed', async () => {
    const world = new RouteWorld();
    const first = world.start();
    world.addNode('a');
    await world.clock.advance(second);
    await first.stop();
    world.change('a', (node) => {
      const { status } = JSON.parse(JSON.stringify(node));
      return { ...node, status: { ...status, conditions: [] } };
    });
    world.cloud.set({ latencyMs: { min: 500, max: 500 } });
    const manager = world.start();
    await world.clock.advance(400);
    world.change('a', (node) => {
      const annotations = { 'tandem.dev/paused': 'true' };
      return { ...node, metadata: { ...node.metadata, annotations } };
    });
    await world.clock.advance(5 * second);
    assert.equal(world.condition('a'), '');
    await manager.stop();
  });

  it('marks no node on an empty list, however often creation fails', async () => {
    const world = new RouteWorld();
    world.refusal = 'the account is locked';
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(10 * minute);
    assert.equal(world.condition('a'), '');
    assert.match(world.events().join(), /the account is locked/);
    await manager.stop();
  });

  it('deletes no route and marks no node while the cloud throttles every list', async () => {
    const world = new RouteWorld();
    const first = world.start();
    world.addNode('a');
    await world.clock.advance(second);
    await first.stop();
    const before = world.routes();
    world.set({ faults: { ...noFaults, throttle: 1 } });
    const next = world.start();
    await world.clock.advance(10 * minute);
    assert.deepEqual(world.routes(), before);
    assert.equal(world.condition('a'), 'False RouteCreated');
    await next.stop();
  });

  it('ends with routes that forward, and the condition, if created routes do not forward', async () => {
    const world = new RouteWorld({ unreadyShare: 1 });
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(10 * second);
    assert.equal(world.condition('a'), 'False RouteCreated');
    const shown = world.cloud.routes?.routesOf('main') ?? [];
    assert.ok(shown.every(({ target }) => target.kind === 'instance' && target.ready));
    await manager.stop();
  });

  it('reports nothing on a node before it is initialised, and then what it lacks', async () => {
    const world = new RouteWorld();
    world.addNode('a');
    const taints = [{ key: uninitializedTaint, effect: 'NoSchedule' }];
    const setTaints = (list: readonly object[]): void =>
      world.change('a', (node) => ({
        ...node,
        spec: { ...Object(node['spec']), taints: list },
        status: { ...Object(node['status']), addresses: [] },
      }));
    setTaints(taints);
    const manager = world.start();
    await world.clock.advance(5 * second);
    assert.deepEqual(world.events(), []);
    setTaints([]);
    await world.clock.advance(minute);
    assert.match(world.events().join(), /^a: .*no InternalIP/);
    await manager.stop();
  });

  it('reports no missing addresses that a node got during the pass', async () => {
    const world = new RouteWorld();
    world.addNode('a');
    const initialised = world.model.store.collection('nodes').get('a') ?? assert.fail('no node');
    world.change('a', (node) => ({
      ...node,
      spec: {
        ...Object(node['spec']),
        taints: [{ key: uninitializedTaint, effect: 'NoSchedule' }],
      },
      status: { addresses: [] },
    }));
    world.cloud.set({ latencyMs: { min: 500, max: 500 } });
    const manager = world.start();
    // The pass has read the node and waits for its instance.
    await world.clock.advance(400);
    world.change('a', (node) => ({
      ...node,
      spec: initialised['spec'],
      status: initialised['status'],
    }));
    await world.clock.advance(10 * second);
    assert.deepEqual(world.events(), []);
    assert.deepEqual(
      manager.log.filter(({ msg }) => msg === 'Node lacks a route'),
      [],
    );
    assert.equal(world.condition('a'), 'False RouteCreated');
    await manager.stop();
  });

  it('never overwrites the condition of a network plugin', async () => {
    const world = new RouteWorld();
    const manager = world.start();
    world.addNode('a');
    world.change('a', (node) => ({
      ...node,
      status: {
        ...Object(node['status']),
        conditions: [{ type: 'NetworkUnavailable', status: 'True', reason: 'CalicoIsDown' }],
      },
    }));
    await world.clock.advance(minute);
    assert.equal(world.condition('a'), 'True CalicoIsDown');
    assert.deepEqual(world.writes, []);
    await manager.stop();
  });

  it('does not mark dual-stack nodes for a family that the cloud cannot route', async () => {
    const world = new RouteWorld({ families: ['IPv4'] });
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(second);
    assert.deepEqual(world.routes(), ['10.244.0.0/24 -> a']);
    assert.equal(world.condition('a'), 'False RouteCreated');
    assert.equal(
      manager.log.filter(({ msg }) => msg === 'Problem with a route table').length,
      1,
      'it is logged once',
    );
    await manager.stop();
  });

  it('begins no further write after a stop while many conditions wait to be written', async () => {
    const world = new RouteWorld();
    const manager = world.start({ wrap: (inner) => slowWrites(world.clock, inner) });
    for (let at = 0; at < 50; at++) world.addNode(`n${at}`);
    await world.clock.advance(1_500);
    const written = world.writes.length;
    assert.ok(written > 0 && written < 50, `${written} conditions were written or in flight`);
    await manager.stop();
    assert.equal(world.writes.length, written, 'no write began after the stop');
  });

  it('leaves nodes alone if the selector does not match them', async () => {
    const world = new RouteWorld();
    const selector = { matchLabels: { routed: 'yes' } };
    const manager = world.start({ settings: { selector } });
    world.addNode('hybrid');
    world.addNode('plain', { labels: { routed: 'yes' } });
    await world.clock.advance(second);
    assert.deepEqual(world.routes(), ['10.244.1.0/24 -> plain', 'fd00:10:244:1::/64 -> plain']);
    assert.equal(world.condition('hybrid'), '');
    await manager.stop();
  });

  it('changes nothing in the cloud in a dry run, and logs the changes that it would make', async () => {
    const world = new RouteWorld();
    const manager = world.start({ mode: 'dryRun' });
    world.addNode('a');
    await world.clock.advance(5 * minute);
    assert.deepEqual([world.routes(), world.writes], [[], []]);
    assert.equal(world.cloud.routes?.counts.writes, 0);
    assert.equal(manager.log.filter(({ msg }) => msg === 'Would change a route').length, 2);
    await manager.stop();
  });

  it('has forecasts in a dry run about routes and conditions that would change, once a list succeeds', async () => {
    const world = new RouteWorld();
    const first = world.start();
    world.addNode('routed');
    world.addNode('gone');
    await world.clock.advance(second);
    await first.stop();
    world.change('routed', (node) => ({
      ...node,
      status: { ...Object(node['status']), conditions: [] },
    }));
    world.removeNode('gone');
    world.addNode('odd', { podCIDRs: ['192.0.2.0/24', blocksOf(7)[1] ?? ''] });
    world.set({ faults: { ...noFaults, failure: 1 } });
    const manager = world.start({ mode: 'dryRun' });
    const open = (answer: string, more = {}) => [{ kind: 'routes', answer, changes: [], ...more }];
    const reason = 'The simulated cloud failed to answer';
    assert.deepEqual(manager.controller.forecasts(), open('pending'));
    await world.clock.advance(second);
    assert.deepEqual(manager.controller.forecasts(), open('pending'));
    await world.clock.advance(minute);
    assert.deepEqual(manager.controller.forecasts(), open('unknown', { reason }));
    world.set({ faults: noFaults });
    await world.clock.advance(minute);
    const decided = { kind: 'decided', actions: [] };
    assert.deepEqual(manager.controller.forecasts(), [
      { ...decided, node: 'odd', reason: 'PodCIDROutsideClusterCIDRs' },
      { ...decided, node: 'routed', actions: ['clearNetworkCondition'] },
      {
        kind: 'routes',
        answer: 'listed',
        changes: [
          { kind: 'delete', table: 'main', destination: '10.244.1.0/24' },
          { kind: 'delete', table: 'main', destination: 'fd00:10:244:1::/64' },
          { kind: 'create', table: 'main', destination: 'fd00:10:244:7::/64' },
        ],
      },
    ]);
    await manager.stop();
  });

  it('sends no change to the cloud after the leader election’s gate has closed', async () => {
    const world = new RouteWorld({ latencyMs: { min: 500, max: 500 } });
    let isShut = false;
    const manager = world.start({
      beforeWrite: () => {
        if (isShut) throw new Error('this process no longer leads');
      },
    });
    await world.clock.advance(5 * second);
    isShut = true;
    world.addNode('a');
    await world.clock.advance(minute);
    assert.deepEqual(world.routes(), []);
    assert.equal(world.cloud.routes?.counts.writes, 0);
    await manager.stop();
  });
});

/** Wraps the transport so that every write to a node takes a second. */
function slowWrites(clock: VirtualClock, inner: KubeTransport): KubeTransport {
  return {
    async send(request) {
      const isWrite = request.method === 'PATCH' && !request.path.includes('/events');
      const answer = await inner.send(request);
      if (isWrite) await sleep(clock, 1_000);
      return answer;
    },
    close: () => inner.close(),
  };
}

const noFaults = { throttle: 0, failure: 0, failureAfter: 0, lostBefore: 0, lostAfter: 0 };
