import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { Fifo } from './fifo.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('Fifo', () => {
  it('does not grow, however many keys leave early while none is taken', () => {
    const fifo = new Fifo();
    const comeAndGo = (count: number): void => {
      for (let number = 0; number < count; number += 1) {
        fifo.add(`key-${number}`);
        assert.ok(fifo.delete(`key-${number}`));
      }
    };
    fifo.add('first');
    comeAndGo(1_000);
    const startBytes = heapBytes();
    comeAndGo(20_000);
    const grown = heapBytes() - startBytes;
    assert.ok(grown < 100_000, `it grew by ${grown} bytes`);
    assert.equal(fifo.take(), 'first');
  });

  it('returns keys in order of arrival, however adds, takes and deletes alternate', () => {
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
