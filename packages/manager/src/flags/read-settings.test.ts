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
    const { policies, exclusions, gates, refreshLabels } = whole.settings.nodeSettings;
    assert.equal(policies[0]?.name, 'all');
    assert.deepEqual(
      exclusions.map(({ reason }) => reason),
      ['API VIP'],
    );
    assert.deepEqual([gates.CloudNodeIPs, refreshLabels], [true, true]);
    assert.equal('configFile' in whole.settings, false);
  });

  it('configure nothing without a file', async () => {
    const whole = await read(good);
    assert.ok(whole.kind === 'run');
    assert.deepEqual(whole.settings.nodeSettings, {
      policies: [],
      exclusions: [],
      gates: { CloudNodeIPs: true },
      refreshLabels: false,
    });
  });

  it('are refused with what is wrong in both', async () => {
    const refused = await read('kind: Other\nfoo: 1', '--config=config.yaml', '--webhooks=a');
    assert.ok(refused.kind === 'refused');
    assert.deepEqual(refused.problems, [
      '--webhooks is not supported: Tandem serves no webhooks: leave the flag out',
      'config.yaml:1: apiVersion is missing',
      'config.yaml:1: kind: must be ManagerConfiguration, not "Other"',
      'config.yaml:2: unknown field foo; known: apiVersion, kind, nodeIPPolicies, excludeCIDRs, vips',
    ]);
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
      problems: ['other.yaml: there is no such file; --config must name a file that can be read'],
    });
  });

  it('are not read at all for help', async () => {
    const help = await read(good, '--config=other.yaml', '--help');
    assert.equal(help.kind, 'help');
  });
});
