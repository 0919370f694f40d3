/** The image that the Dockerfile makes: what is in it, and that its manager does its work in it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chown, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { memorySettings } from '../../../tools/build/memory-settings.ts';
import { aMachine } from '../manager/inventory.ts';
import { ipsOf } from '../manager/seen-node.ts';
import { useInstallation } from '../manager/installation.ts';
import { Buildah } from './buildah.ts';
import {
  architectures,
  buildImage,
  type Container,
  createContainer,
  type Image,
  type PlatformImage,
  variables,
} from './image.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const user = 65_532;
const launcher = join(import.meta.dirname, 'container/main.ts');

describe('the image', function () {
  this.timeout(180_000);
  const { open } = useInstallation();
  let buildah: Buildah;
  let image: Image;
  let own: PlatformImage;
  let container: Container;

  before(async function () {
    this.timeout(600_000);
    buildah = await Buildah.open(this);
    image = await buildImage(buildah, commit);
    [own] = image.platforms;
    container = await createContainer(buildah, own);
  });

  after(() => buildah?.[Symbol.asyncDispose]());

  const run = async (
    { folders = [], ...over }: Partial<Container>,
    ...args: readonly string[]
  ): Promise<string> => {
    const CONTAINER = JSON.stringify({ ...container, folders, ...over });
    const { stdout } = await promisify(execFile)(process.execPath, [launcher, ...args], {
      env: { CONTAINER },
    });
    return stdout.trim();
  };

  it('exists for amd64 and arm64, with the same program, settings and labels', async () => {
    const [here, there] = image.platforms;
    assert.deepEqual([here.architecture, there.architecture], architectures);
    assert.deepEqual(there.config, here.config);
    // The last layer is all that the Dockerfile adds; one digest means the same files to the byte.
    assert.equal(there.layers.at(-1), here.layers.at(-1));
    assert.notEqual(there.layers[0], here.layers[0]);
    assert.deepEqual([here.layers.length, there.layers.length], [2, 2]);
  });

  it('tells its version and the commit that it was built from', async () => {
    const version = await run({}, '--version');
    assert.match(version, new RegExp(`^Tandem \\d+\\.\\d+\\.\\d+ \\(commit ${commit}\\)$`));
    assert.equal(JSON.parse(await run({}, '--version=raw')).gitCommit, commit);
  });

  it('has the OCI labels for that commit and its base', () => {
    const of = (name: string): string | undefined =>
      own.config.Labels[`org.opencontainers.image.${name}`];
    assert.equal(of('title'), 'Tandem');
    assert.equal(of('licenses'), 'Apache-2.0');
    assert.equal(of('revision'), commit);
    assert.equal(of('base.name'), image.base);
    assert.match(of('version') ?? '', /^\d+\.\d+\.\d+$/);
  });

  it('has the memory settings of memory.env and no other engine settings', () => {
    const { PATH, ...settings } = variables(own.config.Env);
    assert.ok(PATH !== undefined);
    assert.deepEqual(settings, memorySettings());
  });

  it('adds at most 25 MB to its base, the chunks of AWS and Azure included', async () => {
    const base = await sizeOf(join(buildah.directory, 'base'));
    const added = (await sizeOf(container.root)) - base;
    assert.ok(added > 5e6, `the bundle is larger than ${added} bytes`);
    assert.ok(added <= 25e6, `${added} bytes more than the base`);
  });

  it('holds the bundle and the license beside its base: no sources, no packages, no shell', async () => {
    const { stdout } = await promisify(execFile)('find', ['.', '-type', 'f'], {
      cwd: container.root,
    });
    const ofBase = /^\.\/(?:lib|lib64|usr\/local\/bin)\//;
    const files = stdout.trim().split('\n');
    const added = files.filter((file) => !ofBase.test(file));
    const bundle = /^\.\/opt\/tandem\/(?:[\w-]+\.js|package\.json|chunks\/[\w.-]+\.(?:js|txt))$/;
    const others = added.filter((file) => !bundle.test(file));
    assert.deepEqual(others, ['./licenses/LICENSE']);
    assert.ok(added.includes('./opt/tandem/cloud-controller-manager.js'));
    assert.ok(!files.some((file) => /\/(?:sh|bash|dash|busybox|npm)$/.test(file)));
  });

  it('runs as a user without rights, on a root that it cannot write to', async () => {
    assert.equal(own.config.User, `${user}:${user}`);
    const look = `
      const { writeFileSync } = require('node:fs');
      const code = (path) => { try { writeFileSync(path, ''); } catch (err) { return err.code; } };
      const ids = [process.getuid(), process.getgid(), ...process.getgroups()];
      console.log(JSON.stringify({ ids: [...new Set(ids)], code: code('/opt/tandem/x') }));`;
    const seen = JSON.parse(await run({ entrypoint: ['node'] }, '-e', look));
    assert.deepEqual(seen, { ids: [user], code: 'EROFS' });
  });

  it('initialises nodes of a real API server there', async () => {
    const names = ['image-0', 'image-1', 'image-2'];
    await using scenario = await open({
      machines: names.map((name, at) => aMachine(name, at + 1)),
    });
    for (const name of names) await scenario.register({ name });
    const kubeconfig = await scenario.kubeconfig();
    const files = [scenario.directory, scenario.inventory.path, kubeconfig];
    for (const file of files) await chown(file, user, user);
    const CONTAINER = JSON.stringify({ ...container, folders: [scenario.directory] });
    const flags = [`--kubeconfig=${kubeconfig}`];
    const manager = await scenario.start({ program: launcher, environment: { CONTAINER }, flags });
    await scenario.untilInitialised(names);
    assert.deepEqual(ipsOf(scenario.node('image-0')), ['10.1.0.1', 'fd00:1::1']);
    const { commit: logged } = await manager.says(/^Starting cloud-controller-manager/);
    assert.equal(logged, commit);
    const { code } = await manager.stop();
    assert.equal(code, 0, manager.tail);
  });

  it('is built from bases that are named by tag, as build arguments', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../Dockerfile'), 'utf8');
    const froms = [...text.matchAll(/^FROM --platform=(\S+) (\S+)/gm)];
    assert.deepEqual(
      froms.map(([, platform, from]) => [platform, from]),
      [
        ['$BUILDPLATFORM', '${BUILDER}'],
        ['$TARGETPLATFORM', '${BASE}'],
      ],
    );
    const [, base = ''] = /^ARG BASE=(\S+)$/m.exec(text) ?? [];
    assert.match(base, /^[\w.-]+(?:\/[\w.-]+)+:[\w.-]+$/);
  });
});

/** The bytes of all files. */
async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['--summarize', '--bytes', folder]);
  return Number.parseInt(stdout, 10);
}
