/**
 * The recipe as read from this repository's own `go.mod`.
 */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useScratch } from '../../support/scratch.ts';
import { minors, readMinorRecipe, readRecipe } from './recipe.ts';

describe('the recipe for building the programs', () => {
  const scratch = useScratch();

  it('links the programs so that they report the version that go.mod requires', () => {
    const { versions, linkerFlags } = readRecipe();
    assert.match(versions['kube-apiserver'], /^v1\.36\.\d+$/);
    assert.match(versions.etcd, /^v3\.\d+\.\d+$/);
    assert.ok(linkerFlags.includes(`version.gitVersion=${versions['kube-apiserver']}`));
    assert.ok(linkerFlags.includes('version.gitMinor=36'));
  });

  for (const minor of minors) {
    it(`of ${minor} has programs and libraries of that minor alone`, () => {
      const { versions, linkerFlags, directory } = readMinorRecipe(minor);
      const version = versions['kube-apiserver'];
      assert.ok(version.startsWith(`v${minor}.`), version);
      assert.ok(linkerFlags.includes(`version.gitVersion=${version}`));
      const goMod = readFileSync(join(directory, 'go.mod'), 'utf8');
      const pinned = Array.from(
        goMod.matchAll(/^\tk8s\.io\/\S+ => \S+ (\S+)$/gm),
        ([, pin]) => pin,
      );
      assert.ok(pinned.length > 20, `${pinned.length} modules are pinned`);
      assert.deepEqual(new Set(pinned), new Set([version.replace('v1.', 'v0.')]));
    });
  }

  it('has another key when a dependency of the programs changes', () => {
    const { directory, key } = readRecipe();
    copyFileSync(join(directory, 'go.sum'), join(scratch(), 'go.sum'));
    const goMod = readFileSync(join(directory, 'go.mod'), 'utf8');
    writeFileSync(join(scratch(), 'go.mod'), goMod);
    assert.equal(readRecipe(scratch()).key, key);
    writeFileSync(join(scratch(), 'go.mod'), `${goMod}// changed\n`);
    assert.notEqual(readRecipe(scratch()).key, key);
  });
});
