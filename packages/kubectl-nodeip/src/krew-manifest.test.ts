/** The manifest for krew's index, filled in as its release bot does it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '..');

describe('the krew manifest', () => {
  const template = readFileSync(join(folder, 'krew-manifest.template'), 'utf8');

  it('is one that krew takes, once a release gives it its version, address and digest', () => {
    const sha256 = '0'.repeat(64);
    const filled = template
      .replace(/\{\{addURIAndSha "(.*?)" \.TagName \}\}/, `uri: $1\n      sha256: "${sha256}"`)
      .replaceAll('{{ .TagName }}', 'v1.2.3');
    const { apiVersion, kind, metadata, spec } = parse(filled);
    assert.equal(apiVersion, 'krew.googlecontainertools.github.com/v1alpha2');
    assert.deepEqual([kind, metadata.name, spec.version], ['Plugin', 'nodeip', 'v1.2.3']);
    assert.ok(spec.shortDescription.length <= 80 && !spec.shortDescription.endsWith('.'));
    const [platform] = spec.platforms;
    assert.deepEqual(
      [platform.uri, platform.sha256, platform.bin],
      ['https://tandem.invalid/releases/v1.2.3/kubectl-nodeip.tar.gz', sha256, 'kubectl-nodeip.js'],
    );
  });

  it('holds no digest of its own', () => {
    assert.doesNotMatch(template, /[0-9a-f]{32}/);
  });
});
