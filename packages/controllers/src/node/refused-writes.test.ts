import assert from 'node:assert/strict';
import { TransportError } from '@tandem/kube/transport';
import { intercepting, isWrite, refusal } from './transports.fixture.ts';
import { NodeWorld } from './node-world.fixture.ts';

describe('a write that the API server refuses', () => {
  const badLabel = {
    code: 422,
    reason: 'Invalid',
    message: 'Node "bad" is invalid: metadata.labels: Invalid value: "not allowed!"',
    causes: [
      { field: 'metadata.labels', message: 'Invalid value: "not allowed!": a valid label …' },
    ],
  };

  it('is reported on its node with the label at fault, and delays no other node', async () => {
    const world = new NodeWorld();
    world.cloud.create({ name: 'bad', labels: { rack: 'not allowed!', row: '7' } });
    world.addNode({ name: 'bad' });
    world.addMachine({ name: 'good' });
    const manager = world.start({
      wrap: intercepting(async (request, pass) =>
        isWrite(request) && String(request.body).includes('not allowed!')
          ? refusal(badLabel)
          : pass(),
      ),
    });
    await world.clock.advance(30_000);
    assert.ok(world.node('good').isInitialised);
    const [event] = world.events('bad');
    assert.equal(event?.type, 'Warning');
    assert.equal(event?.reason, 'WriteRefused');
    assert.equal(event?.action, 'InitializeNode');
    assert.match(event?.note ?? '', /refuses to store the label rack=not allowed! \("Node .*"\)/);
    assert.equal(await manager.metric('tandem_refused_nodes{code="WriteRefused"}'), 1);
    assert.deepEqual(manager.messages('warn'), ['Refused node']);
    const tries = world.writes.filter((write) => write === 'PATCH bad').length;
    assert.equal(world.writes.filter((write) => write === 'PATCH bad/status').length, 1);
    await world.clock.advance(10 * 60_000);
    const triesLater = world.writes.filter((write) => write === 'PATCH bad').length - tries;
    assert.ok(triesLater >= 10 && triesLater <= 25, `${triesLater} tries in ten minutes`);
  });

  it('is reported once although the server lists the causes in another order every time', async () => {
    const world = new NodeWorld();
    world.cloud.create({ name: 'bad', labels: { rack: 'not allowed!', row: 'nor this!' } });
    world.addNode({ name: 'bad' });
    const faults = ['not allowed!', 'nor this!'].map((value) => ({
      field: 'metadata.labels',
      message: `Invalid value: "${value}": a valid label …`,
    }));
    const manager = world.start({
      wrap: intercepting(async (request, pass) => {
        if (!isWrite(request) || !String(request.body).includes('not allowed!')) return pass();
        faults.reverse();
        const listed = faults.map(({ field, message }) => `${field}: ${message}`).join(', ');
        const message = `Node "bad" is invalid: [${listed}]`;
        return refusal({ code: 422, reason: 'Invalid', message, causes: [...faults] });
      }),
    });
    await world.clock.advance(10 * 60_000);
    assert.ok(world.writes.length > 10, 'the write is retried');
    assert.deepEqual(
      world.events('bad').map(({ reason, count }) => [reason, count]),
      [['WriteRefused', 1]],
    );
    assert.deepEqual(manager.messages('warn'), ['Refused node']);
  });

  it('succeeds within two minutes of the label being corrected in the cloud', async () => {
    const world = new NodeWorld();
    world.cloud.create({ name: 'bad', labels: { rack: 'not allowed!' } });
    world.addNode({ name: 'bad' });
    world.start({
      wrap: intercepting(async (request, pass) =>
        isWrite(request) && String(request.body).includes('not allowed!')
          ? refusal(badLabel)
          : pass(),
      ),
    });
    await world.clock.advance(60_000);
    world.cloud.terminate('bad');
    world.cloud.create({ name: 'bad', labels: { rack: 'r7' } });
    await world.clock.advance(120_000);
    assert.equal(world.node('bad').labels['rack'], 'r7');
    assert.ok(world.node('bad').isInitialised);
  });

  it('is reported once although the webhook’s message has a different id every time', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    let requests = 0;
    const manager = world.start({
      wrap: intercepting(async (request, pass) => {
        if (!isWrite(request)) return pass();
        const id = `7f3a-${(requests += 1)}`;
        const message = `admission webhook "guard" denied the request: not on Fridays (id ${id})`;
        return refusal({ code: 403, reason: 'Forbidden', message });
      }),
    });
    await world.clock.advance(20 * 60_000);
    assert.ok(requests > 10, 'the write is retried');
    assert.deepEqual(manager.messages('warn'), ['Refused node']);
    assert.deepEqual(world.reasons('a'), ['WriteRefused']);
  });

  for (const code of [400, 403, 422]) {
    it(`is reported with the message of the webhook that denies it with ${code}`, async () => {
      const world = new NodeWorld();
      world.addMachine({ name: 'a' });
      const denied = {
        code,
        reason: { 400: 'BadRequest', 403: 'Forbidden', 422: 'Invalid' }[code] ?? '',
        message: 'admission webhook "guard.example.com" denied the request: not on Fridays',
      };
      const hook = { isOn: true };
      world.start({
        wrap: intercepting(async (request, pass) =>
          isWrite(request) && hook.isOn ? refusal(denied) : pass(),
        ),
      });
      await world.clock.advance(20_000);
      assert.deepEqual(world.reasons('a'), ['WriteRefused']);
      assert.match(world.events('a')[0]?.note ?? '', /guard\.example\.com.*not on Fridays/);
      hook.isOn = false;
      await world.clock.advance(61_000);
      assert.ok(world.node('a').isInitialised);
    });
  }
});

