/**
 * That nothing stays behind, however a control plane's owner or keeper ends. The programs that are kept
 * stand for etcd and kube-apiserver; `owner.test.ts` does the same with the real ones.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualClock } from '@tandem/runtime/testing';
import { ControlPlaneError } from '../errors.ts';
import { eventually } from '../eventually.ts';
import { run } from '../fixtures/run.ts';
import { installWrapper } from '../fixtures/programs.ts';
import { useScratch } from '../fixtures/scratch.ts';
import { isPaused, isRunning } from '../../support/process-state.ts';
import { Keeper, type KeptProcess } from './keeper.ts';
import type { DirectoryChoice } from './messages.ts';

describe('a keeper', function () {
  this.timeout(30_000);
  const scratch = useScratch();
  const temporary = (): DirectoryChoice => ({ kind: 'temporary', parent: scratch() });

  async function keepSleeper(keeper: Keeper): Promise<{ kept: KeptProcess; pid: number }> {
    const kept = keeper.spawn({
      file: '/bin/sleep',
      args: ['600'],
      logFile: join(keeper.directory, 'sleep.log'),
    });
    return { kept, pid: await eventually(() => kept.pid) };
  }

  it('ends its programs and removes its directory when it is closed', async () => {
    const keeper = await Keeper.start(temporary());
    const { pid } = await keepSleeper(keeper);
    await keeper.close();
    assert.equal(isRunning(pid), false);
    assert.equal(isRunning(keeper.pid), false);
    assert.deepEqual(readdirSync(scratch()), []);
  });

  it('ends its programs even while they are paused', async () => {
    const keeper = await Keeper.start(temporary());
    const { kept, pid } = await keepSleeper(keeper);
    kept.signal('SIGSTOP');
    await keeper.close();
    assert.equal(isRunning(pid), false);
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
    it(`leaves nothing behind when it gets ${signal}, and its owner hears of it`, async () => {
      const keeper = await Keeper.start(temporary());
      const { pid } = await keepSleeper(keeper);
      keeper.hold();
      process.kill(keeper.pid, signal);
      const err = await keeper.lost;
      assert.equal(err.code, 'KeeperLost');
      await eventually(() => !isRunning(pid));
      assert.deepEqual(readdirSync(scratch()), []);
      await keeper.close();
    });
  }

  /** Keeps a script that calls a program without becoming it, and gives the ids of both. */
  async function keepWrapped(
    keeper: Keeper,
    command: string,
  ): Promise<{ kept: KeptProcess; pids: [number, number] }> {
    const { file, calledPid } = installWrapper(scratch(), command);
    const kept = keeper.spawn({ file, args: [], logFile: join(keeper.directory, 'log') });
    const pid = await eventually(() => kept.pid);
    return { kept, pids: [pid, await calledPid()] };
  }

  it('ends what a wrapper script has started, when it is closed', async () => {
    const keeper = await Keeper.start(temporary());
    const { pids } = await keepWrapped(keeper, 'sleep 600');
    await keeper.close();
    assert.deepEqual(pids.map(isRunning), [false, false]);
  });

  it('ends what a wrapper script has started, when it is killed itself', async () => {
    const keeper = await Keeper.start(temporary());
    const { pids } = await keepWrapped(keeper, 'sleep 600');
    process.kill(keeper.pid, 'SIGKILL');
    await eventually(() => !pids.some(isRunning));
  });

  for (const signal of ['SIGCONT', 'SIGSTOP'] as const) {
    const state = signal === 'SIGSTOP' ? ', even paused' : '';
    it(`ends what a wrapper script has started${state}, when its owner is killed with it`, async () => {
      const { file, calledPid } = installWrapper(scratch(), 'sleep 600');
      const owner = run('fixtures/keeping-owner.ts', { args: [scratch(), file] });
      const { keeperPid, pid } = await eventually(() => JSON.parse(owner.stdout()));
      const pids = [pid, await calledPid()];
      process.kill(-pid, signal);
      // Paused, the owner has no chance to clean up before it is killed as well.
      for (const each of [owner.pid, keeperPid]) process.kill(each, 'SIGSTOP');
      for (const each of [keeperPid, owner.pid]) process.kill(each, 'SIGKILL');
      await eventually(() => !pids.some(isRunning));
    });
  }

  it('passes signals on to what a wrapper script has started', async function () {
    // Nobody else shows cheaply that a process is paused.
    if (process.platform !== 'linux') this.skip();
    const keeper = await Keeper.start(temporary());
    const { kept, pids } = await keepWrapped(keeper, 'sleep 600');
    kept.signal('SIGSTOP');
    await eventually(() => pids.every(isPaused));
    kept.signal('SIGCONT');
    await eventually(() => !pids.some(isPaused));
    kept.signal('SIGKILL');
    keeper.hold();
    assert.deepEqual(await kept.exited, { code: null, signal: 'SIGKILL' });
    assert.deepEqual(pids.map(isRunning), [false, false]);
    await keeper.close();
  });

  it('tells of the end of a wrapper script when what it has started has ended, too', async () => {
    const keeper = await Keeper.start(temporary());
    const windingDown = "trap 'while [ ! -e done ]; do sleep 0.02; done; exit' TERM; echo up > up";
    const command = `cd ${scratch()}; ${windingDown}; while :; do sleep 0.02; done`;
    const { kept, pids } = await keepWrapped(keeper, command);
    await eventually(() => existsSync(join(scratch(), 'up')));
    kept.signal('SIGTERM');
    await eventually(() => !isRunning(pids[0]));
    assert.equal(kept.exit, undefined);
    writeFileSync(join(scratch(), 'done'), '');
    keeper.hold();
    assert.deepEqual(await kept.exited, { code: null, signal: 'SIGTERM' });
    // Its files are closed, which is what the keeper goes by, a moment before it leaves the table.
    await eventually(() => !isRunning(pids[1]), { withinMs: 2_000 });
    await keeper.close();
  });

  it('is given up and killed when it does not answer', async () => {
    const clock = virtualClock();
    const silent = spawn('/bin/sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const refused = assert.rejects(
      Keeper.start(temporary(), { clock, startProcess: () => silent }),
      {
        code: 'KeeperLost',
        message: /did not get its directory within 30 s, and was killed\.\nFix: /,
      },
    );
    await clock.runAll();
    await refused;
    await eventually(() => silent.signalCode === 'SIGKILL');
  });

  it('tells how a program ended, and that a file could not be run', async () => {
    const keeper = await Keeper.start(temporary());
    keeper.hold();
    const logFile = join(keeper.directory, 'log');
    const failing = keeper.spawn({ file: '/bin/sh', args: ['-c', 'exit 3'], logFile });
    assert.deepEqual(await failing.exited, { code: 3, signal: null });
    const missing = keeper.spawn({ file: '/nonexistent', args: [], logFile });
    assert.equal((await missing.exited).code, 127);
    await keeper.close();
  });

  it('makes no directory, or removes it, for an owner that dies at once', async () => {
    const owner = run('fixtures/short-lived-owner.ts', { args: [scratch()] });
    assert.equal(await owner.ended, 'SIGKILL');
    const keeperPid = Number(owner.stdout());
    assert.ok(keeperPid > 0);
    await eventually(() => !isRunning(keeperPid));
    assert.deepEqual(readdirSync(scratch()), []);
  });

  it('refuses a directory that has something in it, and leaves that alone', async () => {
    const directory = join(scratch(), 'dir');
    mkdirSync(directory);
    writeFileSync(join(directory, 'precious'), '');
    await assert.rejects(
      Keeper.start({ kind: 'named', directory }),
      (err) =>
        err instanceof ControlPlaneError && /is not empty, it has precious/.test(err.message),
    );
    assert.deepEqual(readdirSync(directory), ['precious']);
  });

  const unusable = [
    {
      name: 'that is a file',
      path: () => join(scratch(), 'file'),
      want: /\/file is not a directory/,
    },
    {
      name: 'below a file',
      path: () => join(scratch(), 'file', 'dir'),
      want: /\/file is not a directory/,
    },
    {
      name: 'where none can be made',
      path: () => '/proc/tandem/dir',
      want: /no directory can be made in \/(proc)? /,
    },
    {
      name: 'of which only a part can be made',
      path: () => join(scratch(), 'new', 'x'.repeat(1000)),
      want: /no directory can be made in .*\/new \(ENAMETOOLONG\)/,
    },
  ];
  for (const { name, path, want } of unusable) {
    it(`refuses a directory ${name}, and leaves nothing of it`, async () => {
      writeFileSync(join(scratch(), 'file'), '');
      await assert.rejects(Keeper.start({ kind: 'named', directory: path() }), {
        code: 'DirectoryUnusable',
        message: want,
      });
      assert.deepEqual(readdirSync(scratch()), ['file']);
    });
  }

  it('removes the directories that it made on the way to the one named, and no others', async () => {
    mkdirSync(join(scratch(), 'there'));
    const directory = join(scratch(), 'there', 'new', 'dir');
    const keeper = await Keeper.start({ kind: 'named', directory });
    await keeper.close();
    assert.deepEqual(readdirSync(scratch(), { recursive: true }), ['there']);
  });

  it('keeps a named directory that was there before', async () => {
    const directory = join(scratch(), 'dir');
    mkdirSync(directory);
    const keeper = await Keeper.start({ kind: 'named', directory });
    mkdirSync(join(directory, 'logs'));
    await keeper.close();
    assert.deepEqual(readdirSync(directory), []);
  });

  it('keeps what somebody else has put into a named directory', async () => {
    const directory = join(scratch(), 'dir');
    const keeper = await Keeper.start({ kind: 'named', directory });
    mkdirSync(join(directory, 'etcd'));
    writeFileSync(join(directory, 'notes.txt'), '');
    await keeper.close();
    assert.deepEqual(readdirSync(directory), ['notes.txt']);
    assert.equal(existsSync(directory), true);
  });
});
