/** Tests the reports about podCIDRs that nodes have: no problem is fatal, and its node shows it until it ends (P6). */
import assert from 'node:assert/strict';
import type { KubeTransport } from '@tandem/kube/transport';
import { sleep } from '@tandem/runtime';
import { dualPool, IpamWorld } from './ipam-world.fixture.ts';

const minuteMs = 60_000;

describe('podCIDRs that nodes have', () => {
  const cases = [
    {
      title: 'outside every pool',
      podCIDRs: ['10.9.0.0/24', 'fd00:10:244:9::/64'],
      code: 'PodCIDROutsidePools',
      says: /: podCIDR "10\.9\.0\.0\/24" is in no pool\. The only pool is cluster-cidr \(10\.244\.0\.0\/16, fd00:10:244::\/48\)\. Check /,
    },
    {
      title: 'outside every pool in both families',
      podCIDRs: ['10.9.0.0/24', 'fd09::/64'],
      code: 'PodCIDROutsidePools',
      says: /: podCIDRs "10\.9\.0\.0\/24" and "fd09::\/64" are in no pool\. The only pool is cluster-cidr \([^)]*\)\. Check /,
    },
    {
      title: 'larger than a pool',
      podCIDRs: ['10.244.0.0/15', 'fd00:10:244:9::/64'],
      code: 'PodCIDROutsidePools',
      says: /"10\.244\.0\.0\/15" covers the whole range 10\.244\.0\.0\/16/,
    },
    {
      title: 'as large as a pool of many blocks',
      podCIDRs: ['10.244.0.0/16', 'fd00:10:244:9::/64'],
      code: 'PodCIDROutsidePools',
      says: /"10\.244\.0\.0\/16" covers the whole range 10\.244\.0\.0\/16/,
    },
    {
      title: 'in a service range',
      podCIDRs: ['10.96.1.0/24', 'fd00:10:244:9::/64'],
      code: 'PodCIDROutsidePools',
      says: /overlaps the service range 10\.96\.0\.0\/16/,
    },
    {
      title: 'that are not CIDRs',
      podCIDRs: ['nonsense', 'fd00:10:244:9::/64'],
      code: 'PodCIDROutsidePools',
      says: /"nonsense" is not a CIDR/,
    },
    {
      title: 'in another order of families',
      podCIDRs: ['fd00:10:244:9::/64', '10.244.9.0/24'],
      code: 'PodCIDRFamilyOrder',
      says: /has IPv6 first, but pool cluster-cidr \(10\.244\.0\.0\/16, fd00:10:244::\/48\) has IPv4 first\. The node keeps its order/,
    },
    {
      title: 'of one family only',
      podCIDRs: ['10.244.9.0/24'],
      code: 'PodCIDRFamilyMissing',
      says: /has no IPv6 CIDR, but the pool cluster-cidr \(10\.244\.0\.0\/16, fd00:10:244::\/48\) has that family/,
    },
  ];
  for (const { title, podCIDRs, code, says } of cases) {
    it(`${title} are reported and kept`, async () => {
      const world = new IpamWorld();
      world.addNode({ name: 'odd', podCIDRs });
      const manager = world.start({ serviceRanges: ['10.96.0.0/16'] });
      world.addNodes('a');
      await world.clock.advance(minuteMs);
      assert.equal(
        world.events(code).filter((text) => says.test(text)).length,
        1,
        world.events().join('\n'),
      );
      assert.deepEqual(world.podCIDRs('odd'), podCIDRs);
      assert.equal(await manager.metric(`tandem_pod_cidr_problems{code="${code}"}`), 1);
      world.removeNode('odd');
      await world.clock.advance(1_000);
      assert.equal(await manager.metric(`tandem_pod_cidr_problems{code="${code}"}`), 0);
      await manager.stop();
    });
  }

  it('that overlap are reported on both nodes within a second, and not free while either exists', async () => {
    const world = new IpamWorld();
    world.toleratesOverlaps = true;
    const pools = [{ ranges: ['10.0.0.0/23 24'] }];
    const manager = world.start({ pools });
    world.addNodes('a');
    await world.clock.advance(1_000);
    // This CIDR has host bits and is larger, because the controller compares values, not texts.
    world.addNode({ name: 'b', podCIDRs: ['10.0.0.7/23'] });
    await world.clock.advance(1_000);
    assert.equal(world.events('DuplicatePodCIDR').length, 2);
    assert.match(
      world.events('DuplicatePodCIDR').join(),
      /a: podCIDR "10\.0\.0\.0\/24" overlaps a podCIDR of node b/,
    );
    assert.match(
      world.events('DuplicatePodCIDR').join(),
      /b: podCIDR "10\.0\.0\.7\/23" overlaps a podCIDR of node a/,
    );
    world.removeNode('a');
    world.addNodes('c');
    await world.clock.advance(1_000);
    assert.deepEqual(world.podCIDRs('c'), [], 'b has all of it');
    assert.equal(await manager.metric('tandem_pod_cidr_problems{code="DuplicatePodCIDR"}'), 0);
    await manager.stop();
  });

  it('that overlap other nodes in each family name all of these nodes', async () => {
    const world = new IpamWorld();
    world.toleratesOverlaps = true;
    world.addNode({ name: 'four', podCIDRs: ['10.244.1.0/24', 'fd00:10:244:4::/64'] });
    world.addNode({ name: 'six', podCIDRs: ['10.244.6.0/24', 'fd00:10:244:1::/64'] });
    world.addNode({ name: 'both', podCIDRs: ['10.244.1.0/24', 'fd00:10:244:1::/64'] });
    const manager = world.start();
    await world.clock.advance(1_000);
    assert.deepEqual(
      world.events('DuplicatePodCIDR').filter((text) => text.startsWith('both: ')),
      [
        'both: podCIDR "10.244.1.0/24" overlaps a podCIDR of node four, and "fd00:10:244:1::/64" of node six: pods of these nodes may get the same address. Delete all but one of these Nodes and let their kubelets register them again.',
      ],
    );
    world.removeNode('four');
    await world.clock.advance(1_000);
    assert.match(
      world.events('DuplicatePodCIDR').join('\n'),
      /both: podCIDR "fd00:10:244:1::\/64" overlaps a podCIDR of node six:/,
    );
    await manager.stop();
  });

  it('that overlap because of our own write are reported on both nodes', async () => {
    const world = new IpamWorld();
    world.toleratesOverlaps = true;
    const wrap = (inner: KubeTransport): KubeTransport => ({
      async send(request) {
        // Another node registers with the block while this write is in flight.
        const isFirst = request.method === 'PATCH' && world.all()['b'] === undefined;
        if (isFirst) world.addNode({ name: 'b', podCIDRs: ['10.0.0.0/24'] });
        if (isFirst) await sleep(world.clock, 50);
        return inner.send(request);
      },
      close: () => inner.close(),
    });
    const manager = world.start({ pools: [{ ranges: ['10.0.0.0/23 24'] }], wrap });
    world.addNodes('a');
    await world.clock.advance(1_000);
    assert.deepEqual(world.all(), { a: '10.0.0.0/24', b: '10.0.0.0/24' });
    const told = world.events('DuplicatePodCIDR').map((text) => text.slice(0, 1));
    assert.deepEqual(told.toSorted(), ['a', 'b']);
    await manager.stop();
  });

  it('that are the only block of their pool are no problem', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'a', podCIDRs: ['10.0.0.0/24'] });
    const manager = world.start({ pools: [{ ranges: ['10.0.0.0/24 24'] }] });
    await world.clock.advance(minuteMs);
    assert.deepEqual(world.events(), []);
    await manager.stop();
  });

  it('have an event that is renewed while the problem lasts', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'odd', podCIDRs: ['10.244.9.0/24'] });
    const manager = world.start();
    await world.clock.advance(35 * minuteMs);
    const [event] = world.model.store.collection('events').list();
    assert.ok(event !== undefined && JSON.stringify(event).includes('"series"'));
    await manager.stop();
  });

  it('are reported once, without renewal, if only their order differs', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'odd', podCIDRs: ['fd00:10:244:9::/64', '10.244.9.0/24'] });
    const manager = world.start();
    await world.clock.advance(90 * minuteMs);
    const events = world.model.store.collection('events').list();
    assert.deepEqual(
      events.map((event) => [event['reason'], event['series']]),
      [['PodCIDRFamilyOrder', undefined]],
    );
    await manager.stop();
  });

  it('are no longer counted in a new term if their node was deleted before', async () => {
    const world = new IpamWorld();
    world.addNode({ name: 'odd', podCIDRs: ['10.244.9.0/24'] });
    const first = world.start();
    await world.clock.advance(1_000);
    await first.stop();
    world.removeNode('odd');
    const second = world.start({ metrics: first.metrics });
    await world.clock.advance(1_000);
    const range = 'pool="cluster-cidr",range="10.244.0.0/16"';
    for (const gone of [
      'tandem_pod_cidr_problems{code="PodCIDRFamilyMissing"}',
      `tandem_pod_cidr_blocks{${range},state="bound"}`,
    ]) {
      assert.equal(await second.metric(gone), 0, gone);
    }
    await second.stop();
  });

  const changes = [
    { title: 'was changed', pools: ['10.9.0.0/16 24', 'fd09::/48 64'], reported: 2 },
    { title: 'was shortened', pools: ['10.244.128.0/17 24', 'fd00:10:244::/48 64'], reported: 2 },
    { title: 'was extended', pools: ['10.0.0.0/8 24', 'fd00::/16 64'], reported: 0 },
    { title: 'was reordered', pools: dualPool.ranges.toReversed(), reported: 0 },
    { title: 'was reduced to one family', pools: ['10.244.0.0/16 24'], reported: 2 },
  ];
  for (const { title, pools, reported } of changes) {
    it(`stay as they are when the cluster CIDR ${title}, and the manager assigns further blocks`, async () => {
      const world = new IpamWorld();
      const first = world.start();
      world.addNodes('a', 'b');
      await world.clock.advance(1_000);
      await first.stop();
      const before = world.all();
      const second = world.start({ pools: [{ ranges: pools }] });
      world.addNodes('c');
      await world.clock.advance(minuteMs);
      const { c, ...others } = world.all();
      assert.deepEqual(others, before);
      assert.notEqual(c, '');
      assert.equal(world.events('PodCIDROutsidePools').length, reported);
      const isReordered = title === 'was reordered';
      assert.equal(world.events('PodCIDRFamilyOrder').length, isReordered ? 2 : 0);
      await second.stop();
    });
  }
});

