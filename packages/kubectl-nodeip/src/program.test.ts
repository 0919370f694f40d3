import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
// Loaded before the tests, because libraries below it read the clock while they load.
import './live/run-live.ts';
import { runInMemory } from './run-in-memory.fixture.ts';
import { version } from './version.ts';

describe('the plugin', () => {
  it('prints its version, which is that of its package', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(new URL('../package.json', import.meta.url), 'utf8'),
    );
    assert.deepEqual(manifest, Object.assign({}, manifest, { version }));
    for (const word of ['--version', 'version']) {
      const ran = await runInMemory([word]);
      assert.deepEqual(ran, { exitCode: 0, output: `Tandem ${version}\n`, errors: '' });
    }
    const { output } = await runInMemory(['--help']);
    assert.match(output, /^ {2}version /m);
    assert.match(output, /--version/);
  });

  const refused: readonly [args: string, error: RegExp][] = [
    ['version -o json', /^error: unexpected argument "-o": version takes none$/m],
    ['--version x', /^error: unexpected argument "x": --version takes none$/m],
    ['--context a status', /^error: the command comes first, and "--context" after it: /m],
    [
      'stauts',
      /^error: unknown command "stauts", did you mean status: expected explain, status, /m,
    ],
    ['frobnicate', /^error: unknown command "frobnicate": expected explain, status, /m],
    ['help stauts', /^error: unknown command "stauts", did you mean status: /m],
  ];
  for (const [args, error] of refused) {
    it(`refuses: ${args}`, async () => {
      const ran = await runInMemory(args.split(' '));
      assert.deepEqual([ran.exitCode, ran.output], [2, '']);
      assert.match(ran.errors, error);
    });
  }

  for (const command of ['explain', 'status', 'audit', 'version']) {
    it(`prints the same for help ${command} as for ${command} --help`, async () => {
      const [help, option] = await Promise.all([
        runInMemory(['help', command]),
        runInMemory([command, '--help']),
      ]);
      assert.deepEqual(help, option);
      assert.equal(help.exitCode, 0);
    });
  }

  for (const command of ['explain', 'status']) {
    it(`points to its help once after an unknown option of ${command}`, async () => {
      const { exitCode, errors } = await runInMemory([command, '--foo']);
      assert.equal(exitCode, 2);
      assert.equal(
        errors,
        `error: unknown option --foo\nSee "kubectl nodeip ${command} --help".\n`,
      );
    });
  }

  it('says in its help which commands need the manager', async () => {
    const [status, compare] = await Promise.all(
      ['status', 'compare'].map((command) => runInMemory([command, '--help'])),
    );
    assert.match(status?.output ?? '', /shows what the objects of the cluster tell/);
    assert.match(compare?.output ?? '', /there is nothing to compare, and the command ends/);
    assert.doesNotMatch(compare?.output ?? '', /what the objects of the cluster tell, and/);
  });
});
