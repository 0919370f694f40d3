import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeKubeconfig } from './kubeconfig-file.ts';

describe('the file for kubectl', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tandem-kubeconfig-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is readable only by its owner', () => {
    const { path } = writeKubeconfig('text', directory);
    assert.equal(readFileSync(path, 'utf8'), 'text');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  });

  it('is removed with its directory, also when it is removed twice', () => {
    const file = writeKubeconfig('text', directory);
    file.remove();
    file.remove();
    assert.ok(!existsSync(file.path));
    assert.deepEqual(readdirSync(directory), []);
  });
});
