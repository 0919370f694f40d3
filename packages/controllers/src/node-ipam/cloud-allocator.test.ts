/** Tests pod CIDRs that come from the cloud's instances. */
import assert from 'node:assert/strict';
import type { Family } from '@tandem/core/ip';
import type { Instance, LookupAnswer, LookupAnswers, Provider } from '@tandem/provider/plug';
import { type IpamManager, type IpamManagerOptions, IpamWorld } from './ipam-world.fixture.ts';

const second = 1_000;

type Blocks = Partial<Record<Family, readonly string[]>>;

/** A cloud that finds instances by node name. Tests change its answers. */
class BlockCloud implements Provider {
  readonly name = 'blocks';
  readonly instances = new Map<string, Blocks>();
  readonly #world: IpamWorld;
  /** Nodes whose instances the cloud cannot read, and why. */
  readonly refusals = new Map<string, string>();
  readonly others = new Set<string>();
  isBroken = false;
  calls = 0;
  tellChange: () => void = () => {};

  constructor(world: IpamWorld) {
    this.#world = world;
  }

  identify(providerID: string): string | undefined {
    return providerID.startsWith('blocks://') ? providerID : undefined;
  }

  watch(onChange: (keys: readonly string[]) => void): void {
    this.tellChange = () => onChange([]);
  }

  async lookup(nodes: readonly { readonly name: string }[]): Promise<LookupAnswers> {
    this.calls += 1;
    if (this.isBroken) throw new Error('the cloud is away');
    const asOfMs = this.#world.clock.monotonic();
    return new Map(nodes.map(({ name }) => [name, this.#answer(name, asOfMs)]));
  }

  #answer(name: string, asOfMs: number): LookupAnswer {
    if (this.others.has(name)) return { kind: 'notOurs' };
    const refusal = this.refusals.get(name);
    if (refusal !== undefined) return { kind: 'unknown', err: new Error(refusal) };
    const blocks = this.instances.get(name);
    if (blocks === undefined) return { kind: 'absent', asOfMs };
    const podBlocks = { IPv4: blocks.IPv4 ?? [], IPv6: blocks.IPv6 ?? [] };
    const instance: Instance = {
      providerID: `blocks://${name}`,
      addresses: [],
      state: 'running',
      labels: {},
      podBlocks,
    };
    return { kind: 'found', instance, asOfMs };
  }
}

function aWorld(families: readonly Family[] = ['IPv4', 'IPv6']) {
  const world = new IpamWorld();
  const cloud = new BlockCloud(world);
  const start = (options: Pick<IpamManagerOptions, 'serviceRanges'> = {}) =>
    world.start({ ...options, cloud: { provider: cloud, families } });
  return { world, cloud, start };
}

const uninitialised = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

/** Returns each item of `/statusz/pools` with its state and its problems. */
function shown(manager: IpamManager): readonly string[] {
  const items = manager.controller.views.pools()?.entries.map(({ item }) => item()) ?? [];
  return items
    .map(
      ({ name, state, problems }) => `${name} ${state} ${problems.map(({ code }) => code).join()}`,
    )
    .toSorted();
}

const dual: Blocks = { IPv4: ['10.1.0.0/24'], IPv6: ['fd01::/80'] };
const podCIDRs = ['10.1.0.0/24', 'fd01::/80'];

describe('the cloud allocator', () => {
  it('gives a node the blocks of its instance, in the order of the configured families', async () => {
    const { world, cloud, start } = aWorld(['IPv6', 'IPv4']);
    cloud.instances.set('a', dual);
    world.addNodes('a');
    const manager = start();
    await world.clock.advance(second);
    assert.equal(world.all()['a'], 'fd01::/80,10.1.0.0/24');
    assert.deepEqual(world.writes, ['PATCH a']);
    await manager.stop();
  });

  it('looks up hundreds of nodes in a few calls', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    for (let at = 0; at < 300; at++) {
      cloud.instances.set(`n${at}`, { IPv4: [`10.${at >> 8}.${at & 255}.0/24`] });
      world.addNodes(`n${at}`);
    }
    const manager = start();
    await world.clock.advance(10 * second);
    assert.ok(Object.values(world.all()).every((text) => text !== ''));
    assert.ok(cloud.calls <= 10, `${cloud.calls} calls`);
    await manager.stop();
  });

  it('looks up a missing instance often while the node is young, then once a minute', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    world.addNodes('a');
    const manager = start();
    await world.clock.advance(290 * second);
    assert.ok(cloud.calls >= 50, `${cloud.calls} calls`);
    await world.clock.advance(30 * second);
    cloud.calls = 0;
    await world.clock.advance(600 * second);
    assert.ok(cloud.calls >= 9 && cloud.calls <= 11, `${cloud.calls} calls`);
    await manager.stop();
  });

  it('assigns none of several blocks of a family, names them, and assigns one once it is the only one', async () => {
    const { world, cloud, start } = aWorld();
    cloud.instances.set('a', { IPv4: ['10.1.9.0/24', '10.1.2.0/24'], IPv6: ['FD01:0::0/80'] });
    world.addNodes('a');
    const manager = start();
    await world.clock.advance(second);
    assert.match(
      world.events('CIDRNotAvailable').join(),
      /^a: The cloud lists 10\.1\.2\.0\/24, 10\.1\.9\.0\/24 and fd01::\/80 for the instance of this node, and a node gets exactly one/,
    );
    cloud.instances.set('a', { IPv4: ['10.1.9.0/24'], IPv6: ['FD01:0::0/80'] });
    cloud.tellChange();
    await world.clock.advance(2 * second);
    assert.equal(world.all()['a'], '10.1.9.0/24,fd01::/80');
    await manager.stop();
  });

  it('accepts podCIDRs that are among several blocks of the instance', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    cloud.instances.set('a', { IPv4: ['10.1.9.0/24', '10.1.2.0/24'] });
    world.addNode({ name: 'a', podCIDRs: ['10.1.9.0/24'] });
    const manager = start();
    await world.clock.advance(second);
    assert.deepEqual(world.events('CloudCIDRAllocatorMismatch'), []);
    assert.deepEqual(world.writes, []);
    await manager.stop();
  });

