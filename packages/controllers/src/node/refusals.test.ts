import assert from 'node:assert/strict';
import { NodeWorld } from './node-world.fixture.ts';

const operators = 'tandem.dev/node-ip';

describe('a node whose request is refused', () => {
  it('stays tainted, with an event that names the requested and the cloud’s addresses', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', annotations: { [operators]: '10.9.9.9' } });
    const manager = world.start();
    await world.clock.advance(2_000);
    assert.equal(world.node('a').isInitialised, false);
    const [event, ...others] = world.events('a');
    assert.deepEqual(others, []);
    assert.equal(event?.type, 'Warning');
    assert.equal(event?.reason, 'AddressNotFound');
    assert.equal(event?.action, 'InitializeNode');
    assert.match(event?.note ?? '', /10\.9\.9\.9.*10\.100\.0\.1/);
    assert.deepEqual(world.writes, []);
    const gauge = (line: string): Promise<number> => manager.metric(line);
    assert.equal(await gauge('tandem_uninitialized_nodes{reason="AddressNotFound"}'), 1);
    assert.equal(await gauge('tandem_refused_nodes{code="AddressNotFound"}'), 1);
    const oldest = 'tandem_oldest_uninitialized_node_age_seconds{reason="AddressNotFound"}';
    assert.ok((await gauge(oldest)) >= 1 && (await gauge(oldest)) <= 2);
    assert.equal(await gauge('tandem_refusals_total{code="AddressNotFound"}'), 1);
  });

  it('is looked up every minute, and initialised when the cloud has the requested address', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', annotations: { [operators]: '10.9.9.9' } });
    const manager = world.start();
    await world.clock.advance(10_000);
    const { lookups } = world.cloud.counts;
    world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    await world.clock.advance(52_000);
    assert.equal(world.cloud.counts.lookups, lookups + 1);
    assert.ok(world.node('a').isInitialised);
    await world.clock.advance(16_000);
    assert.equal(await manager.metric('tandem_refused_nodes{code="AddressNotFound"}'), 0);
    assert.equal(await manager.metric('tandem_uninitialized_nodes{reason="AddressNotFound"}'), 0);
  });

  it('has an event that is renewed while the refusal lasts, and no longer', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', annotations: { [operators]: 'nonsense' } });
    world.start();
    await world.clock.advance(2 * 3_600_000);
    const [standing] = world.events('a');
    assert.equal(standing?.reason, 'InvalidSyntax');
    assert.ok((standing?.count ?? 0) >= 4, `renewed every half hour, ${standing?.count} times`);
    world.annotate('a', { [operators]: null });
    await world.clock.advance(2 * 3_600_000);
    assert.ok(world.node('a').isInitialised);
    assert.equal(world.events('a').find(({ type }) => type === 'Warning')?.count, standing?.count);
  });

  it('has an event about its current request within a minute, even after many changes', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    world.start();
    for (let tries = 0; tries < 40; tries++) {
      world.annotate('a', { [operators]: `10.9.9.${tries}` });
      await world.clock.advance(1_000);
    }
    await world.clock.advance(60_000);
    const notes = world.events('a').map(({ note }) => note);
    assert.ok(notes.some((note) => note.startsWith('Requested address 10.9.9.39 is not')));
    assert.ok(notes.length < 40, `${notes.length} events`);
  });

  it('keeps its addresses if it is initialised', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    world.start();
    await world.clock.advance(1_000);
    const { addresses } = world.node('a');
    world.annotate('a', { [operators]: 'IPv4,10.0.0.1' });
    await world.clock.advance(500);
    assert.deepEqual(world.node('a').addresses, addresses);
    const refusal = world.events('a').find(({ type }) => type === 'Warning');
    assert.equal(refusal?.reason, 'SameFamilyPair');
    assert.equal(refusal?.action, 'UpdateAddresses');
  });

  it('is not refused for a missing address before a new look-up', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    world.start();
    await world.clock.advance(30_000);
    const { lookups } = world.cloud.counts;
    world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    world.annotate('a', { [operators]: '10.9.9.9' });
    await world.clock.advance(500);
    assert.deepEqual(world.node('a').addresses, ['InternalIP 10.9.9.9', 'Hostname a']);
    assert.equal(world.cloud.counts.lookups, lookups + 1);
    assert.deepEqual(world.reasons('a'), ['Synced', 'AddressesChanged']);
  });
});

