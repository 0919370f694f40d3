/**
 * That nothing stays behind, however a control plane's owner or keeper ends. The programs that are kept
 * stand for etcd and kube-apiserver; `owner.test.ts` does the same with the real ones.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ControlPlaneError } from '../errors.ts';
import { eventually } from '../eventually.ts';
import { run } from '../fixtures/run.ts';
import { isRunning, useScratch } from '../fixtures/scratch.ts';
import { Keeper, type KeptProcess } from './keeper.ts';
import type { Place } from './messages.ts';

describe('a keeper', function () {
  this.timeout(30_000);
  const scratch = useScratch();
  const temporary = (): Place => ({ kind: 'temporary', parent: scratch() });

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

  it('refuses a directory that cannot be made', async () => {
    writeFileSync(join(scratch(), 'file'), '');
    await assert.rejects(
      Keeper.start({ kind: 'named', directory: join(scratch(), 'file', 'dir') }),
      {
        code: 'DirectoryUnusable',
      },
    );
  });

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
