import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Fifo } from './fifo.ts';

describe('fifo', () => {
  it('gives keys back in the order they came, however adds, takes and deletes alternate', () => {
    const step = fc.tuple(fc.constantFrom('add', 'add', 'take', 'delete'), fc.nat({ max: 9 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const fifo = new Fifo();
        let list: string[] = [];
        for (const [kind, number] of steps) {
          const key = String(number);
          if (kind === 'add') {
            fifo.add(key);
            if (!list.includes(key)) list.push(key);
          } else if (kind === 'take') {
            assert.equal(fifo.take(), list.shift());
          } else {
            assert.equal(fifo.delete(key), list.includes(key));
            list = list.filter((other) => other !== key);
          }
          assert.equal(fifo.size, list.length);
        }
        while (list.length > 0) assert.equal(fifo.take(), list.shift());
        assert.equal(fifo.take(), undefined);
      }),
    );
  });
});
