/**
 * The brake across restarts and changes of leader: a manager counts the deletions of earlier ones.
 */
import assert from 'node:assert/strict';
import { memoryAnnotation } from '@tandem/core/lifecycle';
import type { TransportRequest, TransportResponse } from '@tandem/kube/transport';
import type { Clock } from '@tandem/runtime';
import { LifecycleWorld, type Manager } from './lifecycle-world.fixture.ts';

const minuteMs = 60_000;

/** A cluster of thirty nodes, of which six may be deleted within ten minutes. */
function aWorld(): { world: LifecycleWorld; names: string[] } {
  const world = new LifecycleWorld();
  return { world, names: world.addNodes(30, { ready: 'True' }) };
}

/** Removes the instance of one node, and runs a new manager for 28 s. */
async function loseOneAndRestart(world: LifecycleWorld, name: string): Promise<Manager> {
  world.lose(name);
  const manager = world.start();
  await world.clock.advance(28_000);
  await manager.stop();
  return manager;
}

function isLease({ path }: TransportRequest): boolean {
  return path.includes('/leases');
}

describe('a sequence of restarted managers', () => {
  it('deletes no more nodes than one manager could', async () => {
    const { world, names } = aWorld();
    let last: Manager | undefined;
    for (const name of names.slice(0, 9)) last = await loseOneAndRestart(world, name);
    assert.equal(world.laws.deleted.length, 6);
    const engaged = last?.lines.find(
      ({ msg }) => msg === 'Engaged the deletion brake: deleting no nodes',
    );
    assert.equal(engaged?.['deletedRecently'], 6);
    await world.clock.advance(10 * minuteMs);
    const later = world.start();
    await world.clock.advance(minuteMs);
    assert.equal(
      world.laws.deleted.length,
      9,
      'the rest is deleted once the first no longer count',
    );
    await later.stop();
  });

  it('deletes each single lost node within half a minute', async () => {
    const { world, names } = aWorld();
    for (const name of names.slice(0, 5)) await loseOneAndRestart(world, name);
    assert.equal(world.laws.deleted.length, 5, 'each was deleted within half a minute');
  });

  it('does not count a node twice whose deletion a killed manager recorded', async () => {
    for (const moment of ['before', 'after'] as const) {
      const { world, names } = aWorld();
      world.lose(...names.slice(0, 5));
      let isKilled = false;
      const kill = (request: TransportRequest): void => {
        isKilled ||= request.method !== 'GET' && isLease(request);
        if (isKilled) throw new Error('the process was killed');
      };
      if (moment === 'before') world.onRequest = kill;
      else world.onAnswered = kill;
      const first = world.start();
      await world.clock.advance(30_000);
      await first.stop();
      assert.deepEqual([isKilled, world.laws.deleted.length], [true, 0]);
      world.onRequest = () => {};
      world.onAnswered = () => {};
      const second = world.start();
      await world.clock.advance(minuteMs);
      assert.equal(world.laws.deleted.length, 5, `killed ${moment} the record was written`);
      await second.stop();
    }
  });

  for (const jumpMs of [60 * minuteMs, -60 * minuteMs]) {
    it(`counts the same deletions although the wall clock jumps by ${jumpMs / minuteMs} minutes`, async () => {
      const { world, names } = aWorld();
      for (const name of names.slice(0, 3)) await loseOneAndRestart(world, name);
      let offsetMs = 0;
      const { clock } = world;
      const jumping: Clock = {
        now: () => clock.now() + offsetMs,
        monotonic: () => clock.monotonic(),
        after: (delayMs, run) => clock.after(delayMs, run),
      };
      const manager = world.start({ clock: jumping });
      for (const name of names.slice(3, 9)) {
        world.lose(name);
        await world.clock.advance(28_000);
        offsetMs = jumpMs;
      }
      assert.equal(world.laws.deleted.length, 6);
      await world.clock.advance(15 * minuteMs);
      assert.equal(world.laws.deleted.length, 9, 'the rest goes once the first are forgotten');
      await manager.stop();
    });
  }

  it('reads the intact part of a record that a person has damaged', async () => {
    const { world, names } = aWorld();
    for (const name of names.slice(0, 5)) await loseOneAndRestart(world, name);
    const [lease] = world.model.store.collection('leases').list();
    const text = lease?.metadata.annotations?.[memoryAnnotation] ?? '';
    world.annotateLease({ [memoryAnnotation]: `what is this? ${text}` });
    const manager = await loseOneAndRestart(world, names[5] ?? '');
    assert.ok(manager.log.includes('Ignored malformed deletion records on the Lease'));
    await loseOneAndRestart(world, names[6] ?? '');
    assert.equal(world.laws.deleted.length, 6);
  });
});

