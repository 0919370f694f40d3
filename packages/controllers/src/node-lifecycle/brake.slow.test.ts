/** The brake at work: clouds that lose much at once, really or only in what they say. */
import assert from 'node:assert/strict';
import { releaseAnnotation } from '@tandem/core/lifecycle';
import type { KubeClient } from '@tandem/kube/client';
import { cloudControllerManagerLease } from '@tandem/kube/election';
import { LifecycleWorld, type Manager } from './lifecycle-world.fixture.ts';
import { providerIDOf } from './scripted-cloud.fixture.ts';

const minuteMs = 60_000;
const engaged = (manager: Manager): Promise<number> =>
  manager.figure('tandem_node_deletion_brake_engaged');
const held = (manager: Manager): Promise<number> => manager.figure('tandem_node_deletions_held');

/** Thirty nodes of which twelve are gone: two fifths. */
async function anOutage(
  options: Parameters<LifecycleWorld['start']>[0] = {},
): Promise<{ world: LifecycleWorld; manager: Manager; lost: string[] }> {
  const world = new LifecycleWorld();
  const names = world.addNodes(30, { ready: 'True' });
  const manager = world.start(options);
  await world.clock.advance(7_000);
  const lost = names.slice(0, 12);
  world.lose(...lost);
  await world.clock.advance(2 * minuteMs);
  return { world, manager, lost };
}

const isPast = 'Release of the deletion brake expired';

