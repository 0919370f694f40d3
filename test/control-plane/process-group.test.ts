/**
 * The ends of a process group that its owner does not bring about; `keeper/keeper.test.ts` has the others.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { virtualClock } from '@tandem/runtime/testing';
import { eventually } from './eventually.ts';
import { isRunning } from '../support/process-state.ts';
import { startGroup } from './process-group.ts';

describe('a process group', function () {
  this.timeout(30_000);

  it('is given a moment after its program has ended, and what stays on is then killed', async () => {
    const clock = virtualClock();
    const script = 'sleep 600 & echo $!; exit 3';
    const { leader, ended } = startGroup(
      ['/bin/sh', '-c', script],
      { stdio: ['ignore', 'pipe', 'ignore'] },
      clock,
    );
    let said = '';
    leader.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    await once(leader, 'exit');
    const stray = await eventually(() => said.endsWith('\n') && Number(said));
    await clock.advance(2_999);
    assert.ok(isRunning(stray));
    await clock.advance(1);
    assert.deepEqual(await ended, { code: 3, signal: null });
    await eventually(() => !isRunning(stray));
    assert.equal(clock.pending, 0);
  });
});