describe('a request that changes on a running node', () => {
  it('takes effect at once, without a call if the cloud’s answer is known', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    world.start();
    await world.clock.advance(60_000);
    const { lookups } = world.cloud.counts;
    world.annotate('a', { [operators]: 'IPv6' });
    await world.clock.advance(100);
    assert.deepEqual(world.node('a').addresses, ['InternalIP fd00:100::1', 'Hostname a']);
    assert.equal(world.cloud.counts.lookups, lookups);
    const event = world.events('a').find(({ reason }) => reason === 'AddressesChanged');
    assert.equal(event?.action, 'UpdateAddresses');
    assert.equal(
      event?.note,
      'Addresses changed from InternalIP 10.100.0.1, InternalIP fd00:100::1 and Hostname a to InternalIP fd00:100::1 and Hostname a (SS IPv6). tandem.dev/node-ip requests "IPv6".',
    );
  });

  it('is reported once if the kubelet requests something else', async () => {
    const world = new NodeWorld();
    const annotations = {
      [operators]: 'IPv6',
      'alpha.kubernetes.io/provided-node-ip': '10.100.0.1',
    };
    world.addMachine({ name: 'a', annotations });
    world.start();
    await world.clock.advance(20 * 60_000);
    const differing = (): string[] =>
      world
        .events('a')
        .flatMap(({ reason, type, count }) =>
          reason === 'NodeIPRequestsDiffer' ? [`${type} ${count}`] : [],
        );
    assert.deepEqual(differing(), ['Warning 1']);
    world.annotate('a', { [operators]: 'IPv6,IPv4' });
    await world.clock.advance(20 * 60_000);
    assert.deepEqual(differing(), ['Warning 1', 'Warning 1']);
  });

  it('is reported once if the cloud cannot satisfy the kubelet’s request', async () => {
    const world = new NodeWorld();
    const cloud = [{ type: 'InternalIP', address: '10.0.0.1' }];
    const annotations = { 'alpha.kubernetes.io/provided-node-ip': 'IPv6' };
    world.addMachine({ name: 'a', cloud, annotations });
    world.start();
    await world.clock.advance(60_000);
    world.annotate('a', { [operators]: 'IPv4', ...annotations });
    await world.clock.advance(11 * 60_000);
    assert.deepEqual(world.node('a').addresses, ['InternalIP 10.0.0.1', 'Hostname a']);
    const differing = world.events('a').filter(({ reason }) => reason === 'NodeIPRequestsDiffer');
    assert.deepEqual(
      differing.map(({ type, count }) => `${type} ${count}`),
      ['Warning 1'],
    );
  });

  it('is logged with its source', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', annotations: { [operators]: 'IPv6' } });
    const manager = world.start();
    await world.clock.advance(2_000);
    world.annotate('a', { [operators]: 'IPv4' });
    await world.clock.advance(10_000);
    const requestIn = (message: string): unknown =>
      manager.log.find(({ msg }) => msg === message)?.['request'];
    assert.deepEqual(requestIn('Initialised node'), { value: 'IPv6', source: operators });
    assert.deepEqual(requestIn('Changed node addresses'), { value: 'IPv4', source: operators });
  });
});

describe('a node of another cloud', () => {
  for (const taints of [undefined, []]) {
    const kind = taints === undefined ? 'uninitialised' : 'initialised';
    it(`gets an event and nothing else when it is ${kind}`, async () => {
      const world = new NodeWorld();
      const order = taints === undefined ? {} : { taints };
      world.addNode({ name: 'a', providerID: 'other:///a', ...order });
      world.start();
      await world.clock.advance(10 * 60_000);
      assert.deepEqual(world.reasons('a'), ['ForeignProviderID']);
      assert.deepEqual(world.writes, []);
      assert.equal(world.cloud.counts.lookups, 0);
    });
  }
});

describe('the end of a refusal or a pause', () => {
  async function endingOf(annotations: Record<string, string>): Promise<unknown> {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', annotations });
    const manager = world.start();
    await world.clock.advance(10_000);
    world.annotate('a', Object.fromEntries(Object.keys(annotations).map((key) => [key, null])));
    await world.clock.advance(10_000);
    const { msg, was, reason } =
      manager.log.find((line) => /no longer/.test(String(line['msg']))) ?? {};
    return { msg, was, reason };
  }

  it('is logged with the earlier refusal code, and not with a reason for the end', async () => {
    assert.deepEqual(await endingOf({ [operators]: '10.9.9.9' }), {
      msg: 'Node is no longer refused',
      was: 'AddressNotFound',
      reason: undefined,
    });
    assert.deepEqual(await endingOf({ 'tandem.dev/paused': 'true' }), {
      msg: 'Node is no longer paused',
      was: undefined,
      reason: undefined,
    });
  });
});

