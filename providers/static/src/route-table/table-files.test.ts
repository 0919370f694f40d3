import assert from 'node:assert/strict';
import {
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededIds } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { nodeTableFiles } from './table-files.ts';
import { TableStore } from './table-store.ts';
import { parseTable } from './table-text.ts';
import { tableOf } from './routes-world.fixture.ts';

describe('files of route tables on a real disk', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tandem-routes-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const store = new TableStore(nodeTableFiles, seededIds(seededRandom('disk')));
  const options = { signal: new AbortController().signal, beforeWrite: () => {} };
  const table = parseTable(tableOf('10.244.0.0/24 node-0 10.0.0.1'));

  it('are replaced as a whole, with mode 0644 and no files left beside them', async () => {
    const path = join(folder, 'routes.json');
    await writeFile(path, tableOf('10.244.9.0/24 node-9 10.0.0.9'), { mode: 0o600 });
    const { ino } = await stat(path);
    await store.replace(path, table, options);
    const { ino: next, mode } = await stat(path);
    assert.notEqual(next, ino);
    assert.equal(mode & 0o777, 0o644);
    assert.deepEqual(await readdir(folder), ['routes.json']);
    assert.equal(
      await readFile(path, 'utf8'),
      '{"routes":[\n{"destination":"10.244.0.0/24","node":"node-0","nextHop":"10.0.0.1"}\n]}\n',
    );
    assert.deepEqual(await store.read(path), table);
  });

  it('are replaced at the target of a symbolic link', async () => {
    const [path, link] = [join(folder, 'routes.json'), join(folder, 'link.json')];
    await writeFile(path, '{"routes":[]}');
    await symlink(path, link);
    await store.replace(link, table, options);
    assert.deepEqual(await store.read(path), table);
    assert.equal(await realpath(link), path);
  });

  it('count as empty when missing, and as unreadable when their folder is missing', async () => {
    assert.equal((await store.read(join(folder, 'routes.json'))).size, 0);
    const lost = join(folder, 'lost', 'routes.json');
    await assert.rejects(store.read(lost), { code: 'StaticTableNotReadable' });
    await assert.rejects(store.read(folder), { code: 'StaticTableNotReadable' });
    await assert.rejects(store.replace(lost, table, options), {
      code: 'StaticTableNotWritable',
      effect: 'none',
      message:
        /ENOENT.*The manager must be able to create, rename and remove files in its folder\.$/,
    });
  });

  it('are never created over an existing draft', async () => {
    const path = join(folder, 'draft');
    await nodeTableFiles.create(path, 'a');
    await assert.rejects(nodeTableFiles.create(path, 'b'), /EEXIST/);
    await nodeTableFiles.remove(path);
    await nodeTableFiles.remove(path);
    assert.deepEqual(await nodeTableFiles.names(folder), []);
  });
});
