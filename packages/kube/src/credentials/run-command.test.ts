import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime';
import { runCommand } from './run-command.ts';

describe('runCommand', () => {
  it('tells of a command that cannot be started, whatever the reason', async () => {
    const command = { environment: {}, clock: virtualClock(), limitMs: 1_000 };
    const absent = await runCommand({ ...command, file: '/no/such/program', args: [] });
    const unfit = await runCommand({ ...command, file: '/bin/sh', args: ['a\u0000b'] });
    assert.deepEqual([absent.kind, unfit.kind], ['not started', 'not started']);
  });
});
