/** Tests what happens to a command when the program that runs it ends. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterTurn } from '@tandem/runtime';
import { isRunning } from '../../../../test/support/process-state.ts';

/** Runs a command, and exits at once when it receives input. */
const program = `
  import { runCommand } from ${JSON.stringify(new URL('run-command.ts', import.meta.url).href)};
  import { systemClock as clock } from '@tandem/runtime';
  const args = ['-c', process.argv[1]];
  void runCommand({ file: '/bin/sh', args, environment: process.env, clock, limitMs: 600_000 });
  process.stdin.once('data', () => process.exit(0));
`;

describe('a command', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-command-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is killed, with its children, when the program that runs it exits', async function () {
    this.timeout(20_000);
    const ids = join(folder, 'ids');
    assert.equal(spawnSync('mkfifo', [ids]).status, 0);
    const command = `trap '' TERM; sleep 1000 & echo $$ $! > '${ids}'; wait`;
    const running = spawn(process.execPath, ['--input-type=module', '-e', program, command], {
      cwd: import.meta.dirname,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const pids = (await readFile(ids, 'utf8')).trim().split(' ').map(Number);
    assert.deepEqual(pids.map(isRunning), [true, true]);
    const ended = once(running, 'exit');
    running.stdin.write('end\n');
    await ended;
    // They are killed by now, but the kernel may need a moment.
    for (let turns = 0; turns < 50_000 && pids.some(isRunning); turns += 1) {
      await new Promise<void>(afterTurn);
    }
    assert.deepEqual(pids.map(isRunning), [false, false]);
  });
});
