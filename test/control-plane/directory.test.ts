/** The directories that a control plane takes, and what it leaves of them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimDirectory } from './directory.ts';
import { useScratch } from '../support/scratch.ts';

describe('the directory of a control plane', () => {
  const scratch = useScratch();

  it('is temporary if none is named, and is removed on release', () => {
    const directory = claimDirectory(undefined);
    writeFileSync(join(directory.path, 'file'), '');
    directory.release();
    assert.equal(existsSync(directory.path), false);
    directory.release();
  });

  it('is refused if it is not empty, and keeps its files', () => {
    const directory = join(scratch(), 'dir');
    mkdirSync(directory);
    writeFileSync(join(directory, 'precious'), '');
    assert.throws(() => claimDirectory(directory), {
      code: 'DirectoryUnusable',
      message: /is not empty, it has precious/,
    });
    assert.deepEqual(readdirSync(directory), ['precious']);
  });

  const unusable = [
    { name: 'it is a file', path: ['file'], want: /ENOTDIR/ },
    { name: 'it is below a file', path: ['file', 'dir'], want: /ENOTDIR/ },
    { name: 'it is below a directory that is not there', path: ['new', 'dir'], want: /ENOENT/ },
    { name: 'none can be made', path: ['/proc/tandem'], want: /ENOENT/ },
  ];
  for (const { name, path, want } of unusable) {
    it(`is refused where ${name}, and leaves nothing behind`, () => {
      writeFileSync(join(scratch(), 'file'), '');
      const [first = ''] = path;
      const named = first.startsWith('/') ? first : join(scratch(), ...path);
      assert.throws(() => claimDirectory(named), { code: 'DirectoryUnusable', message: want });
      assert.deepEqual(readdirSync(scratch()), ['file']);
    });
  }

  it('is removed if it was made for the control plane', () => {
    claimDirectory(join(scratch(), 'new')).release();
    assert.deepEqual(readdirSync(scratch()), []);
  });

  it('is kept if it existed before', () => {
    const directory = join(scratch(), 'dir');
    mkdirSync(directory);
    const claimed = claimDirectory(directory);
    mkdirSync(join(directory, 'logs'));
    claimed.release();
    assert.deepEqual(readdirSync(directory), []);
  });

  it('keeps what another program has put into it', () => {
    const directory = join(scratch(), 'dir');
    const claimed = claimDirectory(directory);
    mkdirSync(join(directory, 'etcd'));
    writeFileSync(join(directory, 'notes.txt'), '');
    claimed.release();
    assert.deepEqual(readdirSync(directory), ['notes.txt']);
  });
});