  it('names the family that an instance lacks, and assigns both once the cloud has it', async () => {
    const { world, cloud, start } = aWorld();
    cloud.instances.set('a', { IPv4: ['10.1.0.0/24'] });
    world.addNodes('a');
    const manager = start();
    await world.clock.advance(second);
    assert.match(world.events('CIDRNotAvailable').join(), /^a: The cloud lists no IPv6 block/);
    cloud.instances.set('a', dual);
    cloud.tellChange();
    await world.clock.advance(2 * second);
    assert.equal(world.all()['a'], '10.1.0.0/24,fd01::/80');
    await manager.stop();
  });

  it('shows on /statusz how many nodes wait for blocks of their instance', async () => {
    const { world, cloud, start } = aWorld();
    cloud.instances.set('a', dual).set('b', { IPv4: ['10.1.1.0/24'] });
    world.addNodes('a', 'b');
    const manager = start();
    await world.clock.advance(second);
    const [{ rows, notes }] = manager.controller.status();
    assert.deepEqual([rows, notes], [[], ['The cloud assigns the blocks. Nodes that wait: 1.']]);
    await manager.stop();
  });

  it('asks again after the cloud failed or did not know the instance', async () => {
    const { world, cloud, start } = aWorld();
    world.addNodes('a');
    cloud.isBroken = true;
    const manager = start();
    await world.clock.advance(20 * second);
    cloud.isBroken = false;
    await world.clock.advance(60 * second);
    cloud.instances.set('a', dual);
    await world.clock.advance(60 * second);
    assert.equal(world.all()['a'], '10.1.0.0/24,fd01::/80');
    await manager.stop();
  });

