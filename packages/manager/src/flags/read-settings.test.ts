import assert from 'node:assert/strict';
import { readSettings } from './read-settings.ts';

const good = `
apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration
nodeIPPolicies:
  - {name: all, selector: {}, request: "IPv6,IPv4"}
vips: {apiVIP: 10.0.0.5}
`;

function read(text: string, ...args: readonly string[]) {
  return readSettings({
    args: ['--cloud-provider=static', ...args],
    hasModule: () => false,
    readFile: (path) =>
      path === 'config.yaml'
        ? Promise.resolve(text)
        : Promise.reject(Object.assign(new Error(`secret of ${path}`), { code: 'ENOENT' })),
  });
}

describe('the settings of the manager', () => {
  it('are made of flags and file together', async () => {
    const whole = await read(good, '--config=config.yaml', '--refresh-labels');
    assert.ok(whole.kind === 'run');
    const { policies, exclusions, gates } = whole.settings.addressRules;
    assert.equal(policies[0]?.name, 'all');
    assert.deepEqual(
      exclusions.map(({ reason }) => reason),
      ['API VIP'],
    );
    assert.equal(gates.CloudNodeIPs, true);
    const [cloudNode] = whole.settings.controllers;
    assert.partialDeepStrictEqual(cloudNode?.settings, { refreshLabels: true });
    assert.equal('configFile' in whole.settings, false);
  });

  it('configure nothing without a file', async () => {
    const whole = await read(good);
    assert.ok(whole.kind === 'run');
    assert.deepEqual(whole.settings.addressRules, {
      policies: [],
      exclusions: [],
      gates: { CloudNodeIPs: true },
    });
  });

  it('are refused with what is wrong in both', async () => {
    const refused = await read('kind: Other\nfoo: 1', '--config=config.yaml', '--webhooks=a');
    assert.ok(refused.kind === 'refused');
    assert.deepEqual(refused.problems, [
      '--webhooks is not supported: Tandem serves no webhooks. Remove the flag',
      'config.yaml:1: apiVersion is missing',
      'config.yaml:1: kind: must be ManagerConfiguration, not "Other"',
      'config.yaml:2: unknown field foo; known fields: apiVersion, kind, nodeIPPolicies, excludeCIDRs, vips, podCIDRPools, routes',
    ]);
  });

  it('are refused with a cloud that is not there in the same round, said once', async () => {
    const refused = await read('kind: Other', '--config=config.yaml', '--cloud-provider=gce');
    assert.ok(refused.kind === 'refused');
    assert.match(refused.problems[0] ?? '', /^--cloud-provider "gce" is not available in this/);
    assert.match(refused.problems[1] ?? '', /^config\.yaml:1: apiVersion is missing/);
    for (const given of ['external', '']) {
      const unnamed = await read(good, `--cloud-provider=${given}`);
      assert.ok(unnamed.kind === 'refused');
      assert.equal(unnamed.problems.length, 1);
    }
  });

  it('hold the policies of the file to the gates of the flags', async () => {
    const gate = '--feature-gates=CloudNodeIPs=false';
    const refused = await read(good, '--config=config.yaml', gate);
    assert.ok(refused.kind === 'refused');
    assert.match(refused.problems.join(), /nodeIPPolicies\[0\].request: FeatureDisabled: /);
  });

  it('say of a file that cannot be read why, and nothing of what the system said', async () => {
    const refused = await read(good, '--config=other.yaml');
    assert.deepEqual(refused, {
      kind: 'refused',
      problems: ['--config: other.yaml does not exist. Check the path.'],
    });
  });

  it('are not read at all for help', async () => {
    const help = await read(good, '--config=other.yaml', '--help');
    assert.equal(help.kind, 'help');
  });
});
