import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Json } from './json.ts';
import { applyJsonPatch, readOperations } from './json-patch.ts';

const document = { a: { b: [1, 2, 3], 'c/d': 'e' }, f: null };

const cases: readonly { name: string; patch: object[]; want: unknown }[] = [
  {
    name: 'adds to an object',
    patch: [{ op: 'add', path: '/a/x', value: 1 }],
    want: { ...document, a: { ...document.a, x: 1 } },
  },
  {
    name: 'inserts into a list',
    patch: [{ op: 'add', path: '/a/b/1', value: 9 }],
    want: { ...document, a: { ...document.a, b: [1, 9, 2, 3] } },
  },
  {
    name: 'appends with a dash',
    patch: [{ op: 'add', path: '/a/b/-', value: 9 }],
    want: { ...document, a: { ...document.a, b: [1, 2, 3, 9] } },
  },
  {
    name: 'counts from the end',
    patch: [{ op: 'remove', path: '/a/b/-1' }],
    want: { ...document, a: { ...document.a, b: [1, 2] } },
  },
  { name: 'unescapes keys', patch: [{ op: 'test', path: '/a/c~1d', value: 'e' }], want: document },
  {
    name: 'reads a missing key as null',
    patch: [{ op: 'test', path: '/a/none', value: null }],
    want: document,
  },
  { name: 'replaces the whole document', patch: [{ op: 'replace', path: '', value: 7 }], want: 7 },
  {
    name: 'fails on a missing parent',
    patch: [{ op: 'test', path: '/none/x', value: null }],
    want: undefined,
  },
  {
    name: 'fails below a string',
    patch: [{ op: 'add', path: '/a/c~1d/x', value: 1 }],
    want: undefined,
  },
  { name: 'fails below null', patch: [{ op: 'add', path: '/f/x', value: 1 }], want: undefined },
  {
    name: 'fails past the end of a list',
    patch: [{ op: 'add', path: '/a/b/4', value: 1 }],
    want: undefined,
  },
  {
    name: 'fails on an index that is not a number',
    patch: [{ op: 'add', path: '/a/b/x', value: 1 }],
    want: undefined,
  },
  {
    name: 'fails to remove a missing key',
    patch: [{ op: 'remove', path: '/a/x' }],
    want: undefined,
  },
  {
    name: 'fails to move a missing key',
    patch: [{ op: 'move', from: '/a/x/y', path: '/z' }],
    want: undefined,
  },
  {
    name: 'applies nothing when one operation fails',
    patch: [
      { op: 'add', path: '/x', value: 1 },
      { op: 'test', path: '/x', value: 2 },
    ],
    want: undefined,
  },
];

describe('a JSON patch', () => {
  it('treats __proto__ as a key like any other', () => {
    const value = JSON.parse('{"a":{"x":1}}');
    const patched = applyJsonPatch(value, [{ op: 'add', path: '/a/__proto__', value: { y: 2 } }]);
    assert.equal(JSON.stringify(patched), '{"a":{"x":1,"__proto__":{"y":2}}}');
  });

  for (const { name, patch, want } of cases) {
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
