import assert from 'node:assert/strict';
import { afterTurn } from './clock.ts';

describe('afterTurn', () => {
  it('calls back after the ticks and promises of the turn, without waiting for timers', async () => {
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      setTimeout(() => order.push('timer'), 50).unref();
      afterTurn(() => {
        order.push('after');
        resolve();
      });
      void Promise.resolve().then(() => order.push('promise'));
      process.nextTick(() => order.push('tick'));
      order.push('now');
    });
    assert.deepEqual(order, ['now', 'tick', 'promise', 'after']);
  });
});
