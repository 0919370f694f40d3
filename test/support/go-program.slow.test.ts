import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildGoProgram } from './go-program.ts';
import { useScratch, writeScript } from './scratch.ts';

/** Writes its arguments into the file that it is asked to build. */
const workingGo =
  'for last in "$@"; do [ "$flag" = -o ] && out=$last; flag=$last; done\necho "$@" > "$out"';
const failingGo = 'echo "no such module" >&2\nexit 1';

describe('a Go program of ours', () => {
  const scratch = useScratch();
  let program: Parameters<typeof buildGoProgram>[0];
  let said: string[];

  beforeEach(async () => {
    const folder = scratch();
    program = { name: 'example', title: 'an example', folder: join(folder, 'source') };
    said = [];
    for (const name of ['source', 'bin']) await mkdir(join(folder, name));
    await writeFile(join(program.folder, 'go.mod'), 'module example\n');
    await writeFile(join(program.folder, 'main.go'), 'package main\n');
  });

  function installGo(script: string): void {
    writeScript(join(scratch(), 'bin', 'go'), script);
  }

  function build(): Promise<string | undefined> {
    const folder = scratch();
    const environment = { PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') };
    return buildGoProgram(program, environment, { write: (text) => said.push(text) });
  }

  it('is built once into the cache, and a line says so', async () => {
    installGo(workingGo);
    const file = (await build()) ?? '';
    assert.equal(dirname(file), join(scratch(), 'cache', 'tandem', 'example'));
    assert.match(await readFile(file, 'utf8'), /^build /);
    installGo(failingGo);
    assert.equal(await build(), file);
    assert.equal(said.length, 1);
    assert.match(said[0]!, /an example/);
  });

  it('is built again when a source changes, and beside the one before', async () => {
    installGo(workingGo);
    const before = await build();
    await writeFile(join(program.folder, 'other.go'), 'package main\n');
    assert.notEqual(await build(), before);
    assert.equal((await readdir(dirname(before ?? ''))).length, 2);
  });

  it('does not depend on files that Go does not read', async () => {
    installGo(workingGo);
    const before = await build();
    await writeFile(join(program.folder, 'build.ts'), '');
    assert.equal(await build(), before);
  });

  it('is unavailable without Go', async () => {
    assert.equal(await build(), undefined);
  });

  it('leaves nothing in the cache when Go fails, and says what Go said', async () => {
    installGo(failingGo);
    await assert.rejects(build(), /no such module/);
    assert.deepEqual(await readdir(join(scratch(), 'cache', 'tandem', 'example')), []);
  });
});
