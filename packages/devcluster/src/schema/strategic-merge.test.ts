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
      name: 'merges items by key, and has those of the patch in its order',
      target: statusWith('A', 'B'),
      patch: { status: { conditions: [condition('C'), condition('A', 'False')] } },
      want: { status: { conditions: [condition('C'), condition('A', 'False'), condition('B')] } },
    },
    {
      name: 'puts named items in order and leaves others before those they preceded',
      target: statusWith('X', 'A', 'Y', 'B'),
      patch: {
        status: { '$setElementOrder/conditions': [{ type: 'B' }, { type: 'A' }], conditions: [] },
      },
      want: statusWith('X', 'Y', 'B', 'A'),
    },
    {
      name: 'replaces a merged list when told to',
      target: statusWith('A', 'B'),
      patch: { status: { conditions: [{ $patch: 'replace' }, condition('C')] } },
      want: statusWith('C'),
    },
    {
      name: 'replaces an object when told to',
      target: { metadata: { labels: { a: '1', b: '2' } } },
      patch: { metadata: { labels: { $patch: 'replace', c: '3' } } },
      want: { metadata: { labels: { c: '3' } } },
    },
    {
      name: 'keeps only the keys that are to be retained',
      target: { metadata: { labels: { a: '1', b: '2' } } },
      patch: { metadata: { labels: { $retainKeys: ['a', 'c'], c: '3' } } },
      want: { metadata: { labels: { a: '1', c: '3' } } },
    },
    {
      name: 'adds to a set, and takes from one',
      target: { metadata: { finalizers: ['a', 'b'] } },
      patch: { metadata: { finalizers: ['c', 'a'], '$deleteFromPrimitiveList/finalizers': ['b'] } },
      want: { metadata: { finalizers: ['c', 'a'] } },
    },
    {
      name: 'merges nothing in a list that was not there, and takes it without its directives',
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

  it('refuses an item without its key, and a directive that is none', () => {
    const keyless = { status: { conditions: [{ status: 'True' }] } };
    assert.throws(() => applyStrategicMerge(node, statusWith('A'), keyless), StrategicMergeError);
    assert.throws(() => applyStrategicMerge(node, {}, { $patch: 'frob' }), StrategicMergeError);
  });
});