describe('when two fifths of the nodes are gone at once', () => {
  it('the brake holds, an event stands on each of them, and none is deleted', async () => {
    const { world, manager, lost } = await anOutage();
    assert.equal(world.names().length, 30);
    assert.deepEqual([await engaged(manager), await held(manager)], [1, 12]);
    const standing = [...manager.standing.values()];
    assert.deepEqual(standing.map(({ regarding }) => regarding.name).toSorted(), lost.toSorted());
    const [first] = standing;
    assert.deepEqual([first?.type, first?.reason], ['Warning', 'DeletionHeld']);
    const [, time] =
      /annotate --overwrite lease cloud-controller-manager .*=(\S+)$/.exec(first?.note ?? '') ?? [];
    assert.equal(time, '2026-01-31T14:00:00Z', 'an hour away, ready to be copied');
    assert.ok(manager.log.includes('Engaged the deletion brake: deleting no nodes'));
    await world.clock.advance(12 * minuteMs);
    assert.equal(world.names().length, 30, 'time alone opens nothing');
    await manager.stop();
    assert.equal(manager.standing.size, 0);
    assert.deepEqual([await engaged(manager), await held(manager)], [0, 0], 'after its term');
  });

  it('it opens, and the log says so, when all of them are found again', async () => {
    const { world, manager, lost } = await anOutage();
    for (const name of lost) world.cloud.set(providerIDOf(name), 'running');
    await world.clock.advance(3 * minuteMs);
    assert.deepEqual([await engaged(manager), manager.standing.size], [0, 0]);
    assert.equal(manager.log.at(-1), 'Disengaged the deletion brake');
    assert.equal(world.names().length, 30);
    await manager.stop();
  });

  it('a lift that has run out is told of when the brake holds again', async () => {
    const { world, manager } = await anOutage();
    world.laws.isLifted = true;
    world.annotateLease({ [releaseAnnotation]: '2026-01-31T13:00:00Z' });
    await world.clock.advance(30_000);
    assert.equal(world.names().length, 18);
    world.laws.isLifted = false;
    await world.clock.advance(60 * minuteMs);
    world.lose(...world.names().slice(0, 9));
    await world.clock.advance(3 * minuteMs);
    assert.equal(world.names().length, 18);
    assert.equal(manager.log.filter((line) => line === isPast).length, 1);
    await manager.stop();
  });

  it('the log has the command that lifts it, as its events have', async () => {
    const { manager } = await anOutage();
    const line = manager.lines.find(({ msg }) =>
      String(msg).startsWith('Engaged the deletion brake'),
    );
    const lift = String(line?.['lift']);
    assert.match(
      lift,
      /^kubectl -n kube-system annotate --overwrite lease cloud-controller-manager /,
    );
    const [event] = manager.standing.values();
    const command = event?.note.slice(event.note.indexOf('kubectl'));
    // The time that they propose may differ by seconds.
    assert.equal(lift.replace(/=.*/, ''), command?.replace(/=.*/, ''));
    await manager.stop();
  });

  it('its events have a command that lifts it, however long it holds', async () => {
    const { world, manager } = await anOutage();
    await world.clock.advance(5 * 60 * minuteMs);
    assert.equal(manager.standing.size, 12);
    for (const { note } of manager.standing.values()) {
      const untilMs = Date.parse(/=(\S+)$/.exec(note)?.[1] ?? '');
      assert.ok(untilMs - world.clock.now() >= 58 * minuteMs, note);
    }
    await manager.stop();
  });

  it('there is a Lease to be annotated, without an election too', async () => {
    const { world, manager } = await anOutage();
    assert.equal(world.sent('POST', '/leases'), 1);
    const { namespace, name } = cloudControllerManagerLease;
    const lease = world.model.store.collection('leases').get(`${namespace}/${name}`);
    assert.equal(lease?.metadata.name, name);
    assert.ok(manager.log.includes('Created the Lease for releasing the deletion brake'));
    await manager.stop();
  });

  it('a dry run makes no Lease', async () => {
    const { world, manager } = await anOutage({ mode: 'dryRun' });
    assert.ok(world.sent('GET', '/leases/') > 0);
    assert.equal(world.sent('POST', '/leases'), 0);
    assert.ok(manager.log.includes('Would engage the deletion brake and delete no nodes'));
    await manager.stop();
  });

  it('a person lifts it by an annotation, and then they are deleted', async () => {
    const { world, manager } = await anOutage();
    world.laws.isLifted = true;
    world.annotateLease({ [releaseAnnotation]: '2026-01-31T13:00:00Z' });
    await world.clock.advance(30_000);
    assert.equal(world.names().length, 18);
    assert.deepEqual([await engaged(manager), await held(manager)], [0, 0]);
    assert.equal(manager.standing.size, 0);
    await manager.stop();
  });

  it('the Lease is read by whoever may, where the controllers are somebody else', async () => {
    const asked: string[] = [];
    let annotations = {};
    let storedLease = (): object => ({ name: 'cloud-controller-manager' });
    const leaseClient: KubeClient = {
      call: ({ verb, resource }) => {
        asked.push(`${verb} ${resource.resource}`);
        const metadata = { ...storedLease(), annotations };
        const body = new TextEncoder().encode(JSON.stringify({ metadata }));
        return Promise.resolve({ status: 200, headers: {}, body });
      },
      open: () => Promise.reject(new Error('nothing is watched by it')),
    };
    const { world, manager } = await anOutage({ leaseClient });
    assert.equal(world.names().length, 30);
    world.annotateLease({});
    storedLease = () => ({ ...world.model.store.collection('leases').list()[0]?.metadata });
    world.laws.isLifted = true;
    annotations = { [releaseAnnotation]: '2026-01-31T13:00:00Z' };
    await world.clock.advance(30_000);
    assert.equal(world.names().length, 18);
    assert.deepEqual([...new Set(asked)], ['get leases']);
    assert.equal(world.sent('GET', '/leases/'), 0);
    // What it has no write gate for, it does not write.
    assert.ok(world.sent('PUT', '/leases/') > 0);
    await manager.stop();
  });

  it('a node that was Ready for a moment as the brake was lifted is judged anew', async () => {
    const { world, manager, lost } = await anOutage();
    world.laws.isLifted = true;
    let isLifted = false;
    world.onRequest = ({ path }) => {
      // Between an answer about all of them and the deletions that follow from it.
      const answeredAtMs = world.cloud.answers.at(-1)?.atMs ?? 0;
      const hasAnswer = world.clock.monotonic() - answeredAtMs < 100;
      if (!path.includes('/leases/') || !hasAnswer || isLifted) return;
      isLifted = true;
      world.annotateLease({ [releaseAnnotation]: '2026-01-31T13:00:00Z' });
      world.setReady('node-0', 'True');
      world.setReady('node-0', 'Unknown');
    };
    for (let round = 0; round < 20 && world.laws.deleted.length === 0; round++) {
      // A condition that turns makes them due, so that an answer and a look at the Lease meet.
      for (const name of lost) world.setReady(name, round % 2 === 0 ? 'False' : 'Unknown');
      await world.clock.advance(6_000);
    }
    assert.deepEqual(
      world.names().filter((name) => name === 'node-0' || name === 'node-1'),
      ['node-0'],
    );
    await world.clock.advance(30_000);
    assert.equal(world.names().length, 18);
    await manager.stop();
  });

  const ignored = 'Ignored malformed release of the deletion brake';
  const vain = [
    { value: '2026-01-31T12:00:00Z', told: isPast },
    { value: 'true', told: ignored },
    { value: '', told: ignored },
  ];
  for (const { value, told } of vain) {
    it(`${JSON.stringify(value)} lifts nothing, which the log says once`, async () => {
      const { world, manager } = await anOutage();
      assert.ok(!manager.log.includes(told));
      world.annotateLease({ [releaseAnnotation]: value });
      await world.clock.advance(minuteMs);
      assert.equal(world.names().length, 30);
      assert.equal(manager.log.filter((line) => line === told).length, 1, manager.log.join('\n'));
      await manager.stop();
    });
  }

  it('it opens by itself when enough of them are found again, and the rest goes', async () => {
    const { world, manager, lost } = await anOutage();
    for (const name of lost.slice(0, 6)) world.cloud.set(providerIDOf(name), 'running');
    await world.clock.advance(3 * minuteMs);
    assert.deepEqual(world.laws.deleted.toSorted(), lost.slice(6).toSorted());
    assert.deepEqual([await engaged(manager), manager.standing.size], [0, 0]);
    await manager.stop();
  });

  it('an event ends for a node that is Ready again, paused or deleted by a person', async () => {
    const { world, manager, lost } = await anOutage();
    const [back = '', paused = '', deleted = ''] = lost;
    world.setReady(back, 'True');
    world.change(paused, (node) => ({
      ...node,
      metadata: { ...node.metadata, annotations: { 'tandem.dev/paused': 'true' } },
    }));
    world.model.store.collection('nodes').remove(deleted);
    await world.clock.advance(minuteMs + 6_000);
    const names = [...manager.standing.values()].map(({ regarding }) => regarding.name);
    assert.deepEqual(names.toSorted(), lost.slice(3).toSorted());
    await manager.stop();
  });

  it('the events stay while the cloud cannot be asked', async () => {
    const { world, manager } = await anOutage();
    world.cloud.onLookup = () => {
      throw new Error('the cloud is down');
    };
    await world.clock.advance(5 * minuteMs);
    assert.deepEqual([manager.standing.size, await engaged(manager)], [12, 1]);
    await manager.stop();
  });

  it('the Lease is read only while the brake holds, and six times a minute at most', async () => {
    const { world, manager } = await anOutage();
    const before = world.sent('GET', '/leases/');
    await world.clock.advance(3 * minuteMs);
    const more = world.sent('GET', '/leases/') - before;
    assert.ok(more > 0 && more <= 18, `${more} reads`);
    for (const name of world.names()) world.setReady(name, 'True');
    await world.clock.advance(6_000);
    const healed = world.sent('GET', '/leases/');
    await world.clock.advance(3 * minuteMs);
    assert.equal(world.sent('GET', '/leases/'), healed);
    await manager.stop();
  });

  it('the cloud is asked less and less while it holds', async () => {
    const { world, manager } = await anOutage();
    const before = world.cloud.lookups;
    await world.clock.advance(10 * minuteMs);
    assert.ok(world.cloud.lookups - before <= 12, `${world.cloud.lookups - before} calls`);
    await manager.stop();
  });

  it('what the autoscaler removes does not count, and waits with the others', async () => {
    const world = new LifecycleWorld();
    world.addNodes(30, { ready: 'True' });
    for (let index = 0; index < 12; index++) {
      const taints = ['ToBeDeletedByClusterAutoscaler'];
      world.addNode({ name: `leaving-${index}`, instance: null, taints });
    }
    world.laws.isLifted = true;
    const manager = world.start();
    await world.clock.advance(minuteMs);
    assert.equal(world.names().length, 30, 'a large scale-down is no outage');
    world.lose(...world.names().slice(0, 12));
    const taints = ['ToBeDeletedByClusterAutoscaler'];
    world.addNode({ name: 'leaving', instance: null, taints });
    await world.clock.advance(5 * minuteMs);
    assert.equal(world.names().length, 31, 'while the brake holds nobody is believed');
    await manager.stop();
  });
});

