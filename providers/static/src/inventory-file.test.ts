import assert from 'node:assert/strict';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import type { LookupAnswer } from '@tandem/provider/plug';
import { aRef, aStaticWorld, head, MemoryFile, plain } from './files.fixture.ts';
import { fileBytesMax } from './inventory-file.ts';
import { createStaticProvider } from './static-provider.ts';

const oneNode = `${head}instances:\n${plain('a')}`;
const otherNode = `${head}instances:\n${plain('b')}`;

describe('the inventory on disk', () => {
  it('shows a change within two seconds', async () => {
    const { clock, file, ask } = await aStaticWorld(oneNode);
    file.write(otherNode);
    await clock.advance(2_000);
    assert.deepEqual([await ask({ name: 'a' }), await ask({ name: 'b' })], ['absent', 'found']);
  });

  it('is checked again when a look-up accepts only data younger than the last check', async () => {
    const { clock, file, provider } = await aStaticWorld(oneNode);
    await clock.advance(250);
    file.write(otherNode);
    const { signal } = new AbortController();
    const nowMs = clock.monotonic();
    const asking = provider.lookup([aRef('b')], { maxAgeMs: 100, signal });
    await clock.advance(2_000);
    const answer = (await asking).get('b');
    assert.equal(answer?.kind, 'found');
    assert.ok(answer.asOfMs >= nowMs - 100, `as of ${answer.asOfMs}, asked at ${nowMs}`);
  });

  it('is not read again while it does not change', async () => {
    const { clock, file } = await aStaticWorld(oneNode);
    await clock.advance(60_000);
    assert.equal(file.reads, 1);
  });

  it('takes effect only once its file has stopped changing', async () => {
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

  it('takes no effect if it changes while the provider reads it', async () => {
    const { clock, file, ask } = await aStaticWorld(oneNode);
    file.onRead = () => file.write(oneNode);
    file.write(otherNode);
    await clock.advance(1_000);
    assert.equal(await ask({ name: 'b' }), 'absent');
    file.onRead = undefined;
    await clock.advance(2_000);
    assert.equal(await ask({ name: 'a' }), 'found');
  });

  it('stays in use when the file becomes invalid, until the file is valid again', async () => {
    const { clock, file, log, ask } = await aStaticWorld(oneNode);
    file.write('instances: [');
    await clock.advance(10_000);
    assert.equal(await ask({ name: 'a' }), 'found');
    const errors = log.filter(({ level }) => level === 'error');
    assert.equal(errors.length, 1);
    assert.match(JSON.stringify(errors), /inventory\.yaml:1:13: invalid YAML/);
    file.write(otherNode);
    await clock.advance(2_000);
    assert.equal(await ask({ name: 'b' }), 'found');
  });

  describe('with two machines that list one address', () => {
    const listing = (name: string, ...addresses: string[]): string => {
      const entries = addresses.map((address) => `{type: InternalIP, address: "${address}"}`);
      return `  - name: ${name}\n    addresses: [${entries.join(', ')}]\n`;
    };
    const inventory = (...entries: string[]): string => `${head}instances:\n${entries.join('')}`;
    const a = listing('a', '10.0.0.1', 'fd00::1');
    const b = listing('b', '10.0.0.2', 'FD00::0001');
    const warned = {
      IP: 'fd00::1',
      instance: 'b',
      at: 'inventory.yaml:6:5',
      otherInstance: 'a',
      otherAt: 'inventory.yaml:4:5',
    };
    const warningsIn = (log: readonly Record<string, unknown>[]): object[] =>
      log
        .filter(({ level }) => level === 'warn')
        .map(({ IP, instance, at, otherInstance, otherAt }) => ({
          IP,
          instance,
          at,
          otherInstance,
          otherAt,
        }));

    it('warns with both lines, and accepts both machines', async () => {
      const { log, ask } = await aStaticWorld(inventory(a, b));
      assert.deepEqual(warningsIn(log), [warned]);
      assert.deepEqual([await ask({ name: 'a' }), await ask({ name: 'b' })], ['found', 'found']);
    });

    it('warns again only after an edit that adds such an address', async () => {
      const { clock, file, log } = await aStaticWorld(inventory(a, b));
      const c = listing('c', '10.0.0.3');
      for (const text of [inventory(c, a, b), inventory(a, c), inventory(a, c, b)]) {
        file.write(text);
        await clock.advance(2_000);
      }
      assert.deepEqual(warningsIn(log), [warned, { ...warned, at: 'inventory.yaml:8:5' }]);
      file.write(inventory(a, c, b, listing('d', '10.0.0.3')));
      await clock.advance(2_000);
      assert.deepEqual(warningsIn(log).slice(2), [
        {
          IP: '10.0.0.3',
          instance: 'd',
          at: 'inventory.yaml:10:5',
          otherInstance: 'c',
          otherAt: 'inventory.yaml:6:5',
        },
      ]);
    });

    it('does not warn about repeats in one machine, host names or refused entries', async () => {
      const twice = '{type: InternalIP, address: 10.0.0.1}, {type: ExternalIP, address: 10.0.0.1}';
      const names = '{type: Hostname, address: host}';
      const { log } = await aStaticWorld(
        inventory(
          `  - {name: a, addresses: [${twice}, ${names}]}\n`,
          `  - {name: b, addresses: [${names}]}\n`,
          `  - {name: a, addresses: [${twice}]}\n`,
        ),
      );
      assert.deepEqual(warningsIn(log), []);
    });

    it('warns about twenty addresses, and then logs how many more there are', async () => {
      const entries = Array.from({ length: 31 }, (_, number) => listing(`n${number}`, '10.0.0.1'));
      const { log } = await aStaticWorld(inventory(...entries));
      assert.equal(warningsIn(log).length, 21);
      assert.equal(log.at(-1)?.['more'], 10);
    });
  });

  it('reports no machine as absent while the file is invalid or missing', async () => {
    const { clock, file, ask } = await aStaticWorld(oneNode);
    for (const [text, why] of [
      ['no inventory', /^unknown: Cannot use the inventory/],
      [undefined, /^unknown: --cloud-config: inventory\.yaml does not exist/],
    ] as const) {
      file.write(text);
      await clock.advance(2_000);
      assert.match(await ask({ name: 'b' }), why);
      assert.match(await ask({ name: 'b' }, 0), /^unknown/);
      assert.equal(await ask({ name: 'a' }, 0), 'found');
    }
    file.write(oneNode);
    await clock.advance(2_000);
    assert.equal(await ask({ name: 'b' }), 'absent');
  });

  it('reports no machine as absent while the file exists but cannot be read, and logs that once', async () => {
    const { clock, file, log, ask } = await aStaticWorld(oneNode);
    file.onRead = () => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    };
    file.write(otherNode);
    await clock.advance(1_000);
    for (let looks = 0; looks < 20; looks++) {
      assert.match(await ask({ name: 'c' }), /^unknown: --cloud-config/);
      await clock.advance(250);
    }
    assert.equal(log.filter(({ level }) => level === 'error').length, 1);
    // Once the file can be read again, it is used.
    file.onRead = undefined;
    await clock.advance(2_000);
    assert.deepEqual([await ask({ name: 'b' }), await ask({ name: 'c' })], ['found', 'absent']);
  });

  it('is read again for a look-up that accepts no cached answer', async () => {
    const { file, ask } = await aStaticWorld(oneNode);
    file.write(otherNode);
    assert.equal(await ask({ name: 'a' }), 'found');
    assert.equal(await ask({ name: 'a' }, 0), 'absent');
  });

  it('is checked again when the last check is too old for a look-up, whose answer has the time of the check', async () => {
    const { clock, file, provider } = await aStaticWorld(oneNode);
    const { signal } = new AbortController();
    const look = async (maxAgeMs: number): Promise<LookupAnswer | undefined> => {
      const nodes = [aRef('b')];
      const [answers] = await Promise.all([
        provider.lookup(nodes, { maxAgeMs, signal }),
        clock.advance(1_000),
      ]);
      return answers.get('b');
    };
    await clock.advance(700);
    file.write(oneNode + plain('b'));
    await clock.advance(100);
    // The last check was at 500 ms, before the edit.
    assert.deepEqual(await look(60_000), { kind: 'absent', asOfMs: 500 });
    file.write(oneNode);
    await clock.advance(10_000);
    file.write(oneNode + plain('b'));
    const answer = await look(100);
    assert(answer?.kind === 'found' && answer.asOfMs >= 11_800, JSON.stringify(answer));
  });

  it('has each refused entry logged with its line, and its other entries used', async () => {
    const { log, ask } = await aStaticWorld(`${oneNode}  - {name: b}\n`);
    const lines = log.filter(({ msg }) => msg === 'Refused inventory entry');
    assert.deepEqual(
      lines.map(({ at, instance, problem }) => ({ at, instance, problem })),
      [
        {
          at: 'inventory.yaml:5:5',
          instance: 'b',
          problem: 'addresses is missing; write addresses: [] for none',
        },
      ],
    );
    assert.equal(await ask({ name: 'a' }), 'found');
    assert.match(await ask({ name: 'b' }), /inventory\.yaml:5:5: addresses is missing/);
  });

  const start = (file: MemoryFile, configPath?: string): Promise<unknown> => {
    const clock = virtualClock();
    const logger = createLogger({ clock, destination: { write: () => {} } });
    const ports = { clock, random: seededRandom('static'), logger, metrics: createMetrics() };
    return createStaticProvider({ configPath, ...ports }, file);
  };

  it('is required at start, and the error names the line that is wrong', async () => {
    const cases = [
      {
        file: new MemoryFile(oneNode),
        path: undefined,
        want: /Name its file with --cloud-config\.$/,
      },
      {
        file: new MemoryFile(),
        path: 'i.yaml',
        want: /^--cloud-config: i\.yaml does not exist\. Check the path\.$/,
      },
      {
        file: new MemoryFile('kind: Pod'),
        path: 'i.yaml',
        want: /i\.yaml:1:1: kind must be StaticInventory, not "Pod"$/,
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

  it('has no timer left after the provider is closed', async () => {
    const { clock, provider } = await aStaticWorld(oneNode);
    await clock.advance(1_200);
    await provider.close?.();
    await clock.advance(1_000);
    assert.equal(clock.pending, 0);
  });
});
