import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { nestingDepth } from './nesting-depth.ts';

/** The same by walking the value. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of a JSON text', () => {
  it('is that of its value, whatever its texts contain', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.integer({ min: 0, max: 3 }),
        (value, enough) => {
          const depth = depthOf(value);
          const found = nestingDepth(JSON.stringify(value), enough);
          // What is not deeper than enough need not be known exactly.
          if (depth > enough) assert.equal(found, depth);
          else assert.ok(found <= enough);
        },
      ),
    );
  });

  it('does not count brackets in texts', () => {
    assert.equal(nestingDepth(JSON.stringify({ a: '[{"\\'.repeat(50) }), 10), 1);
  });
});
