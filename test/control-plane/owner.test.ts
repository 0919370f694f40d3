/**
 * That the real etcd and kube-apiserver go with the process that owns them, however it ends.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { eventually } from './eventually.ts';
import { installStandIns, wrappedPrograms } from './fixtures/programs.ts';
import { run, type Running } from './fixtures/run.ts';
import { useScratch } from './fixtures/scratch.ts';
import { isRunning } from './process-state.ts';
import { sharedControlPlane } from './mocha.ts';
import { isFree } from './ports.ts';
import { type Credentials, request } from './request.ts';

interface Owned {
  readonly pids: readonly number[];
  readonly directory: string;
  readonly admin: Credentials;
}

describe('a process that owns a control plane', function () {
  this.timeout(60_000);
  const scratch = useScratch();

  // Asked for only to be skipped where there are no programs to run.
  before(async function () {
    await sharedControlPlane(this);
  });

  async function owner(more: Environment = {}): Promise<Owned & { running: Running }> {
    const running = run('fixtures/owner.ts', { environment: { ...systemEnvironment(), ...more } });
    const owned: Owned = await eventually(() => JSON.parse(running.stdout()), { withinMs: 40_000 });
    assert.deepEqual(owned.pids.map(isRunning), [true, true, true]);
    return { ...owned, running };
  }

  async function assertNothingLeft({ pids, directory, admin }: Owned): Promise<void> {
    await eventually(() => !pids.some(isRunning));
    await eventually(() => isFree(Number(new URL(admin.server).port)));
    await eventually(() => !existsSync(directory));
  }

  it('takes it along when it is killed, but not while it is only paused', async () => {
    const { running, ...owned } = await owner();
    running.child.kill('SIGSTOP');
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await request(owned.admin, { path: '/readyz' })).status, 200);
    }
    running.child.kill('SIGKILL');
    assert.equal(await running.ended, 'SIGKILL');
    await assertNothingLeft(owned);
  });

  it('takes it along when wrapper scripts call the servers', async () => {
    const { assets } = installStandIns(scratch(), await wrappedPrograms());
    const { running, ...owned } = await owner({ KUBEBUILDER_ASSETS: assets });
    running.child.kill('SIGKILL');
    await assertNothingLeft(owned);
  });

  it('takes it along when its whole process group is killed', async () => {
    const { running, ...owned } = await owner();
    process.kill(-running.pid, 'SIGKILL');
    assert.equal(await running.ended, 'SIGKILL');
    await assertNothingLeft(owned);
  });
});
