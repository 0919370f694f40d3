import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Due, DueHeap, notInHeap } from './due-heap.ts';

interface Named extends Due {
  readonly name: number;
}

describe('a heap of what is due', () => {
  it('gives entries up by time, then by order, as a sorted list does', () => {
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
              // Among those of its new instant it is the last.
              naive.push(entry);
            }
          }
          assert.equal(heap.size, naive.length);
        }
      }),
    );
    assert.ok(popped > 100, `${popped} entries surfaced`);
  });

  it('knows nothing of what it was cleared of', () => {
    const heap = new DueHeap<Named>();
    const entry = { name: 1, dueMs: 5, ...notInHeap };
    heap.add(entry);
    heap.clear();
    assert.equal(heap.remove(entry), false);
    assert.equal(heap.first, undefined);
  });
});
