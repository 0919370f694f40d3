/** What a release runs, in which order, with programs that only tell what they were asked. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run } from './command.ts';
import { type Publishing, pushImage, signAll } from './publish.ts';

const imageDigest = `sha256:${'1'.repeat(64)}`;
const chartDigest = `sha256:${'2'.repeat(64)}`;
const image = `registry.test/tandem/cloud-controller-manager@${imageDigest}`;

describe('publishing a release', () => {
  let output = '';
  const asked: string[][] = [];
  const run: Run = async (program, ...args) => {
    asked.push([program, ...args]);
    const digestFile = args.find((arg) => arg.startsWith('--digestfile='))?.split('=')[1];
    if (digestFile !== undefined) await writeFile(digestFile, imageDigest);
    return { git: '1700000000\n', helm: `Pushed: x\nDigest: ${chartDigest}\n` }[program] ?? '';
  };
  const publishing = (): Publishing => ({
    version: '1.2.0',
    commit: '0123',
    registry: 'registry.test',
    base: `registry.test/node@sha256:${'0'.repeat(64)}`,
    source: 'https://x.test/tandem',
    output,
    key: undefined,
    isPlainHTTP: false,
  });

  before(async () => {
    output = await mkdtemp(join(tmpdir(), 'tandem-publish-'));
  });
  beforeEach(() => asked.splice(0));
  after(() => rm(output, { recursive: true }));

  it('pushes the image of both platforms, on the base that was named, with the version as its only tag', async () => {
    assert.equal(await pushImage(run, publishing()), imageDigest);
    const [, build = [], push = []] = asked;
    assert.ok(build.includes('--platform=linux/amd64,linux/arm64'));
    assert.ok(build.includes(`--build-arg=BASE=${publishing().base}`));
    assert.ok(build.includes('--timestamp=1700000000'));
    assert.ok(build.includes('--build-arg=CREATED=2023-11-14T22:13:20.000Z'));
    assert.equal(push.at(-1), 'docker://registry.test/tandem/cloud-controller-manager:1.2.0');
    assert.ok(push.includes('--all'));
  });

  it('signs the image, its attestations, the chart and the list of files, each by its digest', async () => {
    const files = ['sbom.spdx.json', 'provenance.predicate.json', 'SHA256SUMS'];
    await signAll(run, publishing(), { imageDigest, files });
    const at = (file: string): string => join(output, file);
    assert.deepEqual(asked, [
      ['cosign', 'sign', '--yes', '--recursive', image],
      ...[
        ['spdxjson', 'sbom.spdx.json'],
        ['slsaprovenance1', 'provenance.predicate.json'],
      ].map(([type = '', file = '']) => {
        const predicate = ['--type', type, '--predicate', at(file)];
        return ['cosign', 'attest', '--yes', ...predicate, image];
      }),
      ['helm', 'push', at('tandem-1.2.0.tgz'), 'oci://registry.test/tandem/charts'],
      ['cosign', 'sign', '--yes', `registry.test/tandem/charts/tandem@${chartDigest}`],
      [
        'cosign',
        'sign-blob',
        '--yes',
        '--bundle',
        at('SHA256SUMS.sigstore.json'),
        at('SHA256SUMS'),
      ],
    ]);
  });

  it('attaches the OpenVEX document where there is one', async () => {
    await signAll(run, publishing(), { imageDigest, files: ['tandem.openvex.json'] });
    const attested = asked.filter(([, command]) => command === 'attest');
    assert.deepEqual(
      attested.map((args) => args[args.indexOf('--type') + 1]),
      ['openvex'],
    );
  });

  it('never names the tag latest', async () => {
    await pushImage(run, publishing());
    await signAll(run, publishing(), { imageDigest, files: [] });
    assert.ok(asked.length > 5);
    assert.doesNotMatch(JSON.stringify(asked), /latest/);
  });

  it('ends where a program tells no digest', async () => {
    const silent: Run = async () => '';
    const signing = signAll(silent, publishing(), { imageDigest, files: [] });
    await assert.rejects(signing, /there is no digest/);
  });
});
