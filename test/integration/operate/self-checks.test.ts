/**
 * What the shipped program says of itself when it starts: rights that it lacks, credentials that the
 * cloud refuses, who leads already, and a clock that is wrong.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { aMachine } from '../manager/inventory.ts';
import type { Scenario } from '../manager/scenario.ts';
import {
  apply,
  type ManifestObject,
  type Rule,
  setRules,
  untilAllowed,
  withoutRule,
} from '../manager/shipped-access.ts';
import { useInstallation } from '../manager/installation.ts';
import { leading, operate, untilLeading } from './operated.ts';

describe('the self-checks of the shipped program', function () {
  this.timeout(60_000);
  const { open, installation } = useInstallation();

  /** A program that runs ours with a clock that is ahead. */
  async function aheadBy(scenario: Scenario, skewMs: number): Promise<string> {
    const path = join(scenario.directory, 'ahead.mjs');
    const bundle = pathToFileURL(installation().bundle).href;
    const lines = [
      'const now = Date.now;',
      `Date.now = () => now() + ${skewMs};`,
      `await import(${JSON.stringify(bundle)});`,
      '',
    ];
    await writeFile(path, lines.join('\n'));
    return path;
  }

  it('find nothing wrong with the rights of the manifest and a clock that is right', async () => {
    await using scenario = await open();
    const { manager, port } = await operate(scenario);
    await scenario.until(async () => (await port.metric(skew)) !== undefined);
    const { text } = await port.askAsMaster('/metrics');
    const rights = [...text.matchAll(/^tandem_missing_permissions\{.*\} (\d)$/gm)];
    assert.ok(rights.length >= 10, `${rights.length} rights were looked at`);
    for (const resource of ['tokenreviews', 'subjectaccessreviews', 'configmaps']) {
      assert.match(
        text,
        new RegExp(`^tandem_missing_permissions\\{.*"${resource}[."].*\\} 0$`, 'm'),
      );
    }
    assert.deepEqual(
      rights.filter(([, value]) => value !== '0'),
      [],
    );
    const seconds = (await port.metric(skew)) ?? Number.NaN;
    assert.ok(Math.abs(seconds) < 3, `the clock is off by ${seconds} s`);
    assert.deepEqual(
      manager.log
        .filter(({ level }) => level === 'warn' || level === 'error')
        .map(({ msg }) => msg),
      [],
    );
  });

  it('name the right that is missing with the rule that gives it, which then mends it', async () => {
    const role = 'tandem:cloud-controller-manager';
    const { rules = [] } = roleNamed(installation().manifest, role);
    const index = rules.findIndex(({ verbs }) => verbs.includes('delete'));
    const copy = withoutRule(installation().manifest, { role, index }, '-unarmed');
    await using scenario = await open({ machines: [aMachine('doomed', 1)] });
    const token = await apply(scenario.controlPlane.admin, copy);
    const { manager, port } = await operate(scenario, { token });
    const said = await manager.says(/^Missing permission$/);
    assert.equal(said.level, 'error');
    assert.deepEqual([said['verb'], said['resource']], ['delete', 'nodes']);
    assert.equal(said['role'], `ClusterRole ${role}`);
    assert.equal(said['manifest'], 'manifests/rendered/rbac.yaml');
    assert.match(String(said['consequence']), /not deleted/);
    assert.equal(
      await port.metric('tandem_missing_permissions{verb="delete",resource="nodes"}'),
      1,
    );
    assert.equal(manager.log.filter(({ msg }) => msg === said.msg).length, 1);

    const rule: Rule = parse(String(said['rule']));
    assert.deepEqual(rule, rules[index], 'the rule of the manifest, ready to paste');
    const lacking = roleNamed(copy, `${role}-unarmed`);
    const { admin } = scenario.controlPlane;
    await setRules(admin, lacking, [...(lacking.rules ?? []), rule]);
    const { server, ca } = admin;
    await untilAllowed(
      { server, ca, token },
      { group: '', resource: 'nodes', verb: 'delete' },
      'allowed',
    );
  });

  it('name the binding where the secure port may not ask about its visitors', async () => {
    const role = 'system:auth-delegator';
    const nothing = { role, index: -1 };
    const copy = withoutRule(installation().manifest, nothing, '-unasking').filter(
      ({ roleRef }) => roleRef?.name !== role,
    );
    await using scenario = await open();
    const token = await apply(scenario.controlPlane.admin, copy);
    const { manager } = await operate(scenario, { token });
    for (const resource of [
      'tokenreviews.authentication.k8s.io',
      'subjectaccessreviews.authorization.k8s.io',
    ]) {
      const said = await manager.says(/^Missing permission$/, { verb: 'create', resource });
      assert.equal(said['role'], `ClusterRole ${role}`);
      assert.match(String(said['binding']), /^ClusterRoleBinding .*:auth-delegator$/);
    }
  });

  it('say that the cloud refuses our credentials before there is a node to ask about', async () => {
    await using scenario = await open();
    const module = join(import.meta.dirname, 'refusing-cloud', 'provider.ts');
    const { manager, port } = await operate(scenario, { provider: [`--cloud-provider=${module}`] });
    const said = await manager.says(/^Cloud refused the credentials$/, { level: 'error' });
    assert.equal(said['provider'], 'refusing');
    assert.match(JSON.stringify(said['err']), /expired yesterday\. Make a new one/);
    assert.match(String(said['fix']), /credentials of the provider/);
    assert.equal(await port.metric('tandem_cloud_access{result="refused"}'), 1);
    assert.equal(await port.metric('tandem_cloud_access{result="granted"}'), 0);
    await scenario.until(async () => (await port.metric(leading)) === 1);
    manager.assertRunning();
  });

  it('name the manager that holds the Lease, and say that the clock is wrong', async () => {
    await using scenario = await open();
    const leader = await operate(scenario);
    await untilLeading(scenario, leader);
    const holder = await scenario.leaseHolder();
    const program = await aheadBy(scenario, 90_000);
    const [standby, alone] = await Promise.all([
      operate(scenario, { program }),
      scenario.start({ flags: ['--leader-elect=false'] }),
    ]);
    await standby.manager.says(/Found another manager holding the Lease/, { holder });
    const warned = await alone.says(/Found another active manager/, { holder, level: 'warn' });
    assert.match(String(warned['fix']), /--leader-elect/);

    const said = await standby.manager.says(/^Clock differs from the API server$/);
    assert.ok(Math.abs(Number(said['skewSeconds']) - 90) < 3, String(said['skewSeconds']));
    const seconds = (await standby.port.metric(skew)) ?? Number.NaN;
    assert.ok(Math.abs(seconds - 90) < 3, `the metric says ${seconds} s`);
    // Who leads does not depend on anybody's clock: a Lease that looks long expired to it is not taken.
    assert.equal(await scenario.leaseHolder(), holder);
  });
});

const skew = 'tandem_api_server_clock_skew_seconds';

function roleNamed(manifest: readonly ManifestObject[], name: string): ManifestObject {
  const role = manifest.find(({ rules, metadata }) => rules && metadata.name === name);
  assert.ok(role !== undefined, `there is no role ${name}`);
  return role;
}
