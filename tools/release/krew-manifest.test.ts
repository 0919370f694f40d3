import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { krewManifest } from './krew-manifest.ts';

const file = join(import.meta.dirname, '../../packages/kubectl-nodeip/krew-manifest.template');
const template = readFileSync(file, 'utf8');
const given = {
  tag: 'v1.2.0',
  source: 'https://x.test/tandem',
  filesURL: 'https://x.test/v1.2.0',
  sha256: 'ab'.repeat(32),
};

describe('the krew manifest of a release', () => {
  it('has the address and the digest of the archive for every platform', () => {
    const { spec } = parse(krewManifest(template, given));
    assert.deepEqual([spec.version, spec.homepage], ['v1.2.0', 'https://x.test/tandem']);
    assert.equal(spec.platforms.length, 4);
    for (const { uri, sha256 } of spec.platforms) {
      assert.equal(uri, 'https://x.test/v1.2.0/kubectl-nodeip.tar.gz');
      assert.equal(sha256, given.sha256);
    }
  });

  it('is refused with gaps left', () => {
    assert.throws(() => krewManifest(`${template}\n{{ .Other }}`, given), /gaps left/);
  });
});
