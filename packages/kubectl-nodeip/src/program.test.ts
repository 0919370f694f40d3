import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { runInMemory } from './run-in-memory.fixture.ts';
import { version } from './version.ts';

describe('the plugin', () => {
  it('tells its version, which is the one of its package', async () => {
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
});