  it('names the missing instance, counts its node as waiting, and assigns blocks once it exists', async () => {
    const { world, cloud, start } = aWorld();
    world.addNodes('a', 'b');
    world.change('b', (node) => ({ ...node, spec: { providerID: 'blocks://b' } }));
    const manager = start();
    await world.clock.advance(6 * second);
    assert.deepEqual(world.events().toSorted(), [
      'a: The cloud has no instance named "a", so this node gets no podCIDRs. Add the instance under this name, rename it, or delete the Node.',
      'b: The cloud has no instance with the providerID "blocks://b", so this node gets no podCIDRs. Restore the instance or delete the Node.',
    ]);
    assert.equal(world.events('CIDRNotAvailable').length, 2);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 2);
    await world.clock.advance(60 * second);
    assert.deepEqual([world.events().length, manager.messages('warn').length], [2, 2]);
    cloud.instances.set('a', dual);
    await world.clock.advance(6 * second);
    assert.equal(world.all()['a'], podCIDRs.join());
    assert.equal(world.events('CIDRAssigned').length, 1);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 1);
    await manager.stop();
  });

  it('reports once why look-ups of an instance fail, even if the message changes', async () => {
    const { world, cloud, start } = aWorld();
    world.addNodes('a');
    cloud.refusals.set('a', 'its entry has no address');
    const manager = start();
    await world.clock.advance(6 * second);
    cloud.refusals.set('a', 'another request id');
    await world.clock.advance(60 * second);
    assert.deepEqual(world.events(), [
      'a: The cloud lookup for this node failed ("Lookup by blocks failed: its entry has no address"), so this node gets no podCIDRs. The manager retries it.',
    ]);
    assert.equal(world.events('CIDRNotAvailable').length, 1);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 1);
    await manager.stop();
  });

  it('reports a missing instance only after a second look-up, also after each change', async () => {
    const { world, cloud, start } = aWorld();
    world.addNodes('a');
    const manager = start();
    await world.clock.advance(2 * second);
    cloud.tellChange();
    await world.clock.advance(2 * second);
    assert.ok(cloud.calls >= 2, `${cloud.calls} calls`);
    cloud.instances.set('a', dual);
    await world.clock.advance(6 * second);
    assert.equal(world.all()['a'], podCIDRs.join());
    assert.deepEqual([world.events(), manager.messages('warn')], [[], []]);
    await manager.stop();
  });

  it('no longer counts a node as waiting that is being deleted', async () => {
    const { world, start } = aWorld();
    world.addNodes('a');
    const manager = start();
    await world.clock.advance(6 * second);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 1);
    world.change('a', (node) => ({
      ...node,
      metadata: { ...node.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    }));
    await world.clock.advance(second);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 0);
    await manager.stop();
  });

  const quietly = [
    { name: 'is uninitialised', change: { spec: { taints: [uninitialised] } } },
    { name: 'is paused', change: { metadata: { annotations: { 'tandem.dev/paused': 'true' } } } },
    { name: 'has podCIDRs', change: { spec: { podCIDR: podCIDRs[0], podCIDRs } } },
    {
      name: 'is being deleted',
      change: { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
    },
  ];
  for (const { name, change } of quietly) {
    it(`reports nothing about a node without an instance that ${name}`, async () => {
      const { world, start } = aWorld();
      world.addNodes('a');
      world.change('a', (node) => ({
        ...node,
        ...change,
        metadata: { ...node.metadata, ...change.metadata },
      }));
      const manager = start();
      await world.clock.advance(30 * second);
      assert.deepEqual([world.events(), manager.messages('warn')], [[], []]);
      assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 0);
      await manager.stop();
    });
  }

  it('warns about podCIDRs that the instance does not have, and writes nothing', async () => {
    const { world, cloud, start } = aWorld();
    cloud.instances.set('a', dual);
    world.addNode({ name: 'a', podCIDRs: ['10.9.0.0/24', 'fd01::/80'] });
    const manager = start();
    await world.clock.advance(second);
    assert.match(
      world.events('CloudCIDRAllocatorMismatch').join(),
      /^a: The node has podCIDRs 10\.9\.0\.0\/24 and fd01::\/80, but the cloud lists 10\.1\.0\.0\/24 and fd01::\/80/,
    );
    assert.deepEqual(world.writes, []);
    await manager.stop();
  });

  it('warns about podCIDRs that lack a family, whether or not the instance has it', async () => {
    const { world, cloud, start } = aWorld();
    cloud.instances.set('a', dual).set('b', { IPv4: ['10.1.1.0/24'] });
    world.addNode({ name: 'a', podCIDRs: ['10.1.0.0/24'] });
    world.addNode({ name: 'b', podCIDRs: ['10.1.1.0/24'] });
    const manager = start();
    await world.clock.advance(second);
    assert.deepEqual(world.events().toSorted(), [
      'a: podCIDRs has no IPv6 CIDR, but --cluster-cidr has that family. Delete the Node and let its kubelet register it again.',
      'b: podCIDRs has no IPv6 CIDR, but --cluster-cidr has that family. Assign an IPv6 block to the instance first, then delete the Node and let its kubelet register it again.',
    ]);
    assert.equal(world.events('PodCIDRFamilyMissing').length, 2);
    assert.deepEqual(world.writes, []);
    await manager.stop();
  });

  it('assigns no block that overlaps a service range, and another block once the instance has one', async () => {
    const { world, cloud, start } = aWorld();
    cloud.instances.set('a', { IPv4: ['10.96.1.0/24'], IPv6: ['fd01::/80'] });
    world.addNodes('a');
    const manager = start({ serviceRanges: ['10.96.0.0/16'] });
    await world.clock.advance(second);
    assert.deepEqual(world.events('CIDRNotAvailable'), [
      'a: The cloud lists 10.96.1.0/24 for the instance of this node, which overlaps the service range 10.96.0.0/16. Assign another block to the instance.',
    ]);
    assert.deepEqual(world.writes, []);
    cloud.instances.set('a', dual);
    cloud.tellChange();
    await world.clock.advance(2 * second);
    assert.equal(world.all()['a'], '10.1.0.0/24,fd01::/80');
    await manager.stop();
  });

  it('assigns no block that pods cannot use', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    cloud.instances.set('a', { IPv4: ['127.1.0.0/24'] });
    world.addNodes('a');
    const manager = start();
    await world.clock.advance(second);
    assert.deepEqual(world.events('CIDRNotAvailable'), [
      'a: The cloud lists a block for the instance of this node that pods cannot use: 127.1.0.0/24 lies in 127.0.0.0/8, which is for loopback. Use a private range, such as 10.244.0.0/16 or fd00:10:244::/48.',
    ]);
    assert.deepEqual(world.writes, []);
    await manager.stop();
  });

  it('warns about podCIDRs that overlap a service range', async () => {
    const { world, cloud, start } = aWorld();
    cloud.instances.set('a', { IPv4: ['10.96.1.0/24'], IPv6: ['fd01::/80'] });
    world.addNode({ name: 'a', podCIDRs: ['10.96.1.0/24', 'fd01::/80'] });
    const manager = start({ serviceRanges: ['10.96.0.0/16'] });
    await world.clock.advance(second);
    assert.deepEqual(world.events('PodCIDROutsidePools'), [
      'a: podCIDR "10.96.1.0/24" overlaps the service range 10.96.0.0/16. Assign another block to the instance, then delete the Node and let its kubelet register it again.',
    ]);
    await manager.stop();
  });

  it('assigns no overlapping blocks of two instances, and names each node on the other', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    cloud.instances.set('a', { IPv4: ['10.1.0.0/23'] });
    cloud.instances.set('b', { IPv4: ['10.1.1.0/24'] });
    world.addNodes('a', 'b');
    const manager = start();
    await world.clock.advance(second);
    assert.deepEqual(world.writes, []);
    const tail =
      'so this node gets no podCIDRs. Assign blocks that do not overlap to the instances.';
    assert.deepEqual(world.events('DuplicatePodCIDR').toSorted(), [
      `a: The cloud lists 10.1.0.0/23 for the instance of this node, which overlaps a block of node b, ${tail}`,
      `b: The cloud lists 10.1.1.0/24 for the instance of this node, which overlaps a block of node a, ${tail}`,
    ]);
    cloud.instances.set('b', { IPv4: ['10.1.2.0/24'] });
    cloud.tellChange();
    await world.clock.advance(2 * second);
    assert.deepEqual(world.all(), { a: '10.1.0.0/23', b: '10.1.2.0/24' });
    await manager.stop();
  });

  it('counts nodes with overlapping blocks as waiting, shows each once, and looks them up again', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    cloud.instances.set('a', { IPv4: ['10.1.0.0/24'] }).set('b', { IPv4: ['10.1.0.0/24'] });
    world.addNodes('a', 'b');
    const manager = start();
    await world.clock.advance(second);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 2);
    const [{ notes }] = manager.controller.status();
    assert.match(notes.join(), /^The cloud assigns the blocks\. Nodes that wait: 2\./);
    assert.deepEqual(shown(manager), ['a waiting DuplicatePodCIDR', 'b waiting DuplicatePodCIDR']);
    cloud.instances.set('b', { IPv4: ['10.1.2.0/24'] });
    await world.clock.advance(61 * second);
    assert.deepEqual(world.all(), { a: '10.1.0.0/24', b: '10.1.2.0/24' });
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 0);
    assert.deepEqual(shown(manager), ['a bound ', 'b bound ']);
    await manager.stop();
  });

  it('shows a node once that waits although its instance has a block of each family', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    cloud.instances.set('a', { IPv4: ['10.96.1.0/24'] });
    world.addNodes('a');
    const manager = start({ serviceRanges: ['10.96.0.0/16'] });
    await world.clock.advance(second);
    assert.deepEqual(shown(manager), ['a waiting CIDRNotAvailable']);
    await manager.stop();
  });

  it('logs no success when CIDRNotAvailable ends because blocks now overlap', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    cloud.instances.set('a', {}).set('b', { IPv4: ['10.1.0.0/24'] });
    world.addNodes('a', 'b');
    const manager = start();
    await world.clock.advance(second);
    cloud.instances.set('a', { IPv4: ['10.1.0.0/24'] });
    cloud.tellChange();
    await world.clock.advance(2 * second);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 1);
    assert.ok(!manager.messages().includes('Node no longer waits for pod CIDRs'));
    assert.deepEqual(shown(manager), ['a waiting DuplicatePodCIDR', 'b bound DuplicatePodCIDR']);
    await manager.stop();
  });

  it('keeps the problems of a node during further look-ups and failures of the cloud', async () => {
    const { world, cloud, start } = aWorld(['IPv4']);
    cloud.instances.set('a', { IPv4: ['10.1.0.0/24'] }).set('b', { IPv4: ['10.1.0.0/24'] });
    cloud.instances.set('c', { IPv4: ['10.3.0.0/24'] });
    world.addNodes('a', 'b');
    world.addNode({ name: 'c', podCIDRs: ['10.9.0.0/24'] });
    const manager = start();
    await world.clock.advance(second);
    const found = manager.messages();
    cloud.tellChange();
    await world.clock.advance(2 * second);
    cloud.isBroken = true;
    cloud.tellChange();
    await world.clock.advance(60 * second);
    const own = (messages: readonly string[]) => messages.filter((text) => /pod CIDRs/.test(text));
    assert.deepEqual(own(manager.messages()), own(found));
    assert.equal(await manager.metric('tandem_pod_cidr_problems{code="DuplicatePodCIDR"}'), 2);
    await manager.stop();
  });

  it('ends an overlap with a deleted node even if the cloud does not know the instance', async () => {
    const { world, start } = aWorld(['IPv4']);
    world.toleratesOverlaps = true;
    for (const name of ['a', 'b']) world.addNode({ name, podCIDRs: ['10.1.0.0/24'] });
    const manager = start();
    await world.clock.advance(second);
    const duplicates = 'tandem_pod_cidr_problems{code="DuplicatePodCIDR"}';
    assert.equal(await manager.metric(duplicates), 2);
    world.removeNode('b');
    await world.clock.advance(second);
    assert.equal(await manager.metric(duplicates), 0);
    await manager.stop();
  });

  it('counts a node as waiting during a failed look-up, until the node has podCIDRs', async () => {
    const { world, cloud, start } = aWorld();
    cloud.instances.set('a', { IPv4: ['10.1.0.0/24'] });
    world.addNodes('a');
    const manager = start();
    await world.clock.advance(second);
    cloud.isBroken = true;
    cloud.tellChange();
    await world.clock.advance(second);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 1);
    world.change('a', (node) => ({ ...node, spec: { podCIDR: podCIDRs[0], podCIDRs } }));
    await world.clock.advance(second);
    assert.equal(await manager.metric('tandem_pod_cidr_waiting_nodes'), 0);
    assert.ok(manager.messages().includes('Node no longer waits for pod CIDRs'));
    await manager.stop();
  });

  it('leaves nodes alone that the cloud reported as not its own, even while the cloud fails', async () => {
    const { world, cloud, start } = aWorld();
    cloud.others.add('theirs');
    world.addNodes('theirs');
    const manager = start();
    await world.clock.advance(second);
    cloud.isBroken = true;
    for (let at = 0; at < 5; at++) {
      cloud.tellChange();
      await world.clock.advance(10 * second);
    }
    assert.deepEqual([world.events(), manager.messages('warn')], [[], []]);
    await manager.stop();
  });

  it('leaves nodes of other clouds alone', async () => {
    const { world, start } = aWorld();
    world.addNode({ name: 'theirs' });
    world.change('theirs', (node) => ({ ...node, spec: { providerID: 'other://x' } }));
    const manager = start();
    await world.clock.advance(60 * second);
    assert.deepEqual([world.writes, world.events()], [[], []]);
    await manager.stop();
  });
});
