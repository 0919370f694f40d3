import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assertHits } from '../../../../test/support/hits.ts';
import { nestingDepth } from './nesting-depth.ts';

/** The depth, found by walking the value. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of a JSON text', () => {
  it('is that of its value, whatever its strings contain', () => {
    const limits = fc.integer({ min: 0, max: 3 });
    assertHits(10, (hit) =>
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 6 }), limits, (value, enough) => {
          const depth = depthOf(value);
          const found = nestingDepth(JSON.stringify(value), enough);
          // The depth is exact only above `enough`.
          if (depth > enough) {
            hit();
            assert.equal(found, depth);
          } else assert.ok(found <= enough);
        }),
      ),
    );
  });

  it('does not count brackets in strings', () => {
    assert.equal(nestingDepth(JSON.stringify({ a: '[{"\\'.repeat(50) }), 10), 1);
  });
});
