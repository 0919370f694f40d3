/** `npm run sbom` on this tree. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpdxDocument } from './shipped-packages.ts';

const root = join(import.meta.dirname, '../..');

describe('npm run sbom', () => {
  let directory = '';
  let document: SpdxDocument;

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'tandem-sbom-test-'));
    const output = join(directory, 'sbom.spdx.json');
    execFileSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--output', output]);
    document = JSON.parse(readFileSync(output, 'utf8'));
  });

  after(() => rmSync(directory, { recursive: true }));

  it('lists the SDKs and libraries that ship, each as the lock file pins it', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const libraries = document.packages.filter(({ name }) => !/^(?:@tandem\/|tandem$)/.test(name));
    const names = libraries.map(({ name }) => name);
    const shipped = [
      '@aws-sdk/client-ec2',
      '@azure/arm-compute',
      '@kubernetes/client-node',
      'pino',
    ];
    assert.deepEqual(
      shipped.filter((name) => !names.includes(name)),
      [],
    );
    for (const { name, packageFileName, versionInfo, checksums } of libraries) {
      const { version, integrity } = lock.packages[String(packageFileName)];
      assert.equal(versionInfo, version, name);
      assert.ok(Array.isArray(checksums), name);
      const digest = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
      assert.equal(checksums[0].checksumValue, digest, name);
    }
  });

  it('lists no tool of development', () => {
    const names = document.packages.map(({ name }) => name);
    const tools = ['mocha', 'typescript', 'esbuild', 'oxlint', '@types/node', 'node', 'fast-check'];
    assert.deepEqual(
      tools.filter((name) => names.includes(name)),
      [],
    );
  });
});
