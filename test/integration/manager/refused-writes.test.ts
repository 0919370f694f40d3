/**
 * Writes that the cluster does not let through, for one node or for all: the node is told, its
 * neighbours are initialised, and it goes on by itself when the way is free.
 */
import assert from 'node:assert/strict';
import { request } from '../../control-plane/index.ts';
import { aMachine } from './inventory.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { setRules, untilAllowed } from './shipped-access.ts';
import type { Scene } from './scene.ts';
import { useWorld } from './world.ts';

const account = 'system:serviceaccount:kube-system:cloud-controller-manager';
const admission = '/apis/admissionregistration.k8s.io/v1';

describe('writes that the cluster refuses', function () {
  this.timeout(180_000);
  const { open, world } = useWorld();

  /** An admission policy that keeps the manager from nodes of a name, with the reason that it gives. */
  async function deny(
    scene: Scene,
    over: { readonly node: string; readonly reason: 'Forbidden' | 'Invalid' },
  ): Promise<() => Promise<void>> {
    const name = `deny-${over.node}`;
    const isOthers = `request.userInfo.username != '${account}'`;
    await scene.ask({
      method: 'POST',
      path: `${admission}/validatingadmissionpolicies`,
      body: {
        metadata: { name },
        spec: {
          failurePolicy: 'Fail',
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['UPDATE'],
                resources: ['nodes', 'nodes/status'],
              },
            ],
          },
          validations: [
            {
              expression: `${isOthers} || request.name != '${over.node}'`,
              message: `the platform team keeps ${over.node} for itself`,
              reason: over.reason,
            },
          ],
        },
      },
    });
    await scene.ask({
      method: 'POST',
      path: `${admission}/validatingadmissionpolicybindings`,
      body: { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } },
    });
    await untilDenied(scene, over.node);
    return async () => {
      for (const kind of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies']) {
        await scene.ask({ method: 'DELETE', path: `${admission}/${kind}/${name}` });
      }
    };
  }

  /** Policies count a moment after they are created; a dry run of the manager's own tells. */
  async function untilDenied(scene: Scene, node: string): Promise<void> {
    await scene.until(async () => {
      const answer = await request(scene.managerCredentials, {
        method: 'PATCH',
        path: `/api/v1/nodes/${node}?dryRun=All`,
        contentType: 'application/merge-patch+json',
        body: { metadata: { labels: { tried: 'true' } } },
      });
      return answer.status !== 200;
    });
  }

  it('by an admission policy are told with its words, and tried again until they pass', async () => {
    const names = ['denied-forbidden', 'denied-invalid', 'not-denied'];
    await using scene = await open({
      machines: names.map((name, index) => aMachine(name, index + 1)),
    });
    for (const name of names) await scene.register({ name });
    const lift = [
      await deny(scene, { node: 'denied-forbidden', reason: 'Forbidden' }),
      await deny(scene, { node: 'denied-invalid', reason: 'Invalid' }),
    ];
    const manager = await scene.start();
    await scene.untilInitialised(['not-denied']);
    for (const name of ['denied-forbidden', 'denied-invalid']) {
      const { note, type } = await scene.untilSaid(name, 'WriteRefused');
      assert.equal(type, 'Warning');
      assert.match(note, new RegExp(`the platform team keeps ${name} for itself`));
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
      const { level, err } = await manager.says(/^Writing to nodes was denied/);
      assert.equal(level, 'error');
      assert.match(JSON.stringify(err), /cannot patch resource .*nodes\/status/);
      assert.ok(hasTaint(scene.node('during')));
    } finally {
      await setRules(scene.controlPlane.admin, role, role.rules);
    }
    await untilAllowed(scene.managerCredentials, right, 'allowed');
    await scene.register({ name: 'after' });
    await scene.untilInitialised(['during', 'after'], 40_000);
    assert.deepEqual(ipsOf(scene.node('during')), ['10.1.0.2', 'fd00:1::2']);
    manager.assertRunning();
  });
});