describe('another allocator', () => {
  it('is named from the managed fields, with one read and one event a minute', async () => {
    const world = new IpamWorld();
    let reads = 0;
    const manager = world.start({
      wrap: (inner) => ({
        send: (request) => {
          if (/nodes\/\w/.test(request.path) && request.method === 'GET') reads += 1;
          return inner.send(request);
        },
        close: () => inner.close(),
      }),
    });
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      world.addNode({ name, annotations: { 'tandem.dev/paused': 'true' } });
      await world.clock.advance(100);
      const podCIDRs = [`10.244.${at + 7}.0/24`, `fd00:10:244:${at + 7}::/64`];
      const managedFields = [
        { manager: 'kubelet', fieldsV1: { 'f:status': {} } },
        { manager: 'kube-controller-manager', fieldsV1: { 'f:spec': { 'f:podCIDRs': {} } } },
      ];
      world.change(name, ({ metadata, ...node }) => ({
        ...node,
        metadata: { ...metadata, managedFields },
        spec: { podCIDR: podCIDRs[0], podCIDRs },
      }));
      await world.clock.advance(100);
    }
    assert.deepEqual(world.events('ForeignAllocator'), [
      'a: "kube-controller-manager" gave this node its podCIDRs 10.244.7.0/24, fd00:10:244:7::/64 while Tandem allocates. Two allocators can give one block to two nodes. Let only one of them allocate.',
    ]);
    assert.equal(reads, 1);
    assert.equal(await manager.metric('tandem_foreign_pod_cidrs_total'), 3);
    assert.ok(
      manager.log.some(
        ({ msg, manager: who }) =>
          msg === 'Another program assigns pod CIDRs' && who === 'kube-controller-manager',
      ),
    );
    await manager.stop();
  });

  for (const { name, afterMs, want } of [
    {
      name: 'that is another Tandem is named after a minute, when no write of a previous leader arrives',
      afterMs: minuteMs + 1_000,
      want: [
        'a: Another Tandem gave this node its podCIDRs 10.244.7.0/24, fd00:10:244:7::/64 while this one allocates. Two allocators can give one block to two nodes. Give all managers of the cluster the same Lease (--leader-elect-resource-name and -namespace).',
      ],
    },
    {
      name: 'is not suspected while the last write of a previous leader may arrive',
      afterMs: minuteMs - 500,
      want: [],
    },
  ]) {
    it(name, async () => {
      const world = new IpamWorld();
      const manager = world.start();
      await world.clock.advance(afterMs - 200);
      world.addNode({ name: 'a', annotations: { 'tandem.dev/paused': 'true' } });
      await world.clock.advance(100);
      const podCIDRs = ['10.244.7.0/24', 'fd00:10:244:7::/64'];
      const managedFields = [{ manager: 'tandem', fieldsV1: { 'f:spec': { 'f:podCIDRs': {} } } }];
      world.change('a', ({ metadata, ...node }) => ({
        ...node,
        metadata: { ...metadata, managedFields },
        spec: { podCIDR: podCIDRs[0], podCIDRs },
      }));
      await world.clock.advance(1_000);
      assert.deepEqual(world.events('ForeignAllocator'), want);
      assert.equal(await manager.metric('tandem_foreign_pod_cidrs_total'), 1);
      await manager.stop();
    });
  }

  it('is not suspected because of our own podCIDRs', async () => {
    const world = new IpamWorld();
    const manager = world.start();
    world.addNodes('a', 'b');
    await world.clock.advance(minuteMs);
    assert.equal(await manager.metric('tandem_foreign_pod_cidrs_total'), 0);
    await manager.stop();
  });
});

describe('a dry run', () => {
  it('logs the blocks that it would assign, different ones for each node, and writes nothing', async () => {
    const world = new IpamWorld();
    world.addNodes('a', 'b');
    world.addNode({ name: 'odd', podCIDRs: ['10.9.0.0/24', 'fd00:10:244::/64'] });
    const manager = world.start({ mode: 'dryRun' });
    await world.clock.advance(minuteMs);
    assert.deepEqual([world.writes, world.events()], [[], []]);
    const would = manager.log.filter(({ msg }) => msg === 'Would write to node');
    assert.deepEqual(
      would.map(({ node, podCIDRs }) => `${String(node)} ${String(podCIDRs)}`),
      ['a 10.244.0.0/24,fd00:10:244:1::/64', 'b 10.244.1.0/24,fd00:10:244:2::/64'],
    );
    const forecasts = manager.controller.forecasts() ?? [];
    assert.deepEqual(
      forecasts.map((one) =>
        one.kind === 'decided' ? [one.node, ...one.actions, one.reason] : [],
      ),
      [
        ['a', 'assignPodCIDRs', undefined],
        ['b', 'assignPodCIDRs', undefined],
        ['odd', 'PodCIDROutsidePools'],
      ],
    );
    await manager.stop();
  });
});
