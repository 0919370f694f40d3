import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { useScratch } from '../../../../test/support/scratch.ts';
import { writeKubeconfig } from './kubeconfig-file.ts';

describe('the file for kubectl', () => {
  const scratch = useScratch();

  it('is readable only by its owner', () => {
    const { path } = writeKubeconfig('text', scratch());
    assert.equal(readFileSync(path, 'utf8'), 'text');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  });

  it('is removed with its directory, also when it is removed twice', () => {
    const file = writeKubeconfig('text', scratch());
    file.remove();
    file.remove();
    assert.ok(!existsSync(file.path));
    assert.deepEqual(readdirSync(scratch()), []);
  });
});
