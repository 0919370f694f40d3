import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Due, DueHeap, notInHeap } from './due-heap.ts';

interface Named extends Due {
  readonly name: number;
}

describe('DueHeap', () => {
  it('orders entries by due time and then by when they got it, like a stable sort of a list', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), dueMs: fc.nat(20) }),
      fc.record({
        kind: fc.constantFrom('forward', 'remove'),
        at: fc.nat(50),
        byMs: fc.integer({ min: 1, max: 5 }),
      }),
      fc.record({ kind: fc.constant('pop' as const) }),
    );
    let popped = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 200, size: 'max' }), (steps) => {
        const heap = new DueHeap<Named>();
        let naive: Named[] = [];
        for (const [name, given] of steps.entries()) {
          const entry = 'at' in given ? naive[given.at] : undefined;
          if (given.kind === 'add') {
            const added = { name, dueMs: given.dueMs, ...notInHeap };
            heap.add(added);
            naive.push(added);
          } else if (given.kind === 'pop') {
            const first = naive.toSorted((a, b) => a.dueMs - b.dueMs).at(0);
            assert.equal(heap.first?.name, first?.name);
            if (first !== undefined) assert.ok(heap.remove(first));
            naive = naive.filter((one) => one !== first);
            popped += first === undefined ? 0 : 1;
          } else if (entry !== undefined) {
            naive = naive.filter((one) => one !== entry);
            if (given.kind === 'remove') {
              assert.equal(heap.remove(entry), true);
              assert.equal(heap.remove(entry), false);
            } else {
              heap.bringForward(entry, entry.dueMs - ('byMs' in given ? given.byMs : 0));
              // Among entries of the same instant, the moved entry comes last.
              naive.push(entry);
            }
          }
          assert.equal(heap.size, naive.length);
        }
      }),
    );
    assert.ok(popped > 100, `${popped} entries popped`);
  });

  it('is empty after a clear and does not remove a cleared entry again', () => {
    const heap = new DueHeap<Named>();
    const entry = { name: 1, dueMs: 5, ...notInHeap };
    heap.add(entry);
    heap.clear();
    assert.equal(heap.remove(entry), false);
    assert.equal(heap.first, undefined);
  });
});
