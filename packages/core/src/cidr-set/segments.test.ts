import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Layer, segmentsOf } from './segments.ts';

const span = fc
  .tuple(fc.nat({ max: 12 }), fc.nat({ max: 12 }))
  .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));
const layer: fc.Arbitrary<Layer> = fc
  .tuple(span, fc.constantFrom('bound' as const, 'inDoubt' as const, 'excluded' as const))
  .map(([ends, state]) => ({ ...ends, state }));

describe('segments of a span', () => {
  it('cover the span without a gap, and give each block the strongest state of its layers', () => {
    fc.assert(
      fc.property(span, fc.array(layer, { maxLength: 5 }), (whole, layers) => {
        let next = whole.first;
        for (const { first, last, state } of segmentsOf(whole, layers)) {
          assert.equal(first, next);
          for (; next <= last; next++) assert.equal(state, naiveState(next, layers));
        }
        assert.equal(next, whole.last + 1);
      }),
      { numRuns: 1_000 },
    );
  });
});

function naiveState(block: number, layers: readonly Layer[]): string {
  const states = layers.filter(({ first, last }) => first <= block && block <= last);
  const order = ['excluded', 'inDoubt', 'bound'];
  return order.find((state) => states.some((one) => one.state === state)) ?? 'free';
}
