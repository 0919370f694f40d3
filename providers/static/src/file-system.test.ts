import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFileSystem } from './file-system.ts';

describe('file system of the inventory', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tandem-inventory-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('notices the swapped link of a ConfigMap, even if both files have the same size and time', async () => {
    const path = join(folder, 'inventory.yaml');
    const data = join(folder, '..data');
    for (const version of ['v1', 'v2']) {
      await writeFile(join(folder, version), version);
      await utimes(join(folder, version), 1, 1);
    }
    await symlink('v1', data);
    await symlink('..data', path);
    const before = await nodeFileSystem.version(path);
    assert.equal(await nodeFileSystem.version(path), before);
    await symlink('v2', join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), data);
    assert.notEqual(await nodeFileSystem.version(path), before);
    assert.equal(await nodeFileSystem.read(path, 100), 'v2');
  });

  it('reads a file of the maximum size and returns undefined for a larger one', async () => {
    const path = join(folder, 'inventory.yaml');
    await writeFile(path, 'ä'.repeat(50));
    assert.equal(await nodeFileSystem.read(path, 100), 'ä'.repeat(50));
    assert.equal(await nodeFileSystem.read(path, 99), undefined);
    await assert.rejects(nodeFileSystem.version(join(folder, 'none')), /ENOENT/);
  });
});
