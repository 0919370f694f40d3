/** A dry run of a release on this tree: every file that it leaves, checked by what will read it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { aScratch } from '../../support/scratch.ts';
import { root, useHelm } from '../chart/helm.ts';

const run = promisify(execFile);

describe('a dry run of a release', function () {
  this.timeout(120_000);
  const { helm } = useHelm();
  let folder = '';
  let version = '';

  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const release = (...args: readonly string[]) =>
    run(process.execPath, [join(root, 'tools/release/main.ts'), '--dry-run', ...args]);

  before(async () => {
    folder = aScratch().path;
    const manifest = await readFile(join(root, 'packages/manager/package.json'), 'utf8');
    ({ version } = JSON.parse(manifest));
    await release('--version', version, '--output', folder, '--source', 'https://x.test/tandem');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('leaves all files, and SHA256SUMS of them', async () => {
    const sums = (await read('SHA256SUMS')).trimEnd().split('\n');
    const names = sums.map((line) => line.split('  ')[1] ?? '');
    assert.deepEqual((await readdir(folder)).toSorted(), ['SHA256SUMS', ...names].toSorted());
    for (const name of [
      'alerts.yaml',
      'aws.yaml',
      'azure.yaml',
      'dashboard.json',
      'kubectl-nodeip.tar.gz',
      'monitoring.yaml',
      'nodeip.yaml',
      'provenance.intoto.json',
      'provenance.predicate.json',
      'rbac-controller-accounts.yaml',
      'rbac.yaml',
      'release-notes.md',
      'sbom.spdx.json',
      'static.yaml',
      `tandem-${version}.tgz`,
    ]) {
      assert.ok(names.includes(name), name);
    }
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
  });

  it('tells how they were made: SLSA provenance of each file, at this commit', async () => {
    const { stdout } = await run('git', ['-C', root, 'rev-parse', 'HEAD']);
    const statement = JSON.parse(await read('provenance.intoto.json'));
    const { _type: type, predicateType } = statement;
    assert.equal(type, 'https://in-toto.io/Statement/v1');
    assert.equal(predicateType, 'https://slsa.dev/provenance/v1');
    const { buildDefinition, runDetails } = statement.predicate;
    assert.deepEqual(buildDefinition.resolvedDependencies[0].digest, { gitCommit: stdout.trim() });
    assert.ok(URL.canParse(buildDefinition.buildType) && URL.canParse(runDetails.builder.id));
    assert.ok(Date.parse(runDetails.metadata.finishedOn) > 0);
    const sums = (await read('SHA256SUMS')).trimEnd().split('\n');
    const others = sums.filter((line) => !line.includes('  provenance.'));
    assert.equal(others.length, sums.length - 2);
    assert.deepEqual(
      statement.subject.map(
        (each: { name: string; digest: { sha256: string } }) =>
          `${each.digest.sha256}  ${each.name}`,
      ),
      others,
    );
    assert.deepEqual(JSON.parse(await read('provenance.predicate.json')), statement.predicate);
  });

  it('has a plugin that runs from its archive alone, with the digest that krew checks', async () => {
    const archive = join(folder, 'kubectl-nodeip.tar.gz');
    const digest = createHash('sha256')
      .update(await readFile(archive))
      .digest('hex');
    const { spec } = parse(await read('nodeip.yaml'));
    for (const { uri, sha256, bin } of spec.platforms) {
      const address = `https://x.test/tandem/releases/download/v${version}/kubectl-nodeip.tar.gz`;
      assert.deepEqual([uri, sha256, bin], [address, digest, 'kubectl-nodeip.js']);
    }
    using unpacked = aScratch();
    const place = unpacked.path;
    await run('tar', ['-xf', archive, '-C', place]);
    const asked = ['explain', '--request', 'IPv4', '--cloud-address', 'InternalIP=10.0.0.1'];
    const program = join(place, 'kubectl-nodeip.js');
    const { stdout } = await run(process.execPath, [program, ...asked]);
    assert.match(stdout, /^Result +SS IPv4$/m);
    const files = await readdir(place);
    assert.ok(files.includes('kubectl_complete-nodeip') && files.includes('LICENSE'));
    assert.ok(!files.includes('cloud-controller-manager.js'));
  });

  it('has a chart that helm renders from its package', async () => {
    const preset = join(root, 'manifests/chart/presets/static.yaml');
    const chart = join(folder, `tandem-${version}.tgz`);
    const given = ['--namespace', 'kube-system', '--values', preset];
    const text = await helm().run('template', 'tandem', chart, ...given);
    const objects = (yaml: string): unknown[] => parseAllDocuments(yaml).map((each) => each.toJS());
    assert.deepEqual(objects(text), objects(await read('static.yaml')));
  });

  it('names an image that was pushed before, in the chart and in the manifests', async () => {
    using output = aScratch();
    const named = output.path;
    const digest = `sha256:${'5'.repeat(64)}`;
    const given = ['--registry', 'registry.test:5000/owner', '--digest', digest];
    await release('--version', version, '--output', named, ...given);
    const image = `registry.test:5000/owner/tandem/cloud-controller-manager@${digest}`;
    const preset = join(root, 'manifests/chart/presets/static.yaml');
    const chart = join(named, `tandem-${version}.tgz`);
    const namespace = ['--namespace', 'kube-system'];
    const text = await helm().run('template', 'x', chart, ...namespace, '--values', preset);
    assert.deepEqual(imagesIn(text), [image]);
    const manifest = await readFile(join(named, 'static.yaml'), 'utf8');
    assert.deepEqual(imagesIn(manifest), [image]);
    assert.doesNotMatch(manifest, /Name your image/);
    const readme = await helm().run('show', 'readme', chart);
    assert.match(readme, /by its digest, from `registry\.test:5000\/owner`/);
    for (const shown of [readme, await helm().run('show', 'values', chart), text]) {
      assert.doesNotMatch(shown, /registry\.invalid/);
    }
    await helm().run('lint', '--strict', chart, ...namespace, '--values', preset);
    const tagged = ['--values', preset, '--set', 'image.tag=1.2.3'];
    const both = helm().run('template', 'x', chart, ...namespace, ...tagged);
    await assert.rejects(both, /image\.tag and image\.digest contradict each other/);
  });

  it('refuses another version than the program has, and a folder with files', async () => {
    await assert.rejects(release('--version', '99.0.0'), /program's version is/);
    using full = aScratch();
    await mkdir(join(full.path, 'x'));
    const again = release('--version', version, '--output', full.path);
    await assert.rejects(again, /is not empty/);
    const file = release('--version', version, '--output', join(root, 'LICENSE'));
    await assert.rejects(file, /--output cannot be a folder/);
  });

  it('lists its options with --help, and does nothing else', async () => {
    const { stdout, stderr } = await release('--help');
    assert.match(stdout, /^Usage:\n {2}npm run release -- --dry-run --version VERSION/m);
    assert.equal(stderr, '');
  });
});

function imagesIn(yaml: string): readonly string[] {
  return [...yaml.matchAll(/^ +image: (.*)$/gm)].map(([, image = '']) => image);
}