describe('the memory of the brake', () => {
  it('costs nothing without deletions, and one write for several at once (P5)', async () => {
    const { world, names } = aWorld();
    const manager = world.start();
    world.setReady(names[9] ?? '', 'Unknown');
    await world.clock.advance(5 * minuteMs);
    assert.equal(world.requests.filter((request) => request.includes('/leases')).length, 0);
    world.lose(...names.slice(0, 4));
    await world.clock.advance(minuteMs);
    assert.equal(world.laws.deleted.length, 4);
    assert.equal(world.sent('POST', '/leases') + world.sent('PUT', '/leases'), 1);
    assert.equal(world.sent('GET', '/leases'), 2);
    await manager.stop();
  });

  it('keeps other annotations of the Lease, and retries a write that a renewal overtook', async () => {
    const { world, names } = aWorld();
    world.annotateLease({ somebody: 'else’s' });
    let renewals = 0;
    world.onRequest = (request) => {
      if (request.method !== 'PUT' || !isLease(request) || renewals > 0) return;
      renewals++;
      world.annotateLease({ somebody: 'else’s', renewed: 'yes' });
    };
    await loseOneAndRestart(world, names[0] ?? '');
    assert.deepEqual([world.laws.deleted.length, renewals], [1, 1]);
    const [lease] = world.model.store.collection('leases').list();
    const { [memoryAnnotation]: memory, ...others } = lease?.metadata.annotations ?? {};
    assert.deepEqual(others, { somebody: 'else’s', renewed: 'yes' });
    assert.match(memory ?? '', /^2026-01-31T12:00:\d\dZ=[0-9a-f]{8}$/);
  });

  it('prevents deletions while it cannot be read or written, with one log line', async () => {
    for (const method of ['GET', 'PUT']) {
      const { world, names } = aWorld();
      world.annotateLease({});
      let isDown = true;
      world.onRequest = (request) => {
        if (isDown && isLease(request) && request.method === method) throw new Error('no way');
      };
      world.lose(names[0] ?? '');
      const manager = world.start();
      await world.clock.advance(2 * minuteMs);
      assert.equal(world.laws.deleted.length, 0, method);
      const said = 'Deleted no nodes: recent deletions are unknown';
      assert.equal(manager.log.filter((line) => line === said).length, 1);
      isDown = false;
      await world.clock.advance(2 * minuteMs);
      assert.equal(world.laws.deleted.length, 1, method);
      await manager.stop();
    }
  });

  it('lasts only for this process if the manager may not write the Lease', async () => {
    const { world, names } = aWorld();
    world.wrap = (transport) => ({
      ...transport,
      send: (request) =>
        isLease(request) ? Promise.resolve(forbidden()) : transport.send(request),
    });
    const manager = world.start();
    await world.clock.advance(7_000);
    for (const name of names.slice(0, 9)) {
      world.lose(name);
      await world.clock.advance(28_000);
    }
    assert.equal(world.laws.deleted.length, 6);
    const said = 'Cannot record deletions on the Lease';
    assert.equal(manager.log.filter((line) => line === said).length, 1);
    await manager.stop();
  });

  it('causes no request if there is no brake', async () => {
    const world = new LifecycleWorld({ brake: undefined });
    world.addNodes(9, { instance: null });
    const manager = world.start();
    await world.clock.advance(minuteMs);
    assert.equal(world.laws.deleted.length, 9);
    assert.equal(world.requests.filter((request) => request.includes('/leases')).length, 0);
    await manager.stop();
  });
});

/** The answer of an authorizer that denies the request. */
function forbidden(): TransportResponse {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden' };
  const text = JSON.stringify({ ...status, code: 403, message: 'leases is forbidden' });
  return {
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  };
}
