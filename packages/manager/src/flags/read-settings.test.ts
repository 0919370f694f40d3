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
  it('combine the flags and the file', async () => {
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

  it('have no address rules without a file', async () => {
    const whole = await read(good);
    assert.ok(whole.kind === 'run');
    assert.deepEqual(whole.settings.addressRules, {
      policies: [],
      exclusions: [],
      gates: { CloudNodeIPs: true },
    });
  });

  it('are refused with the problems of both flags and file', async () => {
    const refused = await read('kind: Other\nfoo: 1', '--config=config.yaml', '--webhooks=a');
    assert.ok(refused.kind === 'refused');
    assert.deepEqual(refused.problems, [
      '--webhooks is not supported: Tandem serves no webhooks. Remove the flag',
      'config.yaml:1: apiVersion is missing',
      'config.yaml:1: kind: must be ManagerConfiguration, not "Other"',
      'config.yaml:2: unknown field foo; known fields: apiVersion, kind, nodeIPPolicies, excludeCIDRs, vips, podCIDRPools, routes',
    ]);
  });

  it('are refused with an unknown cloud among the other problems, reported once', async () => {
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

  it('apply the feature gates of the flags to the policies of the file', async () => {
    const gate = '--feature-gates=CloudNodeIPs=false';
    const refused = await read(good, '--config=config.yaml', gate);
    assert.ok(refused.kind === 'refused');
    assert.match(refused.problems.join(), /nodeIPPolicies\[0\].request: FeatureDisabled: /);
  });

  it('are refused when the file cannot be read, without the message of the system', async () => {
    const refused = await read(good, '--config=other.yaml');
    assert.deepEqual(refused, {
      kind: 'refused',
      problems: ['--config: other.yaml does not exist. Check the path.'],
    });
  });

  it('are not read for --help', async () => {
    const help = await read(good, '--config=other.yaml', '--help');
    assert.equal(help.kind, 'help');
  });
});
