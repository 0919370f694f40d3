import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Json } from './json.ts';
import { applyJsonPatch, readOperations } from './json-patch.ts';

const document = { a: { b: [1, 2, 3], 'c/d': 'e' }, f: null };

const cases: readonly (readonly [name: string, patch: object[], want: unknown])[] = [
  [
    'adds to an object',
    [{ op: 'add', path: '/a/x', value: 1 }],
    { ...document, a: { ...document.a, x: 1 } },
  ],
  [
    'inserts into a list',
    [{ op: 'add', path: '/a/b/1', value: 9 }],
    { ...document, a: { ...document.a, b: [1, 9, 2, 3] } },
  ],
  [
    'appends with a dash',
    [{ op: 'add', path: '/a/b/-', value: 9 }],
    { ...document, a: { ...document.a, b: [1, 2, 3, 9] } },
  ],
  [
    'counts from the end',
    [{ op: 'remove', path: '/a/b/-1' }],
    { ...document, a: { ...document.a, b: [1, 2] } },
  ],
  ['unescapes keys', [{ op: 'test', path: '/a/c~1d', value: 'e' }], document],
  ['reads a missing key as null', [{ op: 'test', path: '/a/none', value: null }], document],
  ['replaces the whole document', [{ op: 'replace', path: '', value: 7 }], 7],
  ['fails on a missing parent', [{ op: 'test', path: '/none/x', value: null }], undefined],
  ['fails below a string', [{ op: 'add', path: '/a/c~1d/x', value: 1 }], undefined],
  ['fails below null', [{ op: 'add', path: '/f/x', value: 1 }], undefined],
  ['fails past the end of a list', [{ op: 'add', path: '/a/b/4', value: 1 }], undefined],
  ['fails on an index that is not a number', [{ op: 'add', path: '/a/b/x', value: 1 }], undefined],
  ['fails to remove a missing key', [{ op: 'remove', path: '/a/x' }], undefined],
  ['fails to move a missing key', [{ op: 'move', from: '/a/x/y', path: '/z' }], undefined],
  [
    'applies nothing when one operation fails',
    [
      { op: 'add', path: '/x', value: 1 },
      { op: 'test', path: '/x', value: 2 },
    ],
    undefined,
  ],
];

describe('a JSON patch', () => {
  it('treats __proto__ as a key like any other', () => {
    const value = JSON.parse('{"a":{"x":1}}');
    const patched = applyJsonPatch(value, [{ op: 'add', path: '/a/__proto__', value: { y: 2 } }]);
    assert.equal(JSON.stringify(patched), '{"a":{"x":1,"__proto__":{"y":2}}}');
  });

  for (const [name, patch, want] of cases) {
    it(name, () => {
      assert.deepEqual(applyJsonPatch(document, readOperations(patch) ?? []), want);
    });
  }

  it('shares unchanged parts, and changes nothing in place', () => {
    const before = structuredClone(document);
    const next = applyJsonPatch(document, [{ op: 'add', path: '/g', value: 1 }]);
    assert.deepEqual(document, before);
    assert.ok(typeof next === 'object' && next !== null && 'a' in next && next.a === document.a);
  });

  it('finds what it has written at any path, and removes it again', () => {
    const keys = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(keys, fc.jsonValue(), (path, value) => {
        fc.pre(!path.includes('__proto__') && value !== null);
        const parents = path.slice(0, -1).reduceRight<Json>((inner, key) => ({ [key]: inner }), {});
        const pointer = path
          .map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
          .join('');
        const json: Json = JSON.parse(JSON.stringify(value));
        const patched = applyJsonPatch(parents, [
          { op: 'add', path: pointer, value: json },
          { op: 'test', path: pointer, value: json },
          { op: 'remove', path: pointer },
        ]);
        assert.deepEqual(patched, parents);
      }),
      { numRuns: 50 },
    );
  });
});