describe('a paused node', () => {
  const paused = { 'tandem.dev/paused': 'true' };

  it('is left alone, with one event, and is initialised after the pause', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', annotations: paused });
    world.addNode({ name: 'foreign', annotations: paused, providerID: 'other:///a' });
    const manager = world.start();
    await world.clock.advance(3 * 3_600_000);
    assert.deepEqual(
      world.events().map(({ node, type, reason, count }) => `${node} ${type} ${reason} ${count}`),
      ['a Normal Paused 1', 'foreign Normal Paused 1'],
    );
    assert.deepEqual(world.writes, []);
    assert.equal(world.cloud.counts.lookups, 0);
    assert.equal(await manager.metric('tandem_uninitialized_nodes{reason="paused"}'), 2);
    world.annotate('a', { 'tandem.dev/paused': null });
    await world.clock.advance(500);
    assert.ok(world.node('a').isInitialised);
    world.annotate('a', paused);
    const { lookups } = world.cloud.counts;
    world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    await world.clock.advance(20 * 60_000);
    assert.equal(world.writes.length, 2);
    assert.equal(world.cloud.counts.lookups, lookups);
    // The API server keeps an event for an hour, so the first Paused is gone.
    assert.deepEqual(world.reasons('a'), ['Synced', 'Paused']);
  });
});

describe('requests that differ', () => {
  it('are reported within a minute, however many events the node had before', async () => {
    const world = new NodeWorld();
    const cloud = ['10.0.0.1', 'fd00::1'].map((address) => ({ type: 'InternalIP', address }));
    world.addMachine({ name: 'a', cloud });
    world.start();
    await world.clock.advance(2_000);
    const ask = (operator: string, kubelet: string): void =>
      world.annotate('a', {
        'tandem.dev/node-ip': operator,
        'alpha.kubernetes.io/provided-node-ip': kubelet,
      });
    for (let round = 0; round < 60; round++) {
      ask(round % 2 === 0 ? 'IPv4' : 'IPv6', round % 3 === 0 ? 'fd00::1' : '10.0.0.1');
      await world.clock.advance(700);
    }
    ask('IPv6', '10.0.0.1,fd00::1');
    await world.clock.advance(61_000);
    const notes = world.events('a').map(({ reason, note }) => `${reason} ${note}`);
    assert.ok(notes.some((note) => /^NodeIPRequestsDiffer .*10\.0\.0\.1,fd00::1/.test(note)));
    const { length } = world.events('a');
    await world.clock.advance(3 * 3_600_000);
    assert.equal(world.events('a').length, length, 'no event is sent again');
  });
});

