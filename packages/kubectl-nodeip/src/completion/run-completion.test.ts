/** Tests the completion of contexts from the kubeconfig files that kubectl would read. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
// Loaded before the tests, because libraries below it read the clock while they load.
import './run-completion.ts';
import { runInMemory } from '../run-in-memory.fixture.ts';

const kubeconfig = (...contexts: readonly string[]): string =>
  JSON.stringify({
    kind: 'Config',
    contexts: contexts.map((name) => ({ name, context: { cluster: 'gone', user: 'gone' } })),
  });

describe('completion of --context', () => {
  let directory: string;
  let files: readonly string[];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tandem-completion-'));
    files = [join(directory, 'first'), join(directory, 'second')];
    const [first = '', second = ''] = files;
    await writeFile(first, kubeconfig('work', 'shared'));
    await writeFile(second, kubeconfig('home', 'shared'));
  });
  after(() => rm(directory, { recursive: true }));

  const complete = (environment: Record<string, string>, ...words: readonly string[]) => {
    const ports = { clock: virtualClock(), random: seededRandom('completion'), environment };
    return runInMemory(['__complete', ...words], { openPorts: async () => ports });
  };

  it('lists the contexts of all files of KUBECONFIG, each once', async () => {
    const { output } = await complete(
      { KUBECONFIG: files.join(delimiter) },
      'status',
      '--context',
      '',
    );
    assert.deepEqual(output.split('\n').toSorted(), ['', ':4', 'home', 'shared', 'work']);
  });

  it('reads the file that --kubeconfig names', async () => {
    const { output } = await complete(
      {},
      'explain',
      '--kubeconfig',
      files[1] ?? '',
      '--context',
      'h',
    );
    assert.equal(output, 'home\n:4\n');
  });

  it('is empty, without an error, when there is no kubeconfig', async () => {
    const ran = await complete({ KUBECONFIG: '/does/not/exist' }, 'status', '--context', '');
    assert.deepEqual(ran, { exitCode: 0, output: ':4\n', errors: '' });
  });
});
