import assert from 'node:assert/strict';
import { type Resource, resources } from '../resources/index.ts';
import type { StoredObject } from '../store/index.ts';
import { JsonCache } from './json-cache.ts';
import type { Presentation } from './represent.ts';

const names: readonly string[] = ['nodes', 'leases'];
const [nodes, leases] = names.map((name) => {
  const found = resources.find(({ resource }) => resource === name);
  assert.ok(found);
  return found;
});

const as = (form: Presentation['form'], resource: Resource | undefined = nodes): Presentation => {
  assert.ok(resource);
  return { resource, form, nowMs: 0, rowObject: 'None' };
};

/** Counts how often it is serialized. */
function counted() {
  let count = 0;
  const spec = {
    toJSON: () => {
      count += 1;
      return {};
    },
  };
  const metadata = { name: 'n', uid: 'u', creationTimestamp: '1970-01-01T00:00:00Z' };
  const object = { metadata, spec: spec as unknown as StoredObject };
  return { object, count: () => count };
}

describe('the cache of JSON texts', () => {
  it('makes a text once for all clients that want the same form', () => {
    const texts = new JsonCache();
    const { object, count } = counted();
    const other = counted();
    for (const _ of [1, 2, 3]) {
      assert.match(texts.of(object, as('object')), /^\{"kind":"Node","apiVersion":"v1","metadata"/);
      texts.of(other.object, as('object'));
    }
    assert.deepEqual([count(), other.count()], [1, 1]);
  });

  it('gives each client the form that it requested, in any order of requests', () => {
    const texts = new JsonCache();
    const { object } = counted();
    const kinds = [as('object'), as('metadata'), as('object', leases), as('object')].map(
      (presentation) => JSON.parse(texts.of(object, presentation)).kind,
    );
    assert.deepEqual(kinds, ['Node', 'PartialObjectMetadata', 'Lease', 'Node']);
  });

  it('makes tables again every time, because the ages in them change', () => {
    const texts = new JsonCache();
    const { object } = counted();
    const ages = [60_000, 7_200_000].map((nowMs) =>
      JSON.parse(texts.of(object, { ...as('table'), nowMs })).rows[0].cells.at(3),
    );
    assert.deepEqual(ages, ['60s', '120m']);
  });

  it('forgets texts before there are too many', () => {
    const texts = new JsonCache();
    const { object, count } = counted();
    texts.of(object, as('object'));
    for (let index = 0; index < 1000; index++) texts.of(counted().object, as('object'));
    texts.of(object, as('object'));
    assert.equal(count(), 2);
  });
});
