import assert from 'node:assert/strict';
import { afterTurn } from '@tandem/runtime';
import { Turns } from './turns.ts';

describe('turns of the event loop', () => {
  it('are given to one caller each, in the order of their calls', async () => {
    const turns = new Turns();
    const seen = { turn: 0, hasEnded: false };
    const count = (): void => {
      seen.turn++;
      if (!seen.hasEnded) afterTurn(count);
    };
    count();
    const order: number[] = [];
    const given = await Promise.all(
      Array.from({ length: 20 }, async (_, caller) => {
        await turns.next();
        order.push(caller);
        return seen.turn;
      }),
    );
    seen.hasEnded = true;
    assert.equal(new Set(given).size, 20, given.join(', '));
    assert.deepEqual(order, [...order.keys()]);
  });
});
