/**
 * What a mocha run shows on a machine that has no way to get a control plane: a run of mocha's own, on
 * a suite of two tests.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@tandem/runtime';
import { useScratch } from '../support/scratch.ts';
import { CapturedProcess } from '../support/process/index.ts';

describe('tests that need a control plane, without one,', function () {
  this.timeout(30_000);
  const scratch = useScratch();

  function runMocha(environment: Environment): CapturedProcess {
    const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
    const suite = fileURLToPath(new URL('fixtures/needy-suite.ts', import.meta.url));
    const bare = { PATH: scratch(), XDG_CACHE_HOME: scratch(), ...environment };
    return new CapturedProcess([process.execPath, mocha, '--reporter', 'json', suite], {
      environment: bare,
    });
  }

  function stats(run: CapturedProcess): { passes: number; pending: number; failures: number } {
    return JSON.parse(run.stdout).stats;
  }

  it('are skipped, and one line names the three ways to get one', async () => {
    const run = runMocha({});
    assert.equal((await run.exited).code, 0, run.stderr);
    const { passes, pending, failures } = stats(run);
    assert.deepEqual({ passes, pending, failures }, { passes: 0, pending: 2, failures: 0 });
    assert.match(run.stderr, /^Skipping .*KUBEBUILDER_ASSETS.* PATH.* Go 1\.\d+.*\n$/);
  });

  it('fail when REQUIRE_CONTROL_PLANE is 1', async () => {
    const run = runMocha({ REQUIRE_CONTROL_PLANE: '1' });
    assert.notEqual((await run.exited).code, 0);
    assert.equal(stats(run).passes, 0);
    assert.ok(stats(run).failures > 0);
    assert.match(run.stdout, /no Go to build them with/);
  });
});
