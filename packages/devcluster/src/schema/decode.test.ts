import assert from 'node:assert/strict';
import type { Json } from '../json/index.ts';
import { decode } from './decode.ts';
import { node } from './node.ts';
import { lease } from './small-kinds.ts';

const decoded = (value: Json) => {
  const result = decode(node, value);
  assert.equal(result.kind, 'decoded');
  return result;
};

const malformed: readonly { given: Json; want: RegExp }[] = [
  { given: [], want: /cannot unmarshal array into Go struct field {2}of type Node/ },
  { given: { metadata: 'x' }, want: /cannot unmarshal string .* metadata of type ObjectMeta/ },
  {
    given: { metadata: { name: 5 } },
    want: /cannot unmarshal number .* metadata\.name of type string/,
  },
  {
    given: { metadata: { labels: { a: true } } },
    want: /cannot unmarshal bool .* metadata\.labels/,
  },
  { given: { spec: { taints: {} } }, want: /cannot unmarshal object .* spec\.taints of type \[\]/ },
  { given: { spec: { taints: ['x'] } }, want: /spec\.taints\[0\] of type Taint/ },
  { given: { spec: { unschedulable: 'x' } }, want: /spec\.unschedulable of type bool/ },
  { given: { metadata: { generation: 1.5 } }, want: /metadata\.generation of type int64/ },
  { given: { metadata: { creationTimestamp: 'nope' } }, want: /parsing time "nope"/ },
];

describe('decoding by schema', () => {
  for (const { given, want } of malformed) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      const result = decode(node, given);
      assert.equal(result.kind, 'malformed');
      assert.match(result.problem, want);
    });
  }

  it('drops what nobody knows, at any depth, and tells its place', () => {
    const { value, unknown } = decoded({ x: 1, spec: { y: 2, taints: [{ key: 'a', z: 3 }] } });
    assert.deepEqual(unknown, ['spec.taints[0].z', 'spec.y', 'x']);
    assert.deepEqual(value['spec'], { taints: [{ key: 'a', effect: '' }] });
  });

  it('leaves out what is empty, and null with it', () => {
    const { value } = decoded({
      metadata: { name: 'n', labels: {}, finalizers: [], annotations: null },
      spec: { providerID: '', unschedulable: false, taints: [] },
    });
    assert.deepEqual([value['metadata'], value['spec']], [{ name: 'n' }, {}]);
  });

  it('keeps what is empty where that says something', () => {
    const spec = { holderIdentity: '', leaseTransitions: 0 };
    const result = decode(lease, { spec });
    assert.ok(result.kind === 'decoded');
    assert.deepEqual(result.value['spec'], spec);
  });

  it('drops what only a feature that is off would read, and tells nobody', () => {
    const result = decode(lease, { spec: { holderIdentity: 'a', strategy: 'b' } });
    assert.ok(result.kind === 'decoded');
    assert.deepEqual([result.value['spec'], result.unknown], [{ holderIdentity: 'a' }, []]);
  });

  it('writes what null stands for into a map, and leaves the others as they are', () => {
    const { value } = decoded({ metadata: { labels: { b: 'c', a: null, d: 'e' } } });
    assert.equal(JSON.stringify(value['metadata']), '{"labels":{"b":"c","a":"","d":"e"}}');
  });

  it('gives back the very parts that it has decoded before', () => {
    const { value } = decoded({
      metadata: { name: 'n', labels: { a: 'b' } },
      status: { images: [{}] },
    });
    const again = decode(node, { ...value, spec: { unschedulable: true } }, value);
    assert.ok(again.kind === 'decoded');
    assert.equal(again.value['metadata'], value['metadata']);
    assert.equal(again.value['status'], value['status']);
  });
});
