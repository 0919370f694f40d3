/** That a program ends with all that it started, and with its owner, however that ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualClock } from '@tandem/runtime/testing';
import { eventually } from '../../control-plane/eventually.ts';
import { installWrapper } from '../../control-plane/fixtures/programs.ts';
import { useScratch } from '../scratch.ts';
import { isPaused, isRunning } from '../process-state.ts';
import { GuardedProcess, CapturedProcess } from './index.ts';

describe('a guarded process', () => {
  const scratch = useScratch();

  /** Starts a script that calls a program without becoming it, and gives the ids of both. */
  async function startWrapped(
    command: string,
  ): Promise<{ running: GuardedProcess; pids: [number, number] }> {
    const { file, calledPid } = installWrapper(scratch(), command);
    const running = new GuardedProcess([file], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    return { running, pids: [running.pid ?? 0, await calledPid()] };
  }

  /** A killed process closes its files, by which its end is seen, a moment before it leaves the process table. */
  async function allGone(pids: readonly number[]): Promise<void> {
    await eventually(() => !pids.some(isRunning), { withinMs: 2_000 });
  }

  it('tells how the program ended, and that a file could not be run', async () => {
    const failing = new GuardedProcess(['/bin/sh', '-c', 'exit 3'], { stdio: 'ignore' });
    assert.deepEqual(await failing.exited, { code: 3, signal: null });
    const missing = new GuardedProcess(['/nonexistent'], { stdio: 'ignore' });
    assert.deepEqual(await missing.exited, { code: 127, signal: null });
    assert.deepEqual(await missing.kill(), { code: 127, signal: null });
  });

  it('is killed with what a wrapper script has started, even while it is paused', async () => {
    const { running, pids } = await startWrapped('sleep 600');
    running.signal('SIGSTOP');
    assert.deepEqual(await running.kill(), { code: null, signal: 'SIGKILL' });
    await allGone(pids);
  });

  it('is killed when it does not end in the time that it is given', async () => {
    const { running, pids } = await startWrapped(`trap '' TERM; while :; do sleep 0.02; done`);
    running.signal('SIGSTOP');
    assert.deepEqual(await running.stopWithin(100), { code: null, signal: 'SIGTERM' });
    await allGone(pids);
  });

  it('passes signals on to what a wrapper script has started', async function () {
    // Only Linux shows cheaply that a process is paused.
    if (process.platform !== 'linux') this.skip();
    const { running, pids } = await startWrapped('sleep 600');
    running.signal('SIGSTOP');
    await eventually(() => pids.every(isPaused));
    running.signal('SIGCONT');
    await eventually(() => !pids.some(isPaused));
    await running.kill();
  });

  it('has ended when what a wrapper script has started has ended, too', async () => {
    const windingDown = "trap 'while [ ! -e done ]; do sleep 0.02; done; exit' TERM; echo up > up";
    const command = `cd ${scratch()}; ${windingDown}; while :; do sleep 0.02; done`;
    const { running, pids } = await startWrapped(command);
    await eventually(() => existsSync(join(scratch(), 'up')));
    running.signal('SIGTERM');
    await eventually(() => !isRunning(pids[0]));
    assert.equal(running.exit, undefined);
    writeFileSync(join(scratch(), 'done'), '');
    assert.deepEqual(await running.exited, { code: null, signal: 'SIGTERM' });
    await allGone(pids);
  });

  it('has a moment after its program has ended, and is then killed', async () => {
    const clock = virtualClock();
    const script = 'sleep 600 & echo $!; exit 3';
    const { child, exited } = new GuardedProcess(
      ['/bin/sh', '-c', script],
      { stdio: ['ignore', 'pipe', 'ignore'] },
      clock,
    );
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
    await once(child, 'exit');
    const stray = await eventually(() => printed.endsWith('\n') && Number(printed));
    await clock.advance(9_999);
    assert.ok(isRunning(stray));
    await clock.advance(1);
    assert.deepEqual(await exited, { code: 3, signal: null });
    await eventually(() => !isRunning(stray));
    assert.equal(clock.pending, 0);
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const state of ['running', 'paused'] as const) {
      it(`ends with its owner that gets ${signal}, ${state}, and so does the directory`, async () => {
        const { file, calledPid } = installWrapper(scratch(), 'sleep 600');
        const directory = join(scratch(), "an owner's directory");
        mkdirSync(directory);
        writeFileSync(join(directory, 'file'), '');
        const fixture = join(import.meta.dirname, 'fixtures', 'owner.ts');
        const command = [process.execPath, fixture, file, directory] as const;
        await using owner = new CapturedProcess(command, { environment: {} });
        const [text] = await owner.prints(/^\d+$/);
        const pids = [Number(text), await calledPid()];
        if (state === 'paused') process.kill(-Number(text), 'SIGSTOP');
        owner.signal(signal);
        await eventually(() => !pids.some(isRunning));
        await eventually(() => !existsSync(directory));
      });
    }
  }
});
