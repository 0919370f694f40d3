/**
 * The program from outside: what it says of itself, what it refuses to start with, and that the
 * manifests of upstream's managers start it unchanged.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aMachine, head } from './inventory.ts';
import { ManagerProcess } from './manager-process.ts';
import { useInstallation } from './installation.ts';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('the command line of the manager', function () {
  this.timeout(120_000);
  // What is refused at the start never gets to ask an API server.
  const { open, installation } = useInstallation();

  async function run(...flags: readonly string[]): Promise<Outcome> {
    const manager = new ManagerProcess(installation().bundle, flags);
    const { code } = await manager.ended();
    return { code, stdout: manager.stdout, stderr: manager.stderr };
  }

  /** A refusal to start: nothing on standard output, exit code 2. */
  async function refused(...flags: readonly string[]): Promise<string> {
    // No port of this machine is to decide what is refused.
    const { code, stdout, stderr } = await run('--secure-port=0', ...flags);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, stderr);
    return stderr;
  }

  it('shows its flags in groups with --help, upstream’s and its own', async () => {
    const { code, stdout, stderr } = await run('--help');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const flags = [
      'cloud-provider',
      'cloud-config',
      'kubeconfig',
      'leader-elect',
      'dry-run',
      'config',
    ];
    for (const flag of [
      ...flags,
      'node-status-update-frequency',
      'feature-gates',
      'kube-api-qps',
    ]) {
      assert.match(stdout, new RegExp(`--${flag}\\b`));
    }
    assert.ok((stdout.match(/^\S.*:$/gm) ?? []).length >= 4, 'there are no groups');
  });

  it('tells its version with --version', async () => {
    const { code, stdout } = await run('--version');
    assert.equal(code, 0);
    assert.match(stdout, /\d+\.\d+\.\d+/);
  });

  it('refuses unknown and invalid flags, all at once', async () => {
    const said = await refused(
      '--cloud-provider=gce',
      '--cloud-conifg=x',
      '--leader-elect=perhaps',
      '--leader-elect-lease-duration=1s',
      '--leader-elect-renew-deadline=5s',
      '--concurrent-node-syncs=0',
      '--controllers=cloud-nod',
      '--feature-gates=Nonsense=true',
    );
    for (const word of [
      /--cloud-provider "gce" is not available in this version/,
      /--cloud-conifg/,
      /--leader-elect\b.*perhaps/,
      /--leader-elect-.*lease duration.*renew deadline/,
      /--concurrent-node-syncs/,
      /cloud-nod\b/,
      /Nonsense/,
    ]) {
      assert.match(said, word);
    }
  });

  it('refuses arguments that are not flags, and a missing cloud', async () => {
    assert.match(await refused('--cloud-provider=static', 'surplus'), /surplus/);
    assert.match(await refused(), /--cloud-provider/);
  });

  it('refuses missing and invalid files, and names the position in them', async () => {
    await using scenario = await open({ machines: [aMachine('any', 1)] });
    const file = async (name: string, text: string): Promise<string> => {
      const path = join(scenario.directory, name);
      await writeFile(path, text);
      return path;
    };
    const kubeconfig = `--kubeconfig=${scenario.controlPlane.kubeconfig}`;
    const config = await file(
      'config.yaml',
      [
        'apiVersion: tandem.dev/v1alpha1',
        'kind: ManagerConfiguration',
        'nodeIPPolicies:',
        '  - {name: storage, selector: {matchLabels: {pool: storage}}, request: "IPv7"}',
        'excludeCIDRs:',
        '  - {cidr: 192.0.2.0/33}',
        'vips: {apiVIPs: [10.0.0.5]}',
        'surplus: 1',
        '',
      ].join('\n'),
    );
    const cloud = ['--cloud-provider=static', `--cloud-config=${scenario.inventory.path}`];
    const said = await refused(...cloud, kubeconfig, `--config=${config}`);
    for (const word of [
      /config\.yaml/,
      /nodeIPPolicies.*IPv7/s,
      /192\.0\.2\.0\/33/,
      /apiVIP/,
      /surplus/,
    ]) {
      assert.match(said, word);
    }
    const broken = await file('broken.yaml', `${head}instances: [`);
    const others: readonly { readonly flags: readonly string[]; readonly says: RegExp }[] = [
      {
        flags: ['--cloud-provider=static', `--cloud-config=${broken}`, kubeconfig],
        says: /broken\.yaml:\d+:\d+/,
      },
      {
        flags: ['--cloud-provider=static', '--cloud-config=/nowhere/i.yaml', kubeconfig],
        says: /\/nowhere\/i\.yaml/,
      },
      { flags: ['--cloud-provider=static', kubeconfig], says: /--cloud-config/ },
      { flags: [...cloud, '--kubeconfig=/nowhere/config'], says: /\/nowhere\/config/ },
      {
        flags: ['--cloud-provider=./nowhere.js', kubeconfig],
        says: /nowhere\.js.*is not a file.*aws, azure, static and simulated/s,
      },
    ];
    const outcomes = await Promise.all(others.map(({ flags }) => refused(...flags)));
    for (const [index, { says }] of others.entries()) assert.match(outcomes[index] ?? '', says);
  });
});

describe('the manager that is started', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  it('accepts the flags of upstream’s manifests, and names those without effect', async () => {
    await using scenario = await open({ machines: [aMachine('unchanged', 1)] });
    const manager = await scenario.start({
      flags: [
        '-v=2',
        '--configure-cloud-routes=false',
        '--concurrent-service-syncs=1',
        '--allocate-node-cidrs=false',
        '--cluster-cidr=10.244.0.0/16',
        '--cluster-name=kubernetes',
        '--use-service-account-credentials=false',
        '--controllers=*,-service',
        '--leader-elect=true',
        '--bind-address=127.0.0.1',
      ],
    });
    await scenario.register({ name: 'unchanged' });
    await scenario.untilInitialised(['unchanged']);
    assert.match(manager.stdout + manager.stderr, /concurrent-service-syncs/);
    assert.deepEqual(await manager.stop(), { code: 0, signal: null });
    const stopping = manager.log.find(({ msg }) => msg.startsWith('Stopping: '));
    assert.equal(stopping?.['reason'], 'Received SIGTERM');
  });

  it('names a controller that only upstream has, with what to do', async () => {
    await using scenario = await open();
    const manager = await scenario.start();
    await scenario.until(() => /service-lb-controller/.test(manager.stdout + manager.stderr));
  });
});
