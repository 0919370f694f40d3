import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { aMiniature } from './miniature.ts';
import { listTreeFiles } from './tree-files.ts';

const files = {
  '.gitignore': 'scratch/\n',
  'packages/a/src/a.ts': '',
  'dist/a.js': '',
  'node_modules/b/b.test.js': '',
  'scratch/c.test.ts': '',
};

describe('the files of a tree', () => {
  it('are, without git, all but what is installed or built', async () => {
    await using tree = await aMiniature(files);
    const want = ['.gitignore', 'package.json', 'packages/a/src/a.ts', 'scratch/c.test.ts'];
    assert.deepEqual(listTreeFiles(tree.root), want);
  });

  it('are, with git, what it tracks or would track, as far as it is there', async function () {
    await using tree = await aMiniature({ ...files, 'deleted.ts': '', 'tracked.ts': '' });
    const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: tree.root });
    if (git('init', '--quiet').status !== 0) {
      this['skipReason'] = 'there is no git';
      this.skip();
    }
    git('add', 'deleted.ts', 'tracked.ts');
    await rm(join(tree.root, 'deleted.ts'));
    const want = ['.gitignore', 'package.json', 'packages/a/src/a.ts', 'tracked.ts'];
    assert.deepEqual(listTreeFiles(tree.root), want);
  });
});
