import assert from 'node:assert/strict';
import { aStaticWorld, head, plain, type StaticWorld } from './files.fixture.ts';

interface WatchedInventory extends StaticWorld {
  /** The notices of the provider, and how long after the last edit each one came. */
  readonly notices: { readonly keys: readonly string[]; readonly afterMs: number }[];
  readonly edit: (text: string | undefined) => Promise<void>;
  readonly stop: AbortController;
}

async function watching(text: string): Promise<WatchedInventory> {
  const world = await aStaticWorld(text);
  const notices: WatchedInventory['notices'] = [];
  const stop = new AbortController();
  let editedAtMs = 0;
  world.provider.watch?.(
    (keys) => notices.push({ keys, afterMs: world.clock.monotonic() - editedAtMs }),
    { signal: stop.signal },
  );
  const edit = async (next: string | undefined): Promise<void> => {
    editedAtMs = world.clock.monotonic();
    world.file.write(next);
    await world.clock.advance(2_000);
  };
  return { ...world, notices, edit, stop };
}

const inventory = (...entries: readonly string[]): string =>
  `${head}instances:\n${entries.join('')}`;

describe('an edit of the inventory', () => {
  it('is announced within 1.5 s, with the keys of the changed, added and removed machines', async () => {
    const { notices, edit } = await watching(inventory(plain('a'), plain('b'), plain('c')));
    await edit(inventory(plain('a'), plain('b', ', zone: r1'), plain('d')));
    assert.deepEqual(
      notices.map(({ keys }) => keys.toSorted()),
      [['static:///b', 'static:///c', 'static:///d']],
    );
    const [{ afterMs } = { afterMs: Infinity }] = notices;
    assert.ok(afterMs <= 1_500, `${afterMs} ms`);
  });

  it('that changes no machine is not announced', async () => {
    const { notices, edit } = await watching(inventory(plain('a')));
    await edit(`${inventory(plain('a'))}# a remark\n`);
    assert.deepEqual(notices, []);
  });

  it('that makes the file invalid is announced only once the file is valid again', async () => {
    const { notices, edit } = await watching(inventory(plain('a')));
    await edit('instances: [');
    await edit(undefined);
    assert.deepEqual(notices, []);
    await edit(inventory(plain('a'), plain('b')));
    assert.deepEqual(
      notices.map(({ keys }) => keys),
      [['static:///b']],
    );
  });

  it('that breaks or repairs an entry is announced', async () => {
    const faulty = '  - {name: a, addresses: [{type: InternalIP, address: x}]}\n';
    const { notices, edit } = await watching(inventory(plain('a')));
    await edit(inventory(faulty));
    await edit(inventory(plain('a')));
    assert.deepEqual(
      notices.map(({ keys }) => keys),
      [['static:///a'], ['static:///a']],
    );
  });

  it('of the prefixes is announced without keys, because it may affect every machine', async () => {
    const { notices, edit } = await watching(inventory(plain('a')));
    await edit(`${head}providerIDPrefixes: ["metal://"]\ninstances:\n${plain('a')}`);
    assert.deepEqual(
      notices.map(({ keys }) => keys),
      [[]],
    );
  });

  it('is not announced to a watcher that has stopped', async () => {
    const { notices, edit, stop } = await watching(inventory(plain('a')));
    stop.abort();
    await edit(inventory(plain('b')));
    assert.deepEqual(notices, []);
  });
});

describe('a machine of the inventory', () => {
  it('has one key for any number of slashes in its providerID, and is found by each spelling', async () => {
    const entry = plain('a', ', providerID: "static://rack1/a"');
    const { provider, ask } = await aStaticWorld(inventory(entry, plain('b')));
    const spellings = ['static://rack1/a', 'static:///rack1/a', 'static:////rack1/a'];
    assert.equal(new Set(spellings.map((id) => provider.identify(id))).size, 1);
    for (const providerID of spellings) {
      assert.equal(await ask({ name: 'other', providerID }), 'found');
    }
    assert.notEqual(provider.identify('static:///b'), provider.identify(spellings[0] ?? ''));
    assert.equal(await ask({ name: 'other', providerID: 'static:///Rack1/a' }), 'absent');
  });
});
