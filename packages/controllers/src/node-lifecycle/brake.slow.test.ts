/**
 * The deletion brake, on clouds that lose many instances at once, or wrongly report them as absent.
 */
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

/** A cluster of thirty nodes of which twelve, two fifths, have lost their instances. */
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

describe('when two fifths of the instances are gone at once', () => {
  it('the brake engages: each of their nodes has an event, and none is deleted', async () => {
    const { world, manager, lost } = await anOutage();
    assert.equal(world.names().length, 30);
    assert.deepEqual([await engaged(manager), await held(manager)], [1, 12]);
    const standing = [...manager.standing.values()];
    assert.deepEqual(standing.map(({ regarding }) => regarding.name).toSorted(), lost.toSorted());
    const [first] = standing;
    assert.deepEqual([first?.type, first?.reason], ['Warning', 'DeletionHeld']);
    const [, time] =
      /annotate --overwrite lease cloud-controller-manager .*=(\S+)$/.exec(first?.note ?? '') ?? [];
    assert.equal(time, '2026-01-31T14:00:00Z', 'the command has a time one hour ahead');
    assert.ok(manager.log.includes('Engaged the deletion brake: deleting no nodes'));
    await world.clock.advance(12 * minuteMs);
    assert.equal(world.names().length, 30, 'time alone does not disengage the brake');
    await manager.stop();
    assert.equal(manager.standing.size, 0);
    assert.deepEqual([await engaged(manager), await held(manager)], [0, 0], 'after the stop');
  });

  it('the brake disengages, and the log says so, when all of them are found again', async () => {
    const { world, manager, lost } = await anOutage();
    for (const name of lost) world.cloud.set(providerIDOf(name), 'running');
    await world.clock.advance(3 * minuteMs);
    assert.deepEqual([await engaged(manager), manager.standing.size], [0, 0]);
    assert.equal(manager.log.at(-1), 'Disengaged the deletion brake');
    assert.equal(world.names().length, 30);
    await manager.stop();
  });

  it('an expired release is logged when the brake engages again', async () => {
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

  it('the log and the events have the command that releases the brake', async () => {
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
    // The proposed times may differ by seconds.
    assert.equal(lift.replace(/=.*/, ''), command?.replace(/=.*/, ''));
    await manager.stop();
  });

  it('the events have a command that lifts the brake, however long it holds', async () => {
    const { world, manager } = await anOutage();
    await world.clock.advance(5 * 60 * minuteMs);
    assert.equal(manager.standing.size, 12);
    for (const { note } of manager.standing.values()) {
      const untilMs = Date.parse(/=(\S+)$/.exec(note)?.[1] ?? '');
      assert.ok(untilMs - world.clock.now() >= 58 * minuteMs, note);
    }
    await manager.stop();
  });

  it('the controller creates the Lease for the annotation if there is no election', async () => {
    const { world, manager } = await anOutage();
    assert.equal(world.sent('POST', '/leases'), 1);
    const { namespace, name } = cloudControllerManagerLease;
    const lease = world.model.store.collection('leases').get(`${namespace}/${name}`);
    assert.equal(lease?.metadata.name, name);
    assert.ok(manager.log.includes('Created the Lease for releasing the deletion brake'));
    await manager.stop();
  });

  it('a dry run creates no Lease', async () => {
    const { world, manager } = await anOutage({ mode: 'dryRun' });
    assert.ok(world.sent('GET', '/leases/') > 0);
    assert.equal(world.sent('POST', '/leases'), 0);
    assert.ok(manager.log.includes('Would engage the deletion brake and delete no nodes'));
    await manager.stop();
  });

  it('an annotation releases the brake, and the nodes are deleted', async () => {
    const { world, manager } = await anOutage();
    world.laws.isLifted = true;
    world.annotateLease({ [releaseAnnotation]: '2026-01-31T13:00:00Z' });
    await world.clock.advance(30_000);
    assert.equal(world.names().length, 18);
    assert.deepEqual([await engaged(manager), await held(manager)], [0, 0]);
    assert.equal(manager.standing.size, 0);
    await manager.stop();
  });

  it('the Lease client reads the Lease, and the controllers’ client writes it', async () => {
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
      open: () => Promise.reject(new Error('this client watches nothing')),
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
    // The client for reads has no write gate, so the controllers’ client writes.
    assert.ok(world.sent('PUT', '/leases/') > 0);
    await manager.stop();
  });

  it('a node that was briefly Ready during the release needs new absences before its deletion', async () => {
    const { world, manager, lost } = await anOutage();
    world.laws.isLifted = true;
    let isLifted = false;
    world.onRequest = ({ path }) => {
      // This falls between an answer about the nodes and the deletions based on it.
      const answeredAtMs = world.cloud.answers.at(-1)?.atMs ?? 0;
      const hasAnswer = world.clock.monotonic() - answeredAtMs < 100;
      if (!path.includes('/leases/') || !hasAnswer || isLifted) return;
      isLifted = true;
      world.annotateLease({ [releaseAnnotation]: '2026-01-31T13:00:00Z' });
      world.setReady('node-0', 'True');
      world.setReady('node-0', 'Unknown');
    };
    for (let round = 0; round < 20 && world.laws.deleted.length === 0; round++) {
      // A changed condition makes the nodes due, so that an answer and a read of the Lease
      // coincide.
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
    it(`an annotation of ${JSON.stringify(value)} releases nothing, and is logged once`, async () => {
      const { world, manager } = await anOutage();
      assert.ok(!manager.log.includes(told));
      world.annotateLease({ [releaseAnnotation]: value });
      await world.clock.advance(minuteMs);
      assert.equal(world.names().length, 30);
      assert.equal(manager.log.filter((line) => line === told).length, 1, manager.log.join('\n'));
      await manager.stop();
    });
  }

  it('the brake disengages when enough of them are found again, and the rest is deleted', async () => {
    const { world, manager, lost } = await anOutage();
    for (const name of lost.slice(0, 6)) world.cloud.set(providerIDOf(name), 'running');
    await world.clock.advance(3 * minuteMs);
    assert.deepEqual(world.laws.deleted.toSorted(), lost.slice(6).toSorted());
    assert.deepEqual([await engaged(manager), manager.standing.size], [0, 0]);
    await manager.stop();
  });

  it('the event of a node ends when the node is Ready again, paused or deleted', async () => {
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

  it('the events stay active while look-ups fail', async () => {
    const { world, manager } = await anOutage();
    world.cloud.onLookup = () => {
      throw new Error('the cloud is down');
    };
    await world.clock.advance(5 * minuteMs);
    assert.deepEqual([manager.standing.size, await engaged(manager)], [12, 1]);
    await manager.stop();
  });

  it('the Lease is read only while the brake is engaged, and six times a minute at most', async () => {
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

  it('the controller makes at most twelve calls to the cloud in ten minutes', async () => {
    const { world, manager } = await anOutage();
    const before = world.cloud.lookups;
    await world.clock.advance(10 * minuteMs);
    assert.ok(world.cloud.lookups - before <= 12, `${world.cloud.lookups - before} calls`);
    await manager.stop();
  });

  it('nodes that the autoscaler removes do not engage the brake, but are held by it', async () => {
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
    assert.equal(world.names().length, 31, 'the engaged brake holds every deletion');
    await manager.stop();
  });
});

describe('wrong answers of the cloud', () => {
  it('cause no deletion if every instance is reported as absent', async () => {
    const world = new LifecycleWorld();
    world.addNodes(20);
    world.cloud.bend = () => ({ kind: 'absent' });
    const manager = world.start();
    await world.clock.advance(12 * minuteMs);
    assert.equal(world.names().length, 20);
    await manager.stop();
  });

  it('cause no deletion if one zone of three is reported as absent', async () => {
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

  it('cause no deletion if one answer in a hundred is wrong', async () => {
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

  it('cause no deletion if they come before and after hours of errors (P3)', async () => {
    const world = new LifecycleWorld();
    world.addNodes(3);
    // The last answers before and the first after the outage are wrong.
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
    assert.equal(
      world.cloud.answers.length,
      said + 3,
      'all three are reported as absent once more',
    );
    saysAbsent = false;
    await world.clock.advance(5 * minuteMs);
    assert.deepEqual([world.names().length, world.laws.deleted], [3, []]);
    await manager.stop();
  });

  it('do not prevent the deletion of a dead node if every other answer is an error', async () => {
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
  it('engages the brake after a fifth within ten minutes, and then continues', async () => {
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
    assert.equal(
      world.laws.deleted.length,
      12,
      'the rest is deleted once the first no longer count',
    );
    await manager.stop();
  });
});
