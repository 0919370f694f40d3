import assert from 'node:assert/strict';
import { failure, MemoryTables } from './memory-tables.fixture.ts';
import { aStaticWorld, head } from '../files.fixture.ts';
import {
  aRoutesWorld,
  create,
  machine,
  node,
  remove,
  replace,
  tableFile,
  tableOf,
  topWith,
} from './routes-world.fixture.ts';

const { signal } = new AbortController();
const draft = '/site/.routes.json.01234567-89ab-4def-8123-456789abcdef.tmp';

describe('the route table of an inventory', () => {
  it('is not offered when the inventory names none', async () => {
    const { provider } = await aStaticWorld(`${head}instances: []\n`);
    assert.ok(!('routes' in provider));
  });

  it('is empty when its file does not exist, and the first route creates the file', async () => {
    const { list, apply, tables } = await aRoutesWorld();
    assert.deepEqual(await list(), []);
    assert.deepEqual(await apply(create('10.244.1.0/24', node(1))), ['applied']);
    assert.deepEqual([...tables.texts.keys()], [tableFile]);
    assert.deepEqual(JSON.parse(tables.texts.get(tableFile) ?? ''), {
      routes: [{ destination: '10.244.1.0/24', node: 'node-1', nextHop: '10.0.0.1' }],
    });
  });

  it('cannot be read, and is not empty, when the folder of its file is missing', async () => {
    const { list, apply } = await aRoutesWorld({ tables: new MemoryTables('/elsewhere') });
    await assert.rejects(list(), {
      code: 'StaticTableNotReadable',
      message: /routes\.json: ENOENT/,
    });
    assert.match((await apply(create('10.244.1.0/24', node(1)))).join(), /^refused: Cannot read/);
  });

  it('lists the machine of each route, and whether the machine has the next hop', async () => {
    const text = tableOf(
      '10.244.1.0/24 node-1 10.0.0.1',
      '10.244.2.0/24 node-2 10.0.0.1',
      '10.244.3.0/24 gone 10.0.0.7',
      'FD00:10:244:1::/64 node-1 FD00::0001',
    );
    const { list, tables } = await aRoutesWorld();
    tables.texts.set(tableFile, text);
    assert.deepEqual(await list(), [
      '10.244.1.0/24 → {"kind":"instance","key":"static:///node-1","ready":true}',
      '10.244.2.0/24 → {"kind":"instance","key":"static:///node-2","ready":false}',
      '10.244.3.0/24 → {"kind":"address","address":"10.0.0.7"}',
      'fd00:10:244:1::/64 → {"kind":"instance","key":"static:///node-1","ready":true}',
    ]);
  });

  it('is listed with the inventory of that moment', async () => {
    const { clock, list, file, tables } = await aRoutesWorld();
    tables.texts.set(tableFile, tableOf('10.244.1.0/24 node-1 10.0.0.1'));
    file.write(`${topWith()}instances:\n${machine(2)}`);
    const [routes] = await Promise.all([list(), clock.advance(1_000)]);
    assert.deepEqual(routes, ['10.244.1.0/24 → {"kind":"address","address":"10.0.0.1"}']);
  });

  it('that cannot be parsed stays unchanged, and the error says what to do', async () => {
    const { list, apply, tables } = await aRoutesWorld();
    const text = '{"routes":[{"destination":';
    tables.texts.set(tableFile, text);
    const want =
      /^Cannot use the route table \/site\/routes\.json: it is not JSON: .*\. Restore the file, or delete it to have it written again\.$/;
    await assert.rejects(list(), { code: 'StaticTableInvalid', message: want });
    const outcomes = await apply(create('10.244.1.0/24', node(1)), remove('10.244.2.0/24'));
    assert.equal(outcomes.length, 2);
    for (const outcome of outcomes) assert.match(outcome.replace(/^refused: /, ''), want);
    assert.deepEqual([...tables.texts], [[tableFile, text]]);
    tables.texts.delete(tableFile);
    assert.deepEqual(await apply(create('10.244.1.0/24', node(1))), ['applied']);
  });

  it('is written once for all operations of a batch, and not at all for refused ones', async () => {
    const { apply, tables } = await aRoutesWorld();
    const renames: string[] = [];
    tables.beforeCall = (call, path) => void (call === 'rename' && renames.push(path));
    const destinations = Array.from({ length: 50 }, (_, n) => `10.244.${n}.0/24`);
    await apply(...destinations.map((destination) => create(destination, node(1))));
    assert.equal(renames.length, 1);
    const writes = tables.writes;
    await apply(create('10.244.1.0/24', node(2)), remove('10.245.0.0/24'));
    assert.equal(tables.writes, writes);
  });

  it('stays unchanged when its file cannot be written, and the operations are refused', async () => {
    for (const call of ['names', 'create'] as const) {
      const { apply, list, tables } = await aRoutesWorld();
      await apply(create('10.244.1.0/24', node(1)));
      const before = await list();
      tables.beforeCall = (made) => {
        if (made === call) throw failure('EROFS', 'read-only file system');
      };
      const [outcome = '', other = ''] = await apply(
        create('10.244.2.0/24', node(2)),
        create('10.244.1.0/24', node(2)),
      );
      assert.match(
        outcome,
        /^refused: Cannot write the route table \/site\/routes\.json: EROFS: read-only file system\. /,
      );
      assert.match(other, /^refused: exists: /);
      assert.deepEqual(await list(), before);
    }
  });

  it('makes operations unknown when the rename fails, because a network disk may have done it', async () => {
    const { apply, tables } = await aRoutesWorld();
    tables.beforeCall = (call) => {
      if (call === 'rename') throw failure('EIO', 'i/o error');
    };
    const [outcome = ''] = await apply(create('10.244.1.0/24', node(1)));
    assert.match(outcome, /^unknown: Cannot write the route table/);
  });

  it('is written with drafts of killed managers deleted, and other files kept', async () => {
    const { apply, tables } = await aRoutesWorld();
    const others = [
      '/site/.routes.json.swp',
      '/site/.routes.json.bak.tmp',
      '/site/routes.json.tmp',
    ];
    for (const path of [draft, ...others]) tables.texts.set(path, 'x');
    await apply(create('10.244.1.0/24', node(1)));
    assert.deepEqual([...tables.texts.keys()].toSorted(), [...others, tableFile].toSorted());
  });

  it('is not overwritten by a former leader that was paused before its rename', async () => {
    const paused = await aRoutesWorld();
    const { tables } = paused;
    const successor = await aRoutesWorld({ tables: new MemoryTables('/site', tables.texts) });
    tables.beforeCall = async (call) => {
      if (call === 'rename') await successor.apply(create('10.244.2.0/24', node(2)));
    };
    const [outcome = ''] = await paused.apply(create('10.244.1.0/24', node(1)));
    assert.match(outcome, /^unknown: Cannot write the route table .*: ENOENT/);
    assert.deepEqual([...tables.texts.keys()], [tableFile]);
    assert.deepEqual(await successor.list(), [
      '10.244.2.0/24 → {"kind":"instance","key":"static:///node-2","ready":true}',
    ]);
  });

  it('applies concurrent batches one after the other', async () => {
    const { apply, list } = await aRoutesWorld();
    const outcomes = await Promise.all(
      [1, 2, 3].map((n) => apply(create(`10.244.${n}.0/24`, node(n)))),
    );
    assert.deepEqual(outcomes.flat(), ['applied', 'applied', 'applied']);
    assert.equal((await list()).length, 3);
  });

  it('is not written, and no draft is created or deleted, once the write gate is closed', async () => {
    const { routes, tables } = await aRoutesWorld();
    for (const passes of [0, 1, 2]) {
      tables.texts.set(draft, 'of a killed manager');
      const writes = tables.writes;
      let gateCalls = 0;
      const beforeWrite = (): void => {
        if (gateCalls++ === passes) throw new Error('no longer leading');
      };
      const operations = [create('10.244.1.0/24', node(1))];
      await assert.rejects(routes.apply(operations, { signal, beforeWrite }), /no longer leading/);
      assert.equal(tables.writes - writes, passes);
      assert.ok(!tables.texts.has(tableFile));
    }
  });

  it('accepts the deletion and the replacement of the routes that it lists', async () => {
    const { apply, list } = await aRoutesWorld();
    await apply(create('10.244.1.0/24', node(1)), create('FD00:10:244:1::/64', node(1)));
    assert.deepEqual(await apply(replace('fd00:10:244:1::/64', node(3)), remove('10.244.1.0/24')), [
      'applied',
      'applied',
    ]);
    assert.deepEqual(await list(), [
      'fd00:10:244:1::/64 → {"kind":"instance","key":"static:///node-3","ready":true}',
    ]);
  });
});

