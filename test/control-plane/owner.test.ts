/**
 * That the real etcd and kube-apiserver go with the process that owns them, however it ends.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { testsAtOnce } from './at-once.ts';
import { eventually } from './eventually.ts';
import { installStandIns, wrappedPrograms } from './fixtures/programs.ts';
import { run } from './fixtures/run.ts';
import { aScratch } from '../support/scratch.ts';
import { isRunning } from '../support/process-state.ts';
import { requirePrograms } from './mocha.ts';
import { isFree } from './ports.ts';
import { type Credentials, request } from './request.ts';
import type { CapturedProcess } from '../support/process/index.ts';

interface Owned {
  readonly pids: readonly number[];
  readonly directory: string;
  readonly admin: Credentials;
}

describe('a process that owns a control plane', function () {
  this.timeout(60_000);

  before(async function () {
    await requirePrograms(this);
  });

  /** Starts an owner, which ends with the test. */
  function anOwner(more: Environment = {}): CapturedProcess {
    return run('fixtures/owner.ts', { environment: { ...systemEnvironment(), ...more } });
  }

  async function ownedBy(running: CapturedProcess): Promise<Owned> {
    const owned: Owned = await eventually(() => JSON.parse(running.stdout), { withinMs: 40_000 });
    assert.deepEqual(owned.pids.map(isRunning), [true, true]);
    return owned;
  }

  async function assertNothingLeft({ pids, directory, admin }: Owned): Promise<void> {
    await eventually(() => !pids.some(isRunning));
    await eventually(() => isFree(Number(new URL(admin.server).port)));
    await eventually(() => !existsSync(directory));
  }

  const test = testsAtOnce(3);

  test('ends it when it is killed, but not while it is only paused', async () => {
    await using running = anOwner();
    const owned = await ownedBy(running);
    running.child.kill('SIGSTOP');
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await request(owned.admin, { path: '/readyz' })).status, 200);
    }
    running.child.kill('SIGKILL');
    assert.equal((await running.exited).signal, 'SIGKILL');
    await assertNothingLeft(owned);
  });

  test('ends it when wrapper scripts call the servers', async () => {
    using scratch = aScratch();
    const { assets } = installStandIns(scratch.path, await wrappedPrograms());
    await using running = anOwner({ KUBEBUILDER_ASSETS: assets });
    const owned = await ownedBy(running);
    running.child.kill('SIGKILL');
    await assertNothingLeft(owned);
  });

  test('ends it when its whole process group is killed', async () => {
    await using running = anOwner();
    const owned = await ownedBy(running);
    running.signal('SIGKILL');
    assert.equal((await running.exited).signal, 'SIGKILL');
    await assertNothingLeft(owned);
  });
});
