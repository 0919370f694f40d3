/** Tests the manifest for krew's index, filled in as krew's release bot does it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '..');

/** The platforms on which Node.js 24 runs and kubectl can start a script. On Windows, it starts only programs. */
const platforms = ['linux', 'darwin'].flatMap((os) =>
  ['amd64', 'arm64'].map((arch) => ({ os, arch })),
);

describe('the krew manifest', () => {
  const template = readFileSync(join(folder, 'krew-manifest.template'), 'utf8');

  it('is valid for krew once a release adds its version, address and digest', () => {
    const sha256 = '0'.repeat(64);
    const filled = template
      .replaceAll(/\{\{addURIAndSha "(.*?)" \.TagName \}\}/g, `uri: $1\n      sha256: "${sha256}"`)
      .replaceAll('{{ .TagName }}', 'v1.2.3');
    const { apiVersion, kind, metadata, spec } = parse(filled);
    assert.equal(apiVersion, 'krew.googlecontainertools.github.com/v1alpha2');
    assert.deepEqual([kind, metadata.name, spec.version], ['Plugin', 'nodeip', 'v1.2.3']);
    assert.ok(spec.shortDescription.length <= 80 && !spec.shortDescription.endsWith('.'));
    const uri = 'https://tandem.invalid/releases/v1.2.3/kubectl-nodeip.tar.gz';
    assert.deepEqual(
      spec.platforms,
      platforms.map((matchLabels) => ({
        selector: { matchLabels },
        uri,
        sha256,
        bin: 'kubectl-nodeip.js',
      })),
    );
  });

  it('contains no digest before a release', () => {
    assert.doesNotMatch(template, /[0-9a-f]{32}/);
  });
});
