import assert from 'node:assert/strict';
import { createLogger, createMetrics, virtualClock } from '@tandem/runtime';
import { aStaticWorld, head, MemoryFile, plain } from './files.fixture.ts';
import { fileBytesMax } from './inventory-file.ts';
import { createStaticProvider } from './static-provider.ts';

const oneNode = `${head}instances:\n${plain('a')}`;
const otherNode = `${head}instances:\n${plain('b')}`;

describe('inventory on disk', () => {
  it('shows a change within two seconds', async () => {
    const { clock, file, ask } = await aStaticWorld(oneNode);
    file.write(otherNode);
    await clock.advance(2_000);
    assert.deepEqual([await ask({ name: 'a' }), await ask({ name: 'b' })], ['absent', 'found']);
  });

  it('reads nothing while nothing changes', async () => {
    const { clock, file } = await aStaticWorld(oneNode);
    await clock.advance(60_000);
    assert.equal(file.reads, 1);
  });

  it('waits for a file that is being written until it comes to rest', async () => {
    const { clock, file, ask } = await aStaticWorld(oneNode);
    for (let written = 0; written < 10; written++) {
      file.write(`${head}instances: []\n`);
      await clock.advance(500);
      assert.equal(await ask({ name: 'a' }), 'found');
    }
    file.write(oneNode + plain('b'));
    await clock.advance(2_000);
    assert.equal(await ask({ name: 'b' }), 'found');
  });

  it('does not take what changed while it was read', async () => {
    const { clock, file, ask } = await aStaticWorld(oneNode);
    file.onRead = () => file.write(oneNode);
    file.write(otherNode);
    await clock.advance(1_000);
    assert.equal(await ask({ name: 'b' }), 'absent');
    file.onRead = undefined;
    await clock.advance(2_000);
    assert.equal(await ask({ name: 'a' }), 'found');
  });

  it('keeps the last good inventory when the file is spoilt, and takes the next good one', async () => {
    const { clock, file, log, ask } = await aStaticWorld(oneNode);
    file.write('instances: [');
    await clock.advance(10_000);
    assert.equal(await ask({ name: 'a' }), 'found');
    const complaints = log.filter(({ level }) => level === 'error');
    assert.equal(complaints.length, 1);
    assert.match(JSON.stringify(complaints), /inventory\.yaml:1:13: this is not valid YAML/);
    file.write(otherNode);
    await clock.advance(2_000);
    assert.equal(await ask({ name: 'b' }), 'found');
  });

  it('misses nobody while the file is spoilt or gone', async () => {
    const { clock, file, ask } = await aStaticWorld(oneNode);
    for (const text of ['no inventory', undefined]) {
      file.write(text);
      await clock.advance(2_000);
      assert.match(await ask({ name: 'b' }), /^unknown: The inventory .*cannot be/);
      assert.match(await ask({ name: 'b' }, 'authoritative'), /^unknown/);
      assert.equal(await ask({ name: 'a' }, 'authoritative'), 'found');
    }
    file.write(oneNode);
    await clock.advance(2_000);
    assert.equal(await ask({ name: 'b' }), 'absent');
  });

  it('answers an authoritative question from what is on disk, not from memory', async () => {
    const { file, ask } = await aStaticWorld(oneNode);
    file.write(otherNode);
    assert.equal(await ask({ name: 'a' }), 'found');
    assert.equal(await ask({ name: 'a' }, 'authoritative'), 'absent');
  });

  it('logs each refused entry with its line, and counts the rest', async () => {
    const { log, ask } = await aStaticWorld(`${oneNode}  - {name: b}\n`);
    const lines = log.filter(({ msg }) => msg === 'Refused an inventory entry');
    assert.deepEqual(
      lines.map(({ at, instance, problem }) => ({ at, instance, problem })),
      [
        {
          at: 'inventory.yaml:5:5',
          instance: 'b',
          problem: 'addresses is missing; write [] for none',
        },
      ],
    );
    assert.equal(await ask({ name: 'a' }), 'found');
    assert.match(await ask({ name: 'b' }), /inventory\.yaml:5:5: addresses is missing/);
  });

  const start = (file: MemoryFile, configPath?: string): Promise<unknown> => {
    const clock = virtualClock();
    const logger = createLogger({ clock, destination: { write: () => {} } });
    return createStaticProvider({ configPath, clock, logger, metrics: createMetrics() }, file);
  };

  it('does not start without an inventory, and says where it is wrong', async () => {
    const cases = [
      { file: new MemoryFile(oneNode), path: undefined, want: /give its file by --cloud-config$/ },
      {
        file: new MemoryFile(),
        path: 'i.yaml',
        want: /^The inventory i\.yaml cannot be read: ENOENT/,
      },
      {
        file: new MemoryFile('kind: Pod'),
        path: 'i.yaml',
        want: /i\.yaml:1:1: apiVersion is missing; expected apiVersion: tandem\.dev\/v1alpha1$/,
      },
      {
        file: new MemoryFile('x'.repeat(fileBytesMax + 1)),
        path: 'i.yaml',
        want: /i\.yaml:1:1: the file is larger than \d+ bytes$/,
      },
    ];
    for (const { file, path, want } of cases) {
      await assert.rejects(start(file, path), { name: 'InventoryError', message: want });
    }
  });

  it('leaves no timer behind when it is closed', async () => {
    const { clock, provider } = await aStaticWorld(oneNode);
    await clock.advance(1_200);
    await provider.close?.();
    await clock.advance(1_000);
    assert.equal(clock.pending, 0);
  });
});
