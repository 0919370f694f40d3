/**
 * Writes that the cluster does not let through, for one node or for all: the node is told, its
 * neighbours are initialised, and it goes on by itself when the way is free.
 */
import assert from 'node:assert/strict';
import { denyWrites } from './denied-writes.ts';
import { aMachine } from './inventory.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { setRules, untilAllowed } from './shipped-access.ts';
import { useWorld } from './world.ts';

describe('writes that the cluster refuses', function () {
  const { open, world } = useWorld();
  this.timeout(180_000);

  it('by an admission policy are told with its words, and tried again until they pass', async () => {
    const names = ['denied-forbidden', 'denied-invalid', 'not-denied'];
    await using scene = await open({
      machines: names.map((name, index) => aMachine(name, index + 1)),
    });
    for (const name of names) await scene.register({ name });
    const message = (node: string): string => `the platform team keeps ${node} for itself`;
    const [forbidden, invalid] = ['denied-forbidden', 'denied-invalid'] as const;
    const lift = [
      await denyWrites(scene, {
        node: forbidden,
        reason: 'Forbidden',
        message: message(forbidden),
      }),
      await denyWrites(scene, { node: invalid, reason: 'Invalid', message: message(invalid) }),
    ];
    const manager = await scene.start();
    await scene.untilInitialised(['not-denied']);
    for (const name of [forbidden, invalid]) {
      const { note, type } = await scene.untilSaid(name, 'WriteRefused');
      assert.equal(type, 'Warning');
      assert.ok(note.includes(message(name)), note);
      assert.ok(hasTaint(scene.node(name)));
    }
    for (const undo of lift) await undo();
    await scene.untilInitialised(names, 75_000);
    manager.assertRunning();
  });

  it('for want of a right that was taken away are told, and pass when it is given back', async () => {
    const names = ['before', 'during', 'after'];
    await using scene = await open({
      machines: names.map((name, index) => aMachine(name, index + 1)),
    });
    const manager = await scene.start();
    await scene.register({ name: 'before' });
    await scene.untilInitialised(['before']);

    const role = world().manifest.find(({ kind }) => kind === 'ClusterRole');
    assert.ok(role?.rules !== undefined);
    const right = { group: '', resource: 'nodes/status', verb: 'patch' };
    await setRules(
      scene.controlPlane.admin,
      role,
      role.rules.filter(({ resources }) => !resources.includes('nodes/status')),
    );
    try {
      await untilAllowed(scene.managerCredentials, right, 'denied');
      await scene.register({ name: 'during' });
      const { level, err } = await manager.says(/^Missing permission to write to nodes/);
      assert.equal(level, 'error');
      assert.match(JSON.stringify(err), /cannot patch resource .*nodes\/status/);
      assert.ok(hasTaint(scene.node('during')));
    } finally {
      await setRules(scene.controlPlane.admin, role, role.rules);
    }
    await untilAllowed(scene.managerCredentials, right, 'allowed');
    await scene.register({ name: 'after' });
    await scene.untilInitialised(['during', 'after']);
    assert.deepEqual(ipsOf(scene.node('during')), ['10.1.0.2', 'fd00:1::2']);
    manager.assertRunning();
  });
});