describe('a missing permission', () => {
  const noRight = {
    code: 403,
    reason: 'Forbidden',
    message:
      'nodes "a" is forbidden: User "tandem" cannot patch resource "nodes/status" in API group "" at the cluster scope',
  };
  const noCredentials = { code: 401, reason: 'Unauthorized', message: 'Unauthorized' };

  for (const denied of [noRight, noCredentials]) {
    it(`is no node’s fault, is logged once, and is retried by one node at a time (${denied.code})`, async () => {
      const world = new NodeWorld();
      const names = Array.from({ length: 12 }, (_, number) => `n${number}`);
      for (const name of names) world.addMachine({ name });
      const rights = { isTaken: true };
      const manager = world.start({
        wrap: intercepting(async (request, pass) =>
          isWrite(request) && rights.isTaken ? refusal(denied) : pass(),
        ),
      });
      await world.clock.advance(5 * 60_000);
      assert.deepEqual(world.events(), []);
      assert.deepEqual(manager.messages('error'), ['Missing permission to write to nodes']);
      assert.deepEqual(manager.messages('warn'), []);
      assert.equal(await manager.metric('tandem_node_writes_allowed'), 0);
      assert.ok(world.writes.length < 40, `${world.writes.length} tries in five minutes`);
      rights.isTaken = false;
      const isDone = (name: string): boolean => world.node(name).isInitialised;
      for (let waitedMs = 0; waitedMs < 31_000; waitedMs += 100) {
        if (!names.some(isDone)) await world.clock.advance(100);
      }
      // As soon as one write succeeds, the other nodes are no longer held back.
      await world.clock.advance(100);
      assert.ok(names.every(isDone));
      assert.equal(await manager.metric('tandem_node_writes_allowed'), 1);
    });
  }

  it('for one kind of write is not reported as regained when another kind succeeds', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    world.addReady('b');
    const manager = world.start({
      refreshPeriodMs: 60_000,
      settings: { refreshLabels: true },
      wrap: intercepting(async (request, pass) =>
        isWrite(request) && request.path.includes('/status') ? refusal(noRight) : pass(),
      ),
    });
    for (let minute = 0; minute < 10; minute++) {
      await world.clock.advance(60_000);
      world.change('b', (node) => ({
        ...node,
        metadata: { ...node.metadata, labels: { 'topology.kubernetes.io/zone': `x${minute}` } },
      }));
    }
    assert.ok(world.writes.includes('PATCH b'), 'labels are written in the meantime');
    assert.deepEqual(manager.messages('error'), ['Missing permission to write to nodes']);
    assert.ok(!manager.messages('info').includes('Regained permission to write to nodes'));
    assert.equal(await manager.metric('tandem_node_writes_allowed'), 0);
  });

  it('to read a node is reported as regained although no write is left', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const rights = { isTaken: true };
    const lost = { code: 'ConnectionLost', retry: 'backoff', effect: 'unknown' } as const;
    const noRead = { ...noRight, message: noRight.message.replace('patch', 'get') };
    const manager = world.start({
      wrap: intercepting(async (request, pass) => {
        const isGet = request.method === 'GET' && request.path.endsWith('nodes/a');
        if (isGet && rights.isTaken) return refusal(noRead);
        const response = await pass();
        const isLast = isWrite(request) && !request.path.includes('/status');
        if (!isLast || !rights.isTaken) return response;
        throw new TransportError('The connection was cut', lost);
      }),
    });
    await world.clock.advance(60_000);
    assert.equal(await manager.metric('tandem_node_writes_allowed'), 0);
    rights.isTaken = false;
    await world.clock.advance(5 * 60_000);
    assert.equal(await manager.metric('tandem_node_writes_allowed'), 1);
    assert.ok(world.node('a').isInitialised);
  });

  it('to read a node delays the node and does not lose it', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const rights = { isTaken: true, hasFailed: false };
    world.start({
      wrap: intercepting(async (request, pass) => {
        const isGet = request.method === 'GET' && request.path.endsWith('/nodes/a');
        if (isGet && rights.isTaken) return refusal({ ...noRight, message: 'cannot get resource' });
        const isFirst = isWrite(request) && !rights.hasFailed;
        if (!isFirst) return pass();
        rights.hasFailed = true;
        return refusal({ code: 422, reason: 'Invalid', message: 'a guard failed' });
      }),
    });
    await world.clock.advance(60_000);
    rights.isTaken = false;
    await world.clock.advance(61_000);
    assert.ok(world.node('a').isInitialised);
  });
});