describe('of two nodes of one instance', () => {
  it('the older one gets it; the other gets an event, and the instance when the first goes', async () => {
    const world = new NodeWorld();
    const { providerID } = world.cloud.create({ name: 'old' });
    const olderMs = world.clock.now() - 60_000;
    world.addNode({ name: 'old', createdAtMs: olderMs });
    world.addNode({ name: 'new', providerID });
    world.start();
    await world.clock.advance(5_000);
    assert.ok(world.node('old').isInitialised);
    assert.ok(!world.node('new').isInitialised);
    const [event] = world.events('new');
    assert.equal(event?.reason, 'ProviderIDConflict');
    assert.match(event?.note ?? '', /already belongs to Node "old"/);
    world.removeNode('old');
    await world.clock.advance(500);
    assert.ok(world.node('new').isInitialised);
    assert.deepEqual(world.node('new').addresses.slice(0, 1), ['InternalIP 10.100.0.1']);
  });

  it('the initialised one keeps it, whatever its age', async () => {
    const world = new NodeWorld();
    const { providerID } = world.cloud.create({ name: 'young' });
    world.addNode({ name: 'young' });
    world.start();
    await world.clock.advance(1_000);
    world.addNode({ name: 'aged', providerID, createdAtMs: world.clock.now() - 3_600_000 });
    await world.clock.advance(1_000);
    assert.deepEqual(world.reasons('aged'), ['ProviderIDConflict']);
    assert.deepEqual(world.reasons('young'), ['Synced']);
  });

  it('the newcomer is refused at once, even if the cloud had no instance for it before', async () => {
    const world = new NodeWorld();
    world.addReady('old');
    world.addNode({ name: 'new' });
    world.start();
    await world.clock.advance(1_000);
    const { providerID } = world.node('old');
    world.change('new', ({ spec, ...node }) => ({
      ...node,
      spec: { ...Object(spec), providerID },
    }));
    await world.clock.advance(1_000);
    assert.deepEqual(world.reasons('new'), ['ProviderIDConflict']);
  });

  it('both are told at once of another Node that registers without the taint', async () => {
    const world = new NodeWorld();
    world.addReady('settled');
    world.addMachine({ name: 'waiting', annotations: { [operators]: 'IPv4,10.0.0.1' } });
    world.start();
    await world.clock.advance(10_000);
    for (const name of ['settled', 'waiting']) {
      const providerID = world.cloud.find(name)?.providerID ?? '';
      const { addresses } = world.node('settled');
      const listed = addresses.map((text) => {
        const [type = '', address = ''] = text.split(' ');
        return { type, address };
      });
      world.addNode({ name: `late-${name}`, providerID, addresses: listed, taints: [] });
    }
    await world.clock.advance(1_000);
    const last = (name: string): string => world.events(name).at(-1)?.note ?? '';
    assert.match(last('settled'), /^Node "late-settled" is initialised as instance/);
    assert.match(last('waiting'), /already belongs to Node "late-waiting", which is initialised/);
  });

  it('only one gets it while it is being written and has no providerID in the cache yet', async () => {
    // Both names lead to one instance. The answer for the older node arrives during the younger’s
    // write.
    const world = new NodeWorld({
      provider: (cloud) => ({
        name: 'aliases',
        identify: (providerID) => cloud.identify(providerID),
        async lookup(nodes, options) {
          const shared = nodes.map((node) => ({ ...node, name: 'shared' }));
          const found = await cloud.lookup(shared.slice(0, 1), options);
          const answer = found.get('shared');
          assert.ok(answer !== undefined);
          return new Map(nodes.map(({ name }) => [name, answer]));
        },
      }),
    });
    world.cloud.create({ name: 'shared' });
    world.addNode({ name: 'young' });
    const added = { isDone: false };
    world.start({
      wrap: (inner) => ({
        async send(request) {
          const isFirst = request.path.includes('/nodes/young/status') && !added.isDone;
          if (isFirst) {
            added.isDone = true;
            world.addNode({ name: 'aged', createdAtMs: world.clock.now() - 3_600_000 });
            await new Promise<void>((resolve) => world.clock.after(200, resolve));
          }
          return inner.send(request);
        },
        close: () => inner.close(),
      }),
    });
    await world.clock.advance(5_000);
    assert.deepEqual(
      ['young', 'aged'].map((name) => world.node(name).isInitialised),
      [true, false],
    );
    assert.deepEqual(world.reasons('aged'), ['ProviderIDConflict']);
    world.removeNode('young');
    await world.clock.advance(500);
    assert.ok(world.node('aged').isInitialised);
  });

  it('both get an event if both are initialised, as by a late write of a killed leader', async () => {
    const world = new NodeWorld();
    world.addReady('old');
    const { providerID, addresses } = world.node('old');
    world.addNode({ name: 'new', providerID, createdAtMs: world.clock.now() + 1_000 });
    const manager = world.start();
    await world.clock.advance(2_000);
    assert.deepEqual([world.reasons('old'), world.reasons('new')], [[], ['ProviderIDConflict']]);

    world.change('new', ({ spec, status, ...node }) => ({
      ...node,
      spec: { ...Object(spec), taints: [] },
      status: {
        ...Object(status),
        addresses: Object(world.model.store.collection('nodes').get('old')?.['status']).addresses,
      },
    }));
    await world.clock.advance(1_000);
    const [held, ...rest] = world.events('old');
    assert.deepEqual([held?.type, held?.reason, rest], ['Warning', 'ProviderIDConflict', []]);
    assert.match(
      held?.note ?? '',
      /^Node "new" is initialised as instance .*This node stays managed/,
    );
    assert.match(
      world.events('new').at(-1)?.note ?? '',
      /already belongs to Node "old", which is older/,
    );
    assert.deepEqual(world.node('old').addresses, addresses);

    const { length } = world.writes;
    await world.clock.advance(3_600_000);
    assert.ok(
      (world.events('old')[0]?.count ?? 0) > 1,
      'the event is renewed while the conflict lasts',
    );
    assert.equal(world.writes.length, length);

    world.removeNode('new');
    const renewed = world.events('old')[0]?.count;
    await world.clock.advance(3_600_000);
    assert.equal(world.events('old')[0]?.count, renewed);
    await manager.stop();
  });
});
