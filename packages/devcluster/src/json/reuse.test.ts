import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Json } from './json.ts';
import { isEqual, reuse } from './reuse.ts';

const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));

describe('sharing between versions', () => {
  it('agrees with a deep comparison about which values are equal', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        assert.equal(isEqual(a, b), isDeepStrictEqual(a, b));
        assert.ok(isEqual(a, structuredClone(a)));
      }),
      { numRuns: 100 },
    );
  });

  it('never changes a value, and takes equal values whole', () => {
    fc.assert(
      fc.property(json, json, (known, next) => {
        assert.deepEqual(reuse(known, next), next);
        assert.equal(reuse(known, structuredClone(known)), known);
      }),
      { numRuns: 100 },
    );
  });

  it('ignores what objects inherit', () => {
    const next: Json = JSON.parse('{"__proto__": {}, "a": 1}');
    const kept = reuse({ a: 1 }, next);
    assert.deepEqual(JSON.stringify(kept), JSON.stringify(next));
    assert.ok(typeof kept === 'object' && kept !== null);
    assert.notEqual(Object.getOwnPropertyDescriptor(kept, '__proto__')?.value, Object.prototype);
  });

  it('keeps the unchanged parts around a change', () => {
    const known = { a: { b: 1 }, c: [{ d: 2 }, { e: 3 }] };
    const next = reuse(known, { a: { b: 1 }, c: [{ d: 2 }, { e: 4 }] });
    assert.ok(typeof next === 'object' && next !== null && 'a' in next && 'c' in next);
    assert.equal(next.a, known.a);
    assert.ok(Array.isArray(next.c));
    assert.equal(next.c[0], known.c[0]);
  });
});
