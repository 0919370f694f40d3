import assert from 'node:assert/strict';
import { shutdownTaint } from '@tandem/core/lifecycle';
import { NotLeadingError } from '@tandem/kube/election';
import { TransportError } from '@tandem/kube/transport';
import { LifecycleWorld, type NodeOrder } from './lifecycle-world.fixture.ts';
import { providerIDOf } from './scripted-cloud.fixture.ts';

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';
const autoscaler = 'ToBeDeletedByClusterAutoscaler';
const minuteMs = 60_000;

describe('the node lifecycle controller', () => {
  describe('after two minutes in which the cloud reports the instance as absent', () => {
    const cases: { name: string; node: Omit<NodeOrder, 'name'>; isDeleted: boolean }[] = [
      { name: 'deletes a node whose Ready is Unknown', node: {}, isDeleted: true },
      { name: 'deletes a node whose Ready is False', node: { ready: 'False' }, isDeleted: true },
      { name: 'deletes a node without the condition', node: { ready: null }, isDeleted: true },
      { name: 'keeps a Ready node', node: { ready: 'True' }, isDeleted: false },
      {
        name: 'keeps a node of another cloud',
        node: { providerID: 'other:///1' },
        isDeleted: false,
      },
      {
        name: 'keeps a paused node',
        node: { annotations: { 'tandem.dev/paused': 'true' } },
        isDeleted: false,
      },
      {
        name: 'keeps an initialised node without providerID',
        node: { providerID: '' },
        isDeleted: false,
      },
      {
        name: 'keeps an uninitialised node without providerID, which may belong to another cloud',
        node: { providerID: '', taints: [uninitialized] },
        isDeleted: false,
      },
      {
        name: 'keeps a node that already has a deletionTimestamp',
        node: { deletionTimestamp: '2026-01-31T11:59:00Z' },
        isDeleted: false,
      },
      {
        name: 'deletes a node with the autoscaler’s taint',
        node: { taints: [autoscaler] },
        isDeleted: true,
      },
      {
        name: 'deletes a node with Karpenter’s taint',
        node: { taints: ['karpenter.sh/disrupted'] },
        isDeleted: true,
      },
    ];
    for (const { name, node, isDeleted } of cases) {
      it(name, async () => {
        const world = new LifecycleWorld();
        world.addNode({ ...node, name: 'n', instance: null });
        const manager = world.start();
        await world.clock.advance(2 * minuteMs);
        await manager.stop();
        assert.deepEqual(world.names(), isDeleted ? [] : ['n']);
        assert.equal(world.clock.pending, 0);
      });
    }
  });

  describe('with an uninitialised node without providerID', () => {
    const newcomer = { name: 'n', providerID: '', taints: [uninitialized] };

    it('deletes it if another controller found its instance before', async () => {
      const world = new LifecycleWorld();
      world.addNode({ ...newcomer, ready: 'True' });
      const manager = world.start();
      const ref = { name: 'n', uid: 'uid-n', providerID: '', labels: {}, systemUUID: '' };
      const asked = manager.lookup.ask(ref, { maxAgeMs: 0 });
      await world.clock.advance(1_000);
      assert.equal((await asked).kind, 'found');
      world.lose('n');
      await world.clock.advance(minuteMs);
      await manager.stop();
      assert.deepEqual(world.names(), []);
    });

    it('deletes it if it found its instance itself while the node was NotReady', async () => {
      const world = new LifecycleWorld();
      world.addNode(newcomer);
      const manager = world.start();
      await world.clock.advance(minuteMs);
      assert.deepEqual(world.names(), ['n']);
      world.lose('n');
      await world.clock.advance(2 * minuteMs);
      await manager.stop();
      assert.deepEqual(world.names(), []);
    });

    it('keeps a namesake of a node whose instance was found', async () => {
      const world = new LifecycleWorld();
      world.addNode(newcomer);
      const manager = world.start();
      await world.clock.advance(minuteMs);
      world.model.store.collection('nodes').remove('n');
      world.cloud.remove(providerIDOf('n'));
      world.addNode({ ...newcomer, uid: 'uid-other', instance: null });
      await world.clock.advance(10 * minuteMs);
      await manager.stop();
      assert.deepEqual(world.names(), ['n']);
    });

    it('keeps it after a restart, unless its instance was found again', async () => {
      const world = new LifecycleWorld();
      world.addNode(newcomer);
      const first = world.start();
      await world.clock.advance(minuteMs);
      await first.stop();
      world.lose('n');
      const second = world.start();
      await world.clock.advance(10 * minuteMs);
      assert.deepEqual(world.names(), ['n']);
      world.cloud.set(providerIDOf('n'), 'running');
      await world.clock.advance(2 * minuteMs);
      world.lose('n');
      await world.clock.advance(2 * minuteMs);
      await second.stop();
      assert.deepEqual(world.names(), []);
    });

    it('looks it up once a minute if it was never found, and does not count it for the brake', async () => {
      const world = new LifecycleWorld();
      for (let number = 0; number < 10; number++) {
        world.addNode({ ...newcomer, name: `n${number}`, instance: null });
      }
      world.addNode({ name: 'ours', instance: null });
      const manager = world.start();
      await world.clock.advance(minuteMs);
      assert.equal(world.names().includes('ours'), false);
      assert.deepEqual([...manager.standing], []);
      const { lookups } = world.cloud;
      await world.clock.advance(10 * minuteMs);
      assert.ok(world.cloud.lookups - lookups <= 10, `${world.cloud.lookups - lookups}`);
      await manager.stop();
      assert.equal(world.names().length, 10);
    });
  });

  it('deletes a node later if a live read got a 404 but the node stays in the cache', async () => {
    const world = new LifecycleWorld();
    let answers = 0;
    world.wrap = (inner) => ({
      async send(request) {
        const answer = await inner.send(request);
        const isLate = request.path.endsWith('/nodes/n') && ++answers === 1;
        return isLate ? { ...answer, status: 404 } : answer;
      },
      close: () => inner.close(),
    });
    world.addNode({ name: 'n', instance: null });
    const manager = world.start();
    await world.clock.advance(30_000);
    assert.deepEqual([world.names(), answers], [['n'], 1]);
    await world.clock.advance(2 * minuteMs);
    assert.deepEqual(world.names(), []);
    await manager.stop();
  });

  it('deletes a node after the grace period, not before, with an event', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null });
    const manager = world.start();
    await world.clock.advance(20_000);
    assert.deepEqual(world.names(), ['n']);
    await world.clock.advance(10_000);
    assert.deepEqual(world.names(), []);
    assert.deepEqual(manager.events, ['DeletingNode n']);
    assert.equal(await manager.figure('tandem_node_deletions_total{outcome="deleted"}'), 1);
    assert.equal(await manager.figure('tandem_node_deletion_candidates'), 0);
    await manager.stop();
  });

  it('does not look up a young node, and starts the grace period at its minimum age', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null, ageMs: 0 });
    const manager = world.start();
    await world.clock.advance(59_000);
    assert.equal(world.cloud.lookups, 0);
    await world.clock.advance(20_000);
    assert.deepEqual(world.names(), ['n']);
    await world.clock.advance(11_000);
    assert.deepEqual(world.names(), []);
    await manager.stop();
  });

  it('keeps a node that became Ready between the last answer and the delete', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null });
    world.onRequest = ({ method, path }) => {
      if (method === 'GET' && path === '/api/v1/nodes/n') world.setReady('n', 'True');
    };
    const manager = world.start();
    await world.clock.advance(2 * minuteMs);
    assert.deepEqual([world.names(), world.sent('DELETE')], [['n'], 0]);
    assert.equal(await manager.figure('tandem_node_deletions_total{outcome="spared"}'), 1);
    await manager.stop();
  });

  for (const when of ['before the live read', 'after the live read']) {
    it(`keeps a namesake that was created ${when}`, async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'n', instance: null });
      const method = when.startsWith('before') ? 'GET' : 'DELETE';
      world.onRequest = (request) => {
        if (request.method !== method || request.path.split('?')[0] !== '/api/v1/nodes/n') return;
        world.onRequest = () => {};
        world.model.store.collection('nodes').remove('n');
        world.addNode({ name: 'n', uid: 'another', ageMs: 0, instance: 'running' });
      };
      const manager = world.start();
      await world.clock.advance(3 * minuteMs);
      assert.equal(world.model.store.collection('nodes').get('n')?.metadata.uid, 'another');
      assert.deepEqual(world.laws.deleted, []);
      await manager.stop();
    });
  }

  it('tries again if the node changed between the read and the delete', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null });
    world.onRequest = ({ method }) => {
      if (method !== 'DELETE') return;
      world.onRequest = () => {};
      world.setReady('n', 'False');
    };
    const manager = world.start();
    await world.clock.advance(minuteMs);
    assert.deepEqual(world.names(), []);
    assert.equal(world.sent('DELETE'), 2);
    assert.equal(await manager.figure('tandem_node_deletions_total{outcome="changed"}'), 1);
    assert.ok(!manager.events.some((event) => event.startsWith('DeletingNodeFailed')));
    await manager.stop();
  });

  it('reports a failed deletion, and retries it with a growing delay', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null });
    world.onRequest = ({ method }) => {
      if (method === 'DELETE') throw new Error('no way to the server');
    };
    const manager = world.start();
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual(world.names(), ['n']);
    assert.ok(manager.events.includes('DeletingNodeFailed n'));
    assert.ok(world.sent('DELETE') < 20, `${world.sent('DELETE')} tries`);
    world.onRequest = () => {};
    await world.clock.advance(90_000);
    assert.deepEqual(world.names(), []);
    await manager.stop();
  });

  it('reports no failure if another client deleted the node first', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null });
    world.onRequest = ({ method }) => {
      if (method === 'DELETE') world.model.store.collection('nodes').remove('n');
    };
    const manager = world.start();
    await world.clock.advance(minuteMs);
    assert.deepEqual(manager.events, ['DeletingNode n']);
    assert.equal(await manager.figure('tandem_node_deletions_total{outcome="gone"}'), 1);
    await manager.stop();
  });

  it('counts a deletion whose answer was lost, and does not repeat it', async () => {
    const world = new LifecycleWorld({ brake: { nodes: 1, share: 0, windowMs: 10 * minuteMs } });
    world.addNode({ name: 'n', instance: null });
    world.onAnswered = ({ method }) => {
      if (method !== 'DELETE') return;
      const facts = { code: 'ConnectionLost', retry: 'backoff', effect: 'unknown' } as const;
      throw new TransportError('The connection was reset', facts);
    };
    const manager = world.start();
    await world.clock.advance(minuteMs);
    assert.deepEqual([world.names(), world.sent('DELETE')], [[], 1]);
    world.onAnswered = () => {};
    world.addNode({ name: 'm', instance: null });
    await world.clock.advance(minuteMs);
    assert.deepEqual(world.names(), ['m'], 'the brake allows only one deletion');
    await manager.stop();
  });

  it('does not count a deletion that failed', async () => {
    const world = new LifecycleWorld({ brake: { nodes: 1, share: 0, windowMs: 10 * minuteMs } });
    world.addNode({ name: 'n', instance: null });
    world.onRequest = ({ method }) => {
      if (method === 'DELETE') throw new Error('no way to the server');
    };
    const manager = world.start();
    await world.clock.advance(30_000);
    world.onRequest = () => {};
    world.setReady('n', 'True');
    world.addNode({ name: 'm', instance: null });
    await world.clock.advance(minuteMs);
    assert.deepEqual(world.names(), ['n']);
    await manager.stop();
  });

  it('sends no event about a failure once it no longer leads', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null });
    world.onRequest = ({ method }) => {
      if (method === 'DELETE') throw new NotLeadingError('the lease is lost', 'never');
    };
    const manager = world.start();
    await world.clock.advance(minuteMs);
    assert.ok(world.sent('DELETE') > 0);
    assert.ok(!manager.events.includes('DeletingNodeFailed n'));
    await manager.stop();
  });

  const interruptions: { name: string; begin: (world: LifecycleWorld) => void }[] = [
    { name: 'was Ready', begin: (world) => world.setReady('n', 'True') },
    {
      name: 'was paused',
      begin: (world) =>
        world.change('n', (node) => ({
          ...node,
          metadata: { ...node.metadata, annotations: { 'tandem.dev/paused': 'true' } },
        })),
    },
    { name: 'was found', begin: (world) => world.cloud.set(providerIDOf('n'), 'running') },
  ];
  for (const { name, begin } of interruptions) {
    it(`restarts the grace period for a node that ${name} for a moment`, async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'n', instance: null });
      const manager = world.start();
      await world.clock.advance(13_000);
      begin(world);
      await world.clock.advance(7_000);
      const sinceMs = world.clock.monotonic();
      world.cloud.remove(providerIDOf('n'));
      world.change('n', (node) => ({
        ...node,
        metadata: { ...node.metadata, annotations: {} },
        status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
      }));
      await world.clock.advance(16_000);
      assert.deepEqual(world.names(), ['n']);
      while (world.names().length > 0 && world.clock.monotonic() < sinceMs + minuteMs) {
        await world.clock.advance(1_000);
      }
      assert.deepEqual(world.names(), []);
      assert.ok(world.clock.monotonic() - sinceMs >= 15_000);
      await manager.stop();
    });
  }

  for (const taints of [[], [shutdownTaint.key]]) {
    const kind = taints.length === 0 ? 'a node' : 'a node that was shut down';
    it(`deletes ${kind} only on absences from after it was Ready, however briefly`, async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'n', instance: null, taints });
      world.cloud.onLookup = () => {
        if (world.cloud.lookups !== 4) return;
        world.setReady('n', 'True');
        world.setReady('n', 'Unknown');
      };
      const manager = world.start();
      await world.clock.advance(minuteMs);
      assert.deepEqual(world.names(), []);
      await manager.stop();
    });
  }

  describe('with the shutdown taint', () => {
    it('taints a node once while its instance is stopped, and removes the taint when it runs', async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'n', instance: 'stopped', taints: ['other'] });
      const manager = world.start();
      await world.clock.advance(minuteMs);
      assert.deepEqual(world.taintsOf('n'), ['other', shutdownTaint.key]);
      assert.deepEqual(manager.events, ['NodeShutdown n']);
      assert.equal(world.sent('PATCH'), 1);
      world.cloud.set(providerIDOf('n'), 'running');
      await world.clock.advance(minuteMs + 6_000);
      assert.deepEqual(world.taintsOf('n'), ['other']);
      assert.equal(world.sent('PATCH'), 2);
      await manager.stop();
    });

    it('removes the taint of a Ready node without asking the cloud', async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'n', ready: 'True', taints: [shutdownTaint.key] });
      const manager = world.start();
      await world.clock.advance(6_000);
      assert.deepEqual([world.taintsOf('n'), world.cloud.lookups], [[], 0]);
      await manager.stop();
    });

    it('changes nothing while the instance is stopping or the look-up fails', async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'a', instance: 'stopping' });
      world.addNode({ name: 'b', instance: 'running', taints: [shutdownTaint.key] });
      world.cloud.bend = ({ name }, answer) =>
        name === 'b' ? { kind: 'unknown', err: new Error('down') } : answer;
      const manager = world.start();
      await world.clock.advance(5 * minuteMs);
      assert.deepEqual([world.taintsOf('a'), world.taintsOf('b')], [[], [shutdownTaint.key]]);
      await manager.stop();
    });

    it('plans on the live node if the cached list of taints is outdated', async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'n', instance: 'stopped' });
      world.onRequest = ({ method }) => {
        if (method !== 'PATCH') return;
        world.onRequest = () => {};
        world.change('n', (node) => ({
          ...node,
          spec: {
            providerID: providerIDOf('n'),
            taints: [{ key: 'new', effect: 'NoSchedule' }],
          },
        }));
      };
      const manager = world.start();
      await world.clock.advance(minuteMs);
      assert.deepEqual(world.taintsOf('n'), ['new', shutdownTaint.key]);
      await manager.stop();
    });
  });

  describe('in a dry run', () => {
    it('has a forecast for every unhealthy node, pending at first', async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'gone', instance: null });
      world.addNode({ name: 'down', instance: 'stopped' });
      world.addNode({ name: 'silent', instance: 'running' });
      world.addNode({ name: 'well', instance: 'running', ready: 'True' });
      world.cloud.bend = ({ name }, answer) =>
        name === 'silent' ? { kind: 'unknown', err: new Error('down') } : answer;
      const manager = world.start({ mode: 'dryRun' });
      const forecasts = () =>
        manager.controller.forecasts()?.map((forecast) => {
          const actions = forecast.kind === 'decided' ? forecast.actions.join() : forecast.kind;
          return `${forecast.node} ${actions}`;
        });
      assert.equal(forecasts(), undefined);
      await world.clock.advance(1_000);
      assert.deepEqual(forecasts()?.toSorted(), [
        'down addShutdownTaint',
        'gone pending',
        'silent pending',
      ]);
      await world.clock.advance(minuteMs);
      assert.deepEqual(forecasts()?.toSorted(), [
        'down addShutdownTaint',
        'gone deleteNode',
        'silent unknown',
      ]);
      await manager.stop();
    });

    it('logs once what it would do, and writes nothing', async () => {
      const world = new LifecycleWorld();
      world.addNode({ name: 'gone', instance: null });
      world.addNode({ name: 'down', instance: 'stopped' });
      const manager = world.start({ mode: 'dryRun' });
      await world.clock.advance(10 * minuteMs);
      assert.deepEqual(world.names(), ['down', 'gone']);
      assert.deepEqual([world.sent('DELETE'), world.sent('PATCH'), manager.events], [0, 0, []]);
      const told = manager.log.filter((message) => message.startsWith('Would'));
      assert.deepEqual(told, ['Would write to node', 'Would delete node']);
      assert.equal(await manager.figure('tandem_node_deletions_total{outcome="would_delete"}'), 1);
      await manager.stop();
    });
  });
});
