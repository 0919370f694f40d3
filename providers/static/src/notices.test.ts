import assert from 'node:assert/strict';
import { aStaticWorld, head, plain, type StaticWorld } from './files.fixture.ts';

interface WatchedInventory extends StaticWorld {
  /** What was told, and when after the last edit. */
  readonly told: { readonly keys: readonly string[]; readonly afterMs: number }[];
  readonly edit: (text: string | undefined) => Promise<void>;
  readonly stop: AbortController;
}

async function watching(text: string): Promise<WatchedInventory> {
  const world = await aStaticWorld(text);
  const told: WatchedInventory['told'] = [];
  const stop = new AbortController();
  let editedAtMs = 0;
  world.provider.watch?.(
    (keys) => told.push({ keys, afterMs: world.clock.monotonic() - editedAtMs }),
    { signal: stop.signal },
  );
  const edit = async (next: string | undefined): Promise<void> => {
    editedAtMs = world.clock.monotonic();
    world.file.write(next);
    await world.clock.advance(2_000);
  };
  return { ...world, told, edit, stop };
}

const inventory = (...entries: readonly string[]): string =>
  `${head}instances:\n${entries.join('')}`;

describe('an edit of the inventory', () => {
  it('is told of within 1.5 s, with the machines that changed, came and went', async () => {
    const { told, edit } = await watching(inventory(plain('a'), plain('b'), plain('c')));
    await edit(inventory(plain('a'), plain('b', ', zone: r1'), plain('d')));
    assert.deepEqual(
      told.map(({ keys }) => keys.toSorted()),
      [['static:///b', 'static:///c', 'static:///d']],
    );
    const [{ afterMs } = { afterMs: Infinity }] = told;
    assert.ok(afterMs <= 1_500, `${afterMs} ms`);
  });

  it('that changes nothing is not told of', async () => {
    const { told, edit } = await watching(inventory(plain('a')));
    await edit(`${inventory(plain('a'))}# a remark\n`);
    assert.deepEqual(told, []);
  });

  it('that cannot be used is told of when it has been mended', async () => {
    const { told, edit } = await watching(inventory(plain('a')));
    await edit('instances: [');
    await edit(undefined);
    assert.deepEqual(told, []);
    await edit(inventory(plain('a'), plain('b')));
    assert.deepEqual(
      told.map(({ keys }) => keys),
      [['static:///b']],
    );
  });

  it('of an entry that is refused, or mended, is told of', async () => {
    const faulty = '  - {name: a, addresses: [{type: InternalIP, address: x}]}\n';
    const { told, edit } = await watching(inventory(plain('a')));
    await edit(inventory(faulty));
    await edit(inventory(plain('a')));
    assert.deepEqual(
      told.map(({ keys }) => keys),
      [['static:///a'], ['static:///a']],
    );
  });

  it('of the prefixes may change anything', async () => {
    const { told, edit } = await watching(inventory(plain('a')));
    await edit(`${head}providerIDPrefixes: ["metal://"]\ninstances:\n${plain('a')}`);
    assert.deepEqual(
      told.map(({ keys }) => keys),
      [[]],
    );
  });

  it('is told to nobody who does not watch any more', async () => {
    const { told, edit, stop } = await watching(inventory(plain('a')));
    stop.abort();
    await edit(inventory(plain('b')));
    assert.deepEqual(told, []);
  });
});

describe('a machine of the inventory', () => {
  it('has one key, however many slashes its providerID has, and is found by each', async () => {
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
