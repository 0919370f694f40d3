import assert from 'node:assert/strict';
import type { JsonObject } from '../json/index.ts';
import { node } from './node.ts';
import { applyStrategicMerge } from './strategic-merge.ts';
import { StrategicMergeError } from './merge-lists.ts';

const condition = (type: string, status = 'True') => ({ type, status });
const statusWith = (...types: string[]) => ({
  status: { conditions: types.map((t) => condition(t)) },
});

const cases: readonly { name: string; target: JsonObject; patch: JsonObject; want: JsonObject }[] =
  [
    {
      name: 'merges items by key, in the order of the patch',
      target: statusWith('A', 'B'),
      patch: { status: { conditions: [condition('C'), condition('A', 'False')] } },
      want: { status: { conditions: [condition('C'), condition('A', 'False'), condition('B')] } },
    },
    {
      name: 'reorders the named items and keeps the others in front of those that they preceded',
      target: statusWith('X', 'A', 'Y', 'B'),
      patch: {
        status: { '$setElementOrder/conditions': [{ type: 'B' }, { type: 'A' }], conditions: [] },
      },
      want: statusWith('X', 'Y', 'B', 'A'),
    },
    {
      name: 'replaces a list by directive',
      target: statusWith('A', 'B'),
      patch: { status: { conditions: [{ $patch: 'replace' }, condition('C')] } },
      want: statusWith('C'),
    },
    {
      name: 'replaces an object by directive',
      target: { metadata: { labels: { a: '1', b: '2' } } },
      patch: { metadata: { labels: { $patch: 'replace', c: '3' } } },
      want: { metadata: { labels: { c: '3' } } },
    },
    {
      name: 'keeps only the keys of $retainKeys',
      target: { metadata: { labels: { a: '1', b: '2' } } },
      patch: { metadata: { labels: { $retainKeys: ['a', 'c'], c: '3' } } },
      want: { metadata: { labels: { a: '1', c: '3' } } },
    },
    {
      name: 'adds items to a set, and removes items',
      target: { metadata: { finalizers: ['a', 'b'] } },
      patch: { metadata: { finalizers: ['c', 'a'], '$deleteFromPrimitiveList/finalizers': ['b'] } },
      want: { metadata: { finalizers: ['c', 'a'] } },
    },
    {
      name: 'stores a new list as it is, without its directives',
      target: {},
      patch: {
        status: {
          conditions: [{ ...condition('A'), $patch: 'delete' }, condition('B'), condition('B')],
        },
      },
      want: statusWith('B', 'B'),
    },
  ];

describe('a strategic merge', () => {
  for (const { name, target, patch, want } of cases) {
    it(name, () => {
      assert.deepEqual(applyStrategicMerge(node, target, patch), want);
    });
  }

  it('refuses an item without its key, and an unknown directive', () => {
    const keyless = { status: { conditions: [{ status: 'True' }] } };
    assert.throws(() => applyStrategicMerge(node, statusWith('A'), keyless), StrategicMergeError);
    assert.throws(() => applyStrategicMerge(node, {}, { $patch: 'frob' }), StrategicMergeError);
  });
});
