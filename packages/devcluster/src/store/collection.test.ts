import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Store } from './store.ts';
import type { StoredObject } from './stored-object.ts';

const anObject = (name: string, value = 0): StoredObject => ({
  metadata: { name, uid: name, creationTimestamp: '' },
  value,
});

const brief = (objects: readonly StoredObject[] | undefined): string[] | undefined =>
  objects?.map(({ metadata, value }) => `${metadata.name}=${JSON.stringify(value)}`);

describe('a collection of the store', () => {
  it('lists every remembered version as it was', () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      value: fc.nat({ max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const store = new Store();
        const collection = store.collection('things');
        const past = [{ version: store.version, list: brief(collection.list()) }];
        for (const { name, value } of steps) {
          if (value === 0) collection.remove(name);
          else collection.put(anObject(name, value));
          past.push({ version: store.version, list: brief(collection.list()) });
        }
        for (const { version, list } of past) {
          assert.deepEqual(brief(collection.listAt(version)), list);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('lists the changes after a version, and none after a forgotten version', () => {
    const store = new Store();
    const collection = store.collection('things');
    const first = store.version;
    collection.put(anObject('a'));
    collection.put(anObject('a', 1));
    collection.remove('a');
    assert.equal(collection.changesAfter(first)?.length, 3);
    assert.equal(collection.changesAfter(first + 2)?.length, 1);
    store.compact();
    assert.equal(collection.changesAfter(first), undefined);
    assert.equal(collection.listAt(first), undefined);
    assert.deepEqual(collection.changesAfter(store.version), []);
  });

  it('remembers a bounded number of changes, always the newest', () => {
    const store = new Store({ historyMax: 10 });
    const collection = store.collection('things');
    for (let value = 0; value < 100; value++) collection.put(anObject('a', value));
    assert.ok(collection.compacted > 80);
    assert.equal(collection.changesAfter(store.version - 4)?.length, 4);
    assert.equal(collection.changesAfter(collection.compacted - 1), undefined);
  });

  it('is restored to an older state without notifying its listeners', () => {
    const store = new Store();
    const collection = store.collection('things');
    collection.put(anObject('a'));
    const snapshot = store.snapshot();
    collection.put(anObject('b'));
    let told = 0;
    collection.onChange(() => told++);
    store.restore(snapshot);
    assert.deepEqual(
      [told, brief(collection.list()), store.version],
      [0, ['a=0'], snapshot.version],
    );
    assert.equal(
      collection.put(anObject('c')).metadata.resourceVersion,
      String(snapshot.version + 1),
    );
  });
});
