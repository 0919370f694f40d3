import assert from 'node:assert/strict';
import { systemClock } from '@tandem/runtime';
import { aMiniature } from './miniature.ts';
import type { Order } from './protocol.ts';
import { startSuite, type StartTimer } from './suite-run.ts';

const startTimer: StartTimer = (delayMs, callback) => {
  const timer = systemClock.after(delayMs, callback);
  return () => timer.cancel();
};

describe('the process of a suite', function () {
  this.timeout(10_000);
  this.slow(2_000);

  it('is killed when it does not end after its last test, and tells what is open', async () => {
    const file = 'packages/a/src/a.test.ts';
    await using tree = await aMiniature({
      [file]: `it('leaves a timer', () => { setInterval(() => {}, 1000); });`,
    });
    const order: Order = {
      root: tree.root,
      files: [file],
      grep: undefined,
      timeoutMs: 1_000,
      slowMs: 1_000,
      progress: 'files',
      lingerMsMax: 100,
    };
    const outcome = await startSuite(order, { startTimer, output: 'ignore' }).outcome;
    assert.equal(outcome.isComplete, true);
    assert.equal(outcome.exit, 'SIGKILL');
    assert.deepEqual(outcome.lingering, ['Timeout']);
    assert.deepEqual(outcome.declared, new Map([[file, 1]]));
  });
});