describe('routeTable of a running inventory', () => {
  const instances = `instances:\n${machine(1)}`;

  it('may be changed to another file, which is used, while the first file stays unchanged', async () => {
    const { clock, file, list, apply, tables, log } = await aRoutesWorld();
    await apply(create('10.244.1.0/24', node(1)));
    const first = tables.texts.get(tableFile);
    file.write(`${topWith('/site/new.json')}${instances}`);
    await clock.advance(2_000);
    assert.deepEqual(await list(), []);
    const [outcome = ''] = await apply(remove('10.244.1.0/24'));
    assert.match(outcome, /^refused: The inventory names the route table \/site\/new\.json, not/);
    await apply({ ...create('10.244.1.0/24', node(1)), table: '/site/new.json' });
    assert.equal(tables.texts.get('/site/new.json'), first);
    assert.equal(tables.texts.get(tableFile), first);
    assert.deepEqual(
      log.filter(({ level }) => level === 'warn').map(({ msg, file: to }) => [msg, to]),
      [['Changed to another route table and left the previous file as it is', '/site/new.json']],
    );
  });

  it('may be removed, and no route is listed or changed until it is back', async () => {
    const { clock, file, list, apply, tables, log } = await aRoutesWorld();
    await apply(create('10.244.1.0/24', node(1)));
    const first = tables.texts.get(tableFile);
    file.write(`${head}${instances}`);
    await clock.advance(2_000);
    await assert.rejects(list(), {
      code: 'StaticTableRemoved',
      message: /^The inventory inventory\.yaml no longer has a routeTable\. /,
    });
    assert.match((await apply(remove('10.244.1.0/24'))).join(), /^refused: The inventory/);
    assert.equal(tables.texts.get(tableFile), first);
    assert.match(JSON.stringify(log), /Stopped changing routes without a route table/);
    file.write(`${topWith()}${instances}`);
    await clock.advance(2_000);
    assert.equal((await list()).length, 1);
  });

  it('has no effect before a restart if the inventory had none at start', async () => {
    const { clock, file, log, provider } = await aStaticWorld(`${head}${instances}`);
    file.write(`${topWith()}${instances}`);
    await clock.advance(2_000);
    assert.ok(!('routes' in provider));
    const warnings = log.filter(
      ({ msg }) => msg === 'Ignored route table until the manager restarts',
    );
    assert.deepEqual(
      warnings.map(({ file: path }) => path),
      [tableFile],
    );
  });

  it('is not announced as a change of machines', async () => {
    const { clock, file, provider } = await aRoutesWorld({ inventory: `${topWith()}${instances}` });
    const notices: unknown[] = [];
    provider.watch?.((keys) => notices.push(keys), { signal });
    file.write(`${topWith('/site/new.json')}${instances}`);
    await clock.advance(2_000);
    assert.deepEqual(notices, []);
  });
});
