/**
 * Writes that the cluster does not let through, for one node or for all: the node is told, its
 * neighbours are initialised, and it goes on by itself when the way is free.
 */
import assert from 'node:assert/strict';
import { denyWrites } from './denied-writes.ts';
import { aMachine } from './inventory.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { setRules, untilAllowed } from './shipped-access.ts';
import { useInstallation } from './installation.ts';

describe('writes that the cluster refuses', function () {
  const { open, installation } = useInstallation();
  this.timeout(180_000);

  it('by an admission policy are told with its words, and tried again until they pass', async () => {
    const names = ['denied-forbidden', 'denied-invalid', 'not-denied'];
    await using scenario = await open({
      machines: names.map((name, index) => aMachine(name, index + 1)),
    });
    for (const name of names) await scenario.register({ name });
    const message = (node: string): string => `the platform team keeps ${node} for itself`;
    const [forbidden, invalid] = ['denied-forbidden', 'denied-invalid'] as const;
    const lift = [
      await denyWrites(scenario, {
        node: forbidden,
        reason: 'Forbidden',
        message: message(forbidden),
      }),
      await denyWrites(scenario, { node: invalid, reason: 'Invalid', message: message(invalid) }),
    ];
    const manager = await scenario.start();
    await scenario.untilInitialised(['not-denied']);
    for (const name of [forbidden, invalid]) {
      const { note, type } = await scenario.untilSaid(name, 'WriteRefused');
      assert.equal(type, 'Warning');
      assert.ok(note.includes(message(name)), note);
      assert.ok(hasTaint(scenario.node(name)));
    }
    for (const undo of lift) await undo();
    await scenario.untilInitialised(names, 75_000);
    manager.assertRunning();
  });

  it('for want of a right that was taken away are told, and pass when it is given back', async () => {
    const names = ['before', 'during', 'after'];
    await using scenario = await open({
      machines: names.map((name, index) => aMachine(name, index + 1)),
    });
    const manager = await scenario.start();
    await scenario.register({ name: 'before' });
    await scenario.untilInitialised(['before']);

    const role = installation().manifest.find(({ kind }) => kind === 'ClusterRole');
    assert.ok(role?.rules !== undefined);
    const right = { group: '', resource: 'nodes/status', verb: 'patch' };
    await setRules(
      scenario.controlPlane.admin,
      role,
      role.rules.filter(({ resources }) => !resources.includes('nodes/status')),
    );
    try {
      await untilAllowed(scenario.managerCredentials, right, 'denied');
      await scenario.register({ name: 'during' });
      const { level, err } = await manager.says(/^Missing permission to write to nodes/);
      assert.equal(level, 'error');
      assert.match(JSON.stringify(err), /cannot patch resource .*nodes\/status/);
      assert.ok(hasTaint(scenario.node('during')));
    } finally {
      await setRules(scenario.controlPlane.admin, role, role.rules);
    }
    await untilAllowed(scenario.managerCredentials, right, 'allowed');
    await scenario.register({ name: 'after' });
    await scenario.untilInitialised(['during', 'after']);
    assert.deepEqual(ipsOf(scenario.node('during')), ['10.1.0.2', 'fd00:1::2']);
    manager.assertRunning();
  });
});
