/**
 * `--use-service-account-credentials` on a real control plane, in a cluster of its own: what is missing is
 * said and mended while the manager runs, by the manifest that takes the place of the other. With exactly
 * that manifest the controllers write as an account of their own, the Lease stays the manager's, and the
 * manager itself cannot write to nodes.
 */
import assert from 'node:assert/strict';
import { systemClock } from '@tandem/runtime';
import { type AuditEntry, request } from '../../control-plane/index.ts';
import { aMachine } from '../manager/inventory.ts';
import { rootOf } from '../../control-plane/mocha.ts';
import { Scenario } from '../manager/scenario.ts';
import {
  applyManifest,
  describeRight,
  readManifest,
  rightOf,
  rightsOf,
  untilAllowed,
} from '../manager/shipped-access.ts';
import { inOwnInstallation, useInstallation, type Installation } from '../manager/installation.ts';
import { operate, quickDeletion, untilLeading } from './operated.ts';

const accountOf = (name: string): string => `system:serviceaccount:kube-system:${name}`;

const manager = 'cloud-controller-manager';

describe('controllers with a service account of their own', function () {
  this.timeout(120_000);
  // Where there is no control plane, this says so and skips.
  useInstallation();

  it('say what they lack, begin when it is there, and write as themselves', async function () {
    await inOwnInstallation(rootOf(this), story);
  });
});

async function story(installation: Installation): Promise<void> {
  const { admin } = installation.controlPlane;
  const machines = [aMachine('own-account', 1), aMachine('doomed', 2)];
  await using scenario = await Scenario.open(installation, { machines });
  const flags = [...quickDeletion, '--use-service-account-credentials=true'];
  const operated = await operate(scenario, { flags });
  const { port } = operated;
  await untilLeading(scenario, operated);
  const said = await operated.manager.says(/^Could not get a token for the controllers$/);
  assert.equal(said.level, 'error');
  assert.equal(said['account'], 'kube-system/node-controller');
  assert.match(
    JSON.stringify(said['err']),
    /Apply manifests\/rendered\/rbac-controller-accounts\.yaml in place of manifests\/rendered\/rbac\.yaml, or remove/,
  );
  assert.deepEqual(await port.failedChecks('readyz'), ['controller-account']);
  assert.match(await port.reasonOf('controller-account'), /kube-system\/node-controller/);
  assert.equal((await port.ask('/livez')).status, 200);

  const own = { server: admin.server, ca: admin.ca, token: installation.token };
  const patchNodes = { group: '', resource: 'nodes', verb: 'patch' };
  await untilAllowed(own, patchNodes, 'allowed');
  await applyManifest(admin, readManifest('rbac-controller-accounts.yaml'), 'replace');
  await untilAllowed(own, patchNodes, 'denied');
  await scenario.until(async () => (await port.failedChecks('readyz')).length === 0);
  const fromMs = systemClock.now();
  for (const { name } of machines) await scenario.register({ name });
  await scenario.untilInitialised(['own-account', 'doomed']);
  await scenario.inventory.write(machines.slice(0, 1));
  await scenario.until(() => !scenario.nodes.objects.has('doomed'));
  await scenario.untilSaid('own-account', 'Synced');

  const refused = await request(own, {
    method: 'PATCH',
    path: '/api/v1/nodes/own-account',
    contentType: 'application/merge-patch+json',
    body: { metadata: { labels: { 'example.com/mine': 'true' } } },
  });
  assert.equal(refused.status, 403, refused.text);
  for (const verb of ['patch', 'delete', 'update', 'create']) {
    await untilAllowed(own, { group: '', resource: 'nodes', verb }, 'denied');
  }
  await untilAllowed(own, { group: '', resource: 'nodes/status', verb: 'patch' }, 'denied');

  const writers = await writersSince(installation, fromMs);
  assert.deepEqual(writers.get('nodes'), new Set([accountOf('node-controller')]));
  assert.deepEqual(writers.get('nodes/status'), new Set([accountOf('node-controller')]));
  assert.deepEqual(writers.get('leases'), new Set([accountOf(manager)]));
  assert.deepEqual(writers.get('events'), new Set([accountOf('node-controller')]));
  const given = rightsOf(readManifest('rbac-controller-accounts.yaml')).map(describeRight);
  assert.deepEqual(
    (await usedSince(installation, fromMs)).filter((right) => !given.includes(right)),
    [],
  );

  // Whoever starts with the manifest in place has nothing to be told.
  await operated.manager.stop();
  const next = await operate(scenario, { flags });
  await untilLeading(scenario, next);
  await scenario.until(async () => (await next.port.metric(tokenMetric)) === 0);
  assert.deepEqual(
    next.manager.log.filter(({ level }) => level === 'error').map(({ msg }) => msg),
    [],
  );
  await next.manager.stop();
}

const tokenMetric = 'tandem_missing_permissions{verb="create",resource="serviceaccounts/token"}';

/** What the two accounts asked for and got, by the server's own record. */
async function entriesSince({ controlPlane }: Installation, fromMs: number): Promise<AuditEntry[]> {
  const ours = [manager, 'node-controller'].map(accountOf);
  const entries = await controlPlane.audited(fromMs);
  return entries.filter(
    ({ user, responseStatus }) => ours.includes(user.username) && responseStatus?.code !== 403,
  );
}

async function writersSince(
  installation: Installation,
  fromMs: number,
): Promise<Map<string, Set<string>>> {
  const writers = new Map<string, Set<string>>();
  for (const { verb, objectRef, user } of await entriesSince(installation, fromMs)) {
    if (['get', 'list', 'watch'].includes(verb)) continue;
    const { resource = '', subresource } = objectRef ?? {};
    const written = subresource === undefined ? resource : `${resource}/${subresource}`;
    writers.set(written, (writers.get(written) ?? new Set()).add(user.username));
  }
  return writers;
}

/** Without what the cluster's own roles give to everybody and to the secure port. */
async function usedSince(installation: Installation, fromMs: number): Promise<string[]> {
  const used = new Set<string>();
  for (const entry of await entriesSince(installation, fromMs)) {
    const { resource = '' } = entry.objectRef ?? {};
    const isDelegated = resource.endsWith('reviews') || resource === 'configmaps';
    if (entry.objectRef !== undefined && !isDelegated) used.add(describeRight(rightOf(entry)));
  }
  return [...used];
}
