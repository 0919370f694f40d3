/**
 * `--use-service-account-credentials` on a real control plane: the controllers write as an account of
 * their own, the Lease stays the manager's, and what is missing for it is said and mended while it runs.
 */
import assert from 'node:assert/strict';
import { systemClock } from '@tandem/runtime';
import { aMachine } from '../manager/inventory.ts';
import { applyManifest, readManifest } from '../manager/shipped-access.ts';
import { useWorld } from '../manager/world.ts';
import { operate, quickDeletion, untilLeading } from './operated.ts';

const accountOf = (name: string): string => `system:serviceaccount:kube-system:${name}`;

describe('controllers with a service account of their own', function () {
  this.timeout(60_000);
  const { open, world } = useWorld();

  it('say what they lack, begin when it is there, and write as themselves', async () => {
    const fromMs = systemClock.now();
    const machines = [aMachine('own-account', 1), aMachine('doomed', 2)];
    await using scene = await open({ machines });
    const flags = [...quickDeletion, '--use-service-account-credentials=true'];
    const operated = await operate(scene, { flags });
    const { manager, port } = operated;
    await untilLeading(scene, operated);
    const said = await manager.says(/^Could not get a token for the controllers$/);
    assert.equal(said.level, 'error');
    assert.equal(said['account'], 'kube-system/node-controller');
    assert.match(
      JSON.stringify(said['err']),
      /Apply manifests\/controller-account\.yaml, or leave/,
    );
    assert.deepEqual(await port.failedChecks('readyz'), ['controller-account']);
    assert.equal((await port.ask('/livez')).status, 200);

    await applyManifest(world().controlPlane.admin, readManifest('controller-account.yaml'));
    await scene.until(async () => (await port.failedChecks('readyz')).length === 0);
    for (const { name } of machines) await scene.register({ name });
    await scene.untilInitialised(['own-account', 'doomed']);
    await scene.inventory.write(machines.slice(0, 1));
    await scene.until(() => !scene.nodes.objects.has('doomed'));
    await scene.untilSaid('own-account', 'Synced');
    const writers = await writersSince(fromMs);
    assert.deepEqual(writers.get('nodes'), new Set([accountOf('node-controller')]));
    assert.deepEqual(writers.get('nodes/status'), new Set([accountOf('node-controller')]));
    assert.deepEqual(writers.get('leases'), new Set([accountOf('cloud-controller-manager')]));
    assert.ok(writers.get('events')?.has(accountOf('node-controller')));
    assert.equal(manager.log.filter(({ msg }) => msg === 'Lacked a permission').length, 0);
  });

  /** Which of the two accounts changed what, by the server's own record. */
  async function writersSince(fromMs: number): Promise<Map<string, Set<string>>> {
    const { auditLog } = world().controlPlane;
    assert.ok(auditLog !== undefined);
    const writers = new Map<string, Set<string>>();
    for await (const { verb, objectRef, user, ...entry } of auditLog.entries()) {
      const isLate = Date.parse(entry.requestReceivedTimestamp) >= fromMs;
      const isOurs = user.username.startsWith(accountOf(''));
      if (!isLate || !isOurs || ['get', 'list', 'watch'].includes(verb)) continue;
      const { resource = '', subresource } = objectRef ?? {};
      const written = subresource === undefined ? resource : `${resource}/${subresource}`;
      writers.set(written, (writers.get(written) ?? new Set()).add(user.username));
    }
    return writers;
  }
});
