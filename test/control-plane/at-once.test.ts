/** Tests that run side by side, in a run of mocha's own. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { CapturedProcess } from '../support/process/index.ts';

describe('tests at once', function () {
  this.timeout(30_000);

  function runMocha(...args: readonly string[]): CapturedProcess {
    const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
    const suite = fileURLToPath(new URL('fixtures/at-once-suite.ts', import.meta.url));
    return new CapturedProcess([process.execPath, mocha, '--reporter', 'json', ...args, suite], {
      environment: {},
    });
  }

  function titlesOf(run: CapturedProcess, what: 'passes' | 'failures'): string[] {
    const tests: readonly { title: string }[] = JSON.parse(run.stdout)[what];
    return tests.map(({ title }) => title);
  }

  it('run side by side up to the limit, and fail independently', async () => {
    const run = runMocha();
    assert.equal((await run.exited).code, 1, run.stderr);
    assert.deepEqual(titlesOf(run, 'passes'), ['left', 'right', 'last']);
    assert.deepEqual(titlesOf(run, 'failures'), ['failing']);
  });

  it('start only if the pattern selects them, and end before the suite does', async () => {
    const run = runMocha('--grep', 'once (left|right)');
    assert.equal((await run.exited).code, 0, run.stderr);
    assert.deepEqual(titlesOf(run, 'passes'), ['left', 'right']);
    const said = run.stderr.trim().split('\n');
    assert.deepEqual(said.slice(0, 2).toSorted(), ['left ended', 'right ended']);
    assert.deepEqual(said.slice(2), ['suite over']);
  });
});