describe('a cloud that is wrong', () => {
  it('loses no node by saying absent for everything', async () => {
    const world = new LifecycleWorld();
    world.addNodes(20);
    world.cloud.bend = () => ({ kind: 'absent' });
    const manager = world.start();
    await world.clock.advance(12 * minuteMs);
    assert.equal(world.names().length, 20);
    await manager.stop();
  });

  it('loses no node by saying absent for one zone of three', async () => {
    const world = new LifecycleWorld();
    const names = world.addNodes(24);
    const zone = new Set(names.filter((_, index) => index % 3 === 0));
    world.cloud.bend = ({ name }, answer) => (zone.has(name) ? { kind: 'absent' } : answer);
    const manager = world.start();
    await world.clock.advance(12 * minuteMs);
    assert.equal(world.names().length, 24);
    world.cloud.bend = (_, answer) => answer;
    await world.clock.advance(3 * minuteMs);
    assert.equal(await engaged(manager), 0);
    await manager.stop();
  });

  it('loses no node by one wrong answer in a hundred', async () => {
    const world = new LifecycleWorld();
    world.addNodes(30);
    let answers = 0;
    world.cloud.bend = (_, answer) => (++answers % 100 === 0 ? { kind: 'absent' } : answer);
    const manager = world.start();
    await world.clock.advance(60 * minuteMs);
    assert.ok(answers > 1_500, `${answers} answers`);
    assert.equal(world.names().length, 30);
    await manager.stop();
  });

  it('loses no node by hours of errors, whatever it said before and says after (P3)', async () => {
    const world = new LifecycleWorld();
    world.addNodes(3);
    // The last answer before and the first after the outage are wrong.
    let saysAbsent = true;
    let isDown = false;
    world.cloud.bend = (_, answer) => (saysAbsent ? { kind: 'absent' } : answer);
    world.cloud.onLookup = () => {
      if (isDown) throw new Error('the cloud is down');
    };
    const manager = world.start({ monitorPeriodMs: 20_000 });
    await world.clock.advance(25_000);
    isDown = true;
    await world.clock.advance(3 * 60 * minuteMs);
    isDown = false;
    const said = world.cloud.answers.length;
    for (let seconds = 0; seconds < 120 && world.cloud.answers.length === said; seconds++) {
      await world.clock.advance(1_000);
    }
    assert.equal(world.cloud.answers.length, said + 3, 'all three are said to be absent once more');
    saysAbsent = false;
    await world.clock.advance(5 * minuteMs);
    assert.deepEqual([world.names().length, world.laws.deleted], [3, []]);
    await manager.stop();
  });

  it('still lets a dead node go when every other answer is an error', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null });
    let calls = 0;
    world.cloud.bend = (_, answer) =>
      ++calls % 2 === 0 ? { kind: 'unknown', err: new Error('busy') } : answer;
    const manager = world.start();
    await world.clock.advance(3 * minuteMs);
    assert.deepEqual(world.names(), []);
    await manager.stop();
  });
});

describe('a slow loss of many nodes', () => {
  it('is stopped when more than a fifth went within ten minutes, and goes on after them', async () => {
    const world = new LifecycleWorld();
    const names = world.addNodes(40, { ready: 'True' });
    const manager = world.start();
    await world.clock.advance(7_000);
    for (const name of names.slice(0, 12)) {
      world.lose(name);
      await world.clock.advance(40_000);
    }
    assert.equal(world.laws.deleted.length, 8);
    assert.equal(await engaged(manager), 1);
    await world.clock.advance(12 * minuteMs);
    assert.equal(world.laws.deleted.length, 12, 'the rest goes once the first are forgotten');
    await manager.stop();
  });
});
