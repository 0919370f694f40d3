import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Interner } from './interner.ts';

describe('Interner', () => {
  it('returns an equal string, whatever it returned before', () => {
    const interner = new Interner();
    const odd = fc.constantFrom('', 'é', '日本', '😀-x', 'node-0', 'x'.repeat(64), 'é'.repeat(65));
    const texts = fc.oneof(fc.string({ maxLength: 70 }), odd);
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 8 }), (list) => {
        for (const text of [...list, ...list]) assert.equal(interner.intern(text), text);
      }),
      { numRuns: 40 },
    );
  });
});
