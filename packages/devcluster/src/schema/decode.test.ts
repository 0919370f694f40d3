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

const malformed: readonly (readonly [given: Json, want: RegExp])[] = [
  [[], /cannot unmarshal array into Go struct field {2}of type Node/],
  [{ metadata: 'x' }, /cannot unmarshal string .* metadata of type ObjectMeta/],
  [{ metadata: { name: 5 } }, /cannot unmarshal number .* metadata\.name of type string/],
  [{ metadata: { labels: { a: true } } }, /cannot unmarshal bool .* metadata\.labels/],
  [{ spec: { taints: {} } }, /cannot unmarshal object .* spec\.taints of type \[\]/],
  [{ spec: { taints: ['x'] } }, /spec\.taints\[0\] of type Taint/],
  [{ spec: { unschedulable: 'x' } }, /spec\.unschedulable of type bool/],
  [{ metadata: { generation: 1.5 } }, /metadata\.generation of type int64/],
  [{ metadata: { creationTimestamp: 'nope' } }, /parsing time "nope"/],
];

describe('decoding by schema', () => {
  for (const [given, want] of malformed) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      const result = decode(node, given);
      assert.equal(result.kind, 'malformed');
      assert.match(result.problem, want);
    });
  }

  it('drops unknown fields at any depth, and reports their paths', () => {
    const { value, unknown } = decoded({ x: 1, spec: { y: 2, taints: [{ key: 'a', z: 3 }] } });
    assert.deepEqual(unknown, ['spec.taints[0].z', 'spec.y', 'x']);
    assert.deepEqual(value['spec'], { taints: [{ key: 'a', effect: '' }] });
  });

  it('leaves out empty values and null', () => {
    const { value } = decoded({
      metadata: { name: 'n', labels: {}, finalizers: [], annotations: null },
      spec: { providerID: '', unschedulable: false, taints: [] },
    });
    assert.deepEqual([value['metadata'], value['spec']], [{ name: 'n' }, {}]);
  });

  it('keeps empty values that differ from absent ones', () => {
    const spec = { holderIdentity: '', leaseTransitions: 0 };
    const result = decode(lease, { spec });
    assert.ok(result.kind === 'decoded');
    assert.deepEqual(result.value['spec'], spec);
  });

  it('drops fields of disabled features without reporting them', () => {
    const result = decode(lease, { spec: { holderIdentity: 'a', strategy: 'b' } });
    assert.ok(result.kind === 'decoded');
    assert.deepEqual([result.value['spec'], result.unknown], [{ holderIdentity: 'a' }, []]);
  });

  it('replaces null in a map by the empty value, and keeps the other entries', () => {
    const { value } = decoded({ metadata: { labels: { b: 'c', a: null, d: 'e' } } });
    assert.equal(JSON.stringify(value['metadata']), '{"labels":{"b":"c","a":"","d":"e"}}');
  });

  it('returns the same parts that it decoded before', () => {
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
