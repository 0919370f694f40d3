import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterTurn } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { isRunning, stateOf } from '../../../../test/support/process-state.ts';
import { runCommand } from './run-command.ts';

describe('runCommand', () => {
  it('reports a command that cannot be started, whatever the reason', async () => {
    const command = { environment: {}, clock: virtualClock(), limitMs: 1_000 };
    const absent = await runCommand({ ...command, file: '/no/such/program', args: [] });
    const unfit = await runCommand({ ...command, file: '/bin/sh', args: ['a\u0000b'] });
    assert.deepEqual([absent.kind, unfit.kind], ['not started', 'not started']);
  });

  describe('after the leader of the process group has ended', () => {
    let folder = '';
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tandem-command-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** Runs a shell that ends and leaves a process behind, and returns the fate of both. */
    async function leaveBehind(redirection: string) {
      const ids = join(folder, 'ids');
      const script = `sleep 1000 ${redirection} & echo $$ $! > '${ids}.new'; mv '${ids}.new' '${ids}'`;
      const clock = virtualClock();
      const args = ['-c', script];
      const running = runCommand({
        file: '/bin/sh',
        args,
        environment: { PATH: '/usr/bin:/bin' },
        clock,
        limitMs: 1_000,
      });
      while (!existsSync(ids)) await new Promise<void>(afterTurn);
      const [shell = 0, left = 0] = readFileSync(ids, 'utf8').split(' ').map(Number);
      while (stateOf(shell) !== undefined) await new Promise<void>(afterTurn);
      await clock.advance(1_000);
      const { kind } = await running;
      // If it was killed, the kernel may need a moment.
      for (let turns = 0; turns < 2_000 && isRunning(left); turns += 1) {
        await new Promise<void>(afterTurn);
      }
      const wasLeftAlone = isRunning(left);
      if (wasLeftAlone) process.kill(left, 'SIGKILL');
      return { kind, wasLeftAlone };
    }

    it('does not signal the group, because the system may have reused its ID', async () => {
      const { wasLeftAlone } = await leaveBehind('>/dev/null 2>&1');
      assert.ok(wasLeftAlone);
    });

    it('times out at the limit if a process that was left behind holds the output open', async () => {
      assert.deepEqual(await leaveBehind(''), { kind: 'timed out', wasLeftAlone: true });
    });
  });
});
