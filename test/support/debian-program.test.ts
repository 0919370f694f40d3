import assert from 'node:assert/strict';
import { join } from 'node:path';
import { findDebianProgram, reasonToSkip } from './debian-program.ts';
import { useScratch, writeScript } from './scratch.ts';

describe('a program of a Debian package', () => {
  const scratch = useScratch();
  const wanted = { program: 'packer', package: 'packer-tools' };
  const said: string[] = [];
  const find = (): ReturnType<typeof findDebianProgram> =>
    findDebianProgram(wanted, { PATH: scratch() }, { write: (text) => said.push(text) });
  const put = (name: string, script: string): string => writeScript(join(scratch(), name), script);

  beforeEach(() => said.splice(0));

  it('is the one on the PATH', async () => {
    put('packer', 'exit 0');
    assert.deepEqual(await find(), { kind: 'found', path: join(scratch(), 'packer') });
    assert.deepEqual(said, []);
  });

  it('is missing without apt-get, and the reason names the package', async () => {
    assert.deepEqual(await find(), {
      kind: 'missing',
      reason:
        'There is no packer on the PATH, and there is no apt-get. Install the package packer-tools.',
    });
  });

  it('that is missing skips its tests with one line, or fails them where it is required', () => {
    const reason = 'There is no packer.';
    const line = reasonToSkip('packer', reason, {});
    assert.equal(line, 'Skipping tests that need packer. There is no packer.');
    assert.throws(() => reasonToSkip('packer', reason, { REQUIRE_PACKER: '1' }), {
      message: reason,
    });
  });

  describe('that root installs', () => {
    beforeEach(function () {
      if (process.getuid?.() === 0) return;
      this['skipReason'] = 'only root installs packages';
      this.skip();
    });

    it('is there afterwards, and a line says so', async () => {
      const file = join(scratch(), 'packer');
      put(
        'apt-get',
        `case "$*" in *install*packer-tools) printf '#!/bin/sh' > ${file}; /bin/chmod 755 ${file};; esac`,
      );
      assert.deepEqual(await find(), { kind: 'found', path: file });
      assert.deepEqual(said, ['Installing the Debian package packer-tools.\n']);
    });

    it('is missing where apt-get fails, and the reason has its last line', async () => {
      put('apt-get', 'echo "E: Unable to locate package packer-tools" >&2; exit 100');
      const found = await find();
      assert.ok(found.kind === 'missing');
      assert.match(found.reason, /cannot install it: E: Unable to locate package packer-tools\./);
    });
  });
});
