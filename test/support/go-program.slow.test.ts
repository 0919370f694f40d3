import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildGoProgram } from './go-program.ts';

/** Writes its arguments into the file that it is asked to build. */
const workingGo =
  '#!/bin/sh\nfor last in "$@"; do [ "$flag" = -o ] && out=$last; flag=$last; done\necho "$@" > "$out"\n';
const failingGo = '#!/bin/sh\necho "no such module" >&2\nexit 1\n';

describe('a Go program of ours', () => {
  let folder: string;
  let program: Parameters<typeof buildGoProgram>[0];
  let said: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tandem-go-program-'));
    program = { name: 'example', title: 'an example', folder: join(folder, 'source') };
    said = [];
    for (const name of ['source', 'bin']) await mkdir(join(folder, name));
    await writeFile(join(program.folder, 'go.mod'), 'module example\n');
    await writeFile(join(program.folder, 'main.go'), 'package main\n');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function installGo(script: string): Promise<void> {
    await writeFile(join(folder, 'bin', 'go'), script);
    await chmod(join(folder, 'bin', 'go'), 0o755);
  }

  function build(): Promise<string | undefined> {
    const environment = { PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') };
    return buildGoProgram(program, environment, { write: (text) => said.push(text) });
  }

  it('is built once into the cache, and a line says so', async () => {
    await installGo(workingGo);
    const file = (await build()) ?? '';
    assert.equal(dirname(file), join(folder, 'cache', 'tandem', 'example'));
    assert.match(await readFile(file, 'utf8'), /^build /);
    await installGo(failingGo);
    assert.equal(await build(), file);
    assert.equal(said.length, 1);
    assert.match(said[0]!, /an example/);
  });

  it('is built again when a source changes, and beside the one before', async () => {
    await installGo(workingGo);
    const before = await build();
    await writeFile(join(program.folder, 'other.go'), 'package main\n');
    assert.notEqual(await build(), before);
    assert.equal((await readdir(dirname(before ?? ''))).length, 2);
  });

  it('does not depend on files that Go does not read', async () => {
    await installGo(workingGo);
    const before = await build();
    await writeFile(join(program.folder, 'build.ts'), '');
    assert.equal(await build(), before);
  });

  it('is unavailable without Go', async () => {
    assert.equal(await build(), undefined);
  });

  it('leaves nothing in the cache when Go fails, and says what Go said', async () => {
    await installGo(failingGo);
    await assert.rejects(build(), /no such module/);
    assert.deepEqual(await readdir(join(folder, 'cache', 'tandem', 'example')), []);
  });
});
