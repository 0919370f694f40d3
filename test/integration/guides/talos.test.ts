/** Talos's own packages take the patches of the guide, and set what the guide says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goProgramOrSkip, goPrograms } from '../../support/go-program.ts';
import { fences } from '../../support/guides/read-guide.ts';
import { root } from './reader.ts';

const page = readFileSync(join(root, 'docs/guides/talos.md'), 'utf8');
const blocks = [...fences(page)];
const yaml = blocks.filter(({ language }) => language === 'yaml').map(({ body }) => body);

describe('the patches of the guide for Talos', function () {
  let program = '';
  let folder = '';

  before(async function () {
    program = await goProgramOrSkip(this, goPrograms.talosConfig);
    folder = await mkdtemp(join(tmpdir(), 'tandem-talos-'));
  });

  after(async () => {
    if (folder !== '') await rm(folder, { recursive: true });
  });

  /** One line for a control plane and one for a worker. */
  async function patch(...patches: readonly string[]) {
    const { stdout } = await promisify(execFile)(program, [...patches], { cwd: folder });
    const made = stdout.trimEnd().split('\n');
    assert.equal(made.length, 2);
    return made.map((line) => JSON.parse(line));
  }

  it('make a new cluster dual-stack, with nodes that wait for a cloud-controller-manager', async () => {
    const [cluster = '', machine = ''] = yaml;
    await writeFile(join(folder, 'tandem.patch.yaml'), cluster);
    await writeFile(join(folder, 'node-ip.yaml'), machine);
    for (const made of await patch('@tandem.patch.yaml', '@node-ip.yaml')) {
      const { machine: kind, ...settings } = made;
      assert.deepEqual(
        settings,
        {
          isCloudProviderExternal: true,
          podSubnets: ['10.244.0.0/16', 'fd00:10:244::/56'],
          serviceSubnets: ['10.96.0.0/16', 'fd00:10:96::/112'],
          nodeIPSubnets: ['10.0.0.0/24', 'fd00::/64'],
        },
        kind,
      );
    }
  });

  it('change a cluster that runs in nothing but its cloud provider', async () => {
    const commands = blocks.map(({ body }) => body).join('\n');
    const [, inline = ''] = /talosctl patch machineconfig .* --patch '(.*)'$/m.exec(commands) ?? [];
    const without = await patch();
    const changed = without.map((settings) => ({ ...settings, isCloudProviderExternal: true }));
    assert.deepEqual(await patch(inline), changed);
    assert.ok(without.every(({ isCloudProviderExternal }) => isCloudProviderExternal === false));
  });

  it('would be refused with a field that Talos does not have, or an invalid network', async () => {
    const [cluster = '', machine = ''] = yaml;
    const unknown = cluster.replace('externalCloudProvider:', 'externalCloudProviders:');
    await assert.rejects(patch(unknown), /unknown keys found/);
    const nonsense = machine.replace('10.0.0.0/24', 'nonsense');
    await assert.rejects(patch(nonsense), /nodeIP subnet is not valid/);
  });
});
