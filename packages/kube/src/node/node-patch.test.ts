import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { addressPatch } from './address-patch.ts';
import { operationsOf, patched } from '../patch/json-patch.fixture.ts';
import { nodePatch, type SeenNode } from './node-patch.ts';
import { assertHits } from '../../../../test/support/hits.ts';

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';

const addresses = [
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'InternalIP', address: 'fd00::1' },
];

const aNode = (over: Partial<SeenNode> = {}): SeenNode => ({
  name: 'node-0',
  uid: 'uid-0',
  providerID: '',
  labels: { 'kubernetes.io/hostname': 'node-0' },
  taints: [],
  ...over,
});

const taint = (key: string, effect = 'NoSchedule') => ({ key, effect });

describe('the patch of addresses', () => {
  it('replaces the whole list, guarded by the UID and the last observed list', () => {
    const cloud = addresses.map((address) => ({ ...address, ip: { family: 4 } }));
    const seen = cloud.slice(0, 1);
    const patch = addressPatch({ name: 'node-0', uid: 'uid-0', seen, addresses: cloud });
    const resource = { group: '', version: 'v1', resource: 'nodes', name: 'node-0' };
    assert.deepEqual(patch.resource, { ...resource, subresource: 'status' });
    assert.deepEqual(operationsOf(patch), [
      { op: 'test', path: '/metadata/uid', value: 'uid-0' },
      { op: 'test', path: '/status/addresses', value: addresses.slice(0, 1) },
      { op: 'add', path: '/status/addresses', value: addresses },
    ]);
  });

  it('does not guard the list if the node has no addresses', () => {
    const patch = addressPatch({ name: 'node-0', uid: 'uid-0', seen: [], addresses });
    assert.deepEqual(
      operationsOf(patch).map(({ op, path }) => `${op} ${path}`),
      ['test /metadata/uid', 'add /status/addresses'],
    );
  });

  it('counts as written if the same node has the same list in the same order', () => {
    const { isWritten } = addressPatch({ name: 'node-0', uid: 'uid-0', seen: [], addresses });
    const live = (uid: string, list?: unknown) => ({
      metadata: { uid },
      status: { addresses: list },
    });
    assert.equal(isWritten(live('uid-0', addresses)), true);
    assert.equal(isWritten(live('uid-1', addresses)), false);
    assert.equal(isWritten(live('uid-0', addresses.toReversed())), false);
    for (const odd of [live('uid-0'), undefined, null, 'text', []]) {
      assert.equal(isWritten(odd), false);
    }
  });
});

describe('the patch that initialises a node', () => {
  it('tests its preconditions, removes taints from the end of the list and adds missing values', () => {
    const patch = nodePatch({
      node: aNode({
        taints: [taint(uninitialized), taint('other'), taint(uninitialized, 'NoExecute')],
      }),
      addresses,
      providerID: 'static:///node-0',
      labels: { 'topology.kubernetes.io/zone': 'a', 'kubernetes.io/hostname': 'node-0' },
      taintsToRemove: [uninitialized],
    });
    assert.deepEqual(operationsOf(patch), [
      { op: 'test', path: '/metadata/uid', value: 'uid-0' },
      { op: 'test', path: '/status/addresses', value: addresses },
      { op: 'test', path: '/spec/providerID', value: null },
      { op: 'test', path: '/spec/taints/2/key', value: uninitialized },
      { op: 'remove', path: '/spec/taints/2' },
      { op: 'test', path: '/spec/taints/0/key', value: uninitialized },
      { op: 'remove', path: '/spec/taints/0' },
      { op: 'add', path: '/spec/providerID', value: 'static:///node-0' },
      { op: 'add', path: '/metadata/labels/topology.kubernetes.io~1zone', value: 'a' },
    ]);
  });

  it('adds the whole map of labels, guarded by its absence, if the node has no labels', () => {
    const patch = nodePatch({ node: aNode({ labels: {} }), labels: { 'a/b': '1', c: '2' } });
    assert.deepEqual(operationsOf(patch), [
      { op: 'test', path: '/metadata/uid', value: 'uid-0' },
      { op: 'test', path: '/metadata/labels', value: null },
      { op: 'add', path: '/metadata/labels', value: { 'a/b': '1', c: '2' } },
    ]);
  });

  it('is guarded by the existing providerID of the node, and never changes it', () => {
    const node = aNode({ providerID: 'static:///node-0', taints: [taint(uninitialized)] });
    const patch = nodePatch({
      node,
      providerID: 'static:///node-0',
      taintsToRemove: [uninitialized],
    });
    assert.deepEqual(operationsOf(patch).slice(1, 2), [
      { op: 'test', path: '/spec/providerID', value: 'static:///node-0' },
    ]);
    assert.ok(operationsOf(patch).every(({ op }) => op !== 'add'));
    assert.throws(() => nodePatch({ node, providerID: 'static:///another' }), /never happen/);
  });

  it('is undefined if nothing has to change', () => {
    const node = aNode({ providerID: 'p', taints: [taint('t')], labels: { a: '1' } });
    const wanted = { providerID: 'p', labels: { a: '1' }, taintsToRemove: ['x'] };
    assert.equal(nodePatch({ node, ...wanted, taintsToAdd: [taint('t')] }), undefined);
    assert.equal(nodePatch({ node }), undefined);
  });

  it('adds a taint to the list, or adds a list if the node has no taints', () => {
    const shutdown = taint('node.cloudprovider.kubernetes.io/shutdown');
    const added = (taints: SeenNode['taints']) =>
      operationsOf(nodePatch({ node: aNode({ taints }), taintsToAdd: [shutdown] })).slice(1);
    assert.deepEqual(added([taint('t')]), [{ op: 'add', path: '/spec/taints/-', value: shutdown }]);
    assert.deepEqual(added([]), [
      { op: 'test', path: '/spec/taints', value: null },
      { op: 'add', path: '/spec/taints', value: [shutdown] },
    ]);
  });
});

describe('the patch of any node', () => {
  const key = fc.constantFrom<string[]>('a', 'b/c', 'd~e', 'f~1g', uninitialized);
  const effect = fc.constantFrom('NoSchedule', 'NoExecute');
  const aTaint = fc.record({ key, effect }, { noNullPrototype: true });
  const taints = fc.uniqueArray(aTaint, {
    selector: (entry) => `${entry.key} ${entry.effect}`,
  });
  const labels = fc.dictionary(key, fc.constantFrom('', '1', '2'));
  const seen = fc.record({ providerID: fc.constantFrom('', 'p'), taints, labels }).map(aNode);
  const wanted = fc.record({ labels, taintsToRemove: fc.uniqueArray(key), taintsToAdd: taints });

  /** The node as the API server stores it: empty fields are absent. */
  const document = (node: SeenNode) => ({
    metadata: {
      uid: node.uid,
      ...(Object.keys(node.labels).length > 0 ? { labels: { ...node.labels } } : {}),
    },
    spec: {
      ...(node.providerID === '' ? {} : { providerID: node.providerID }),
      ...(node.taints.length > 0 ? { taints: [...node.taints] } : {}),
    },
    status: { addresses },
  });

  it('makes the wanted changes, leaves the rest unchanged and recognises its own result', () => {
    fc.assert(
      fc.property(seen, wanted, (node, want) => {
        const toAdd = want.taintsToAdd.filter((entry) => !want.taintsToRemove.includes(entry.key));
        const input = { ...want, taintsToAdd: toAdd, node, addresses, providerID: 'p' };
        const patch = nodePatch(input);
        const before = document(node);
        const after = patched(before, operationsOf(patch));
        assert.ok(after, 'every guard holds');
        assert.deepEqual({ ...after.metadata.labels }, { ...node.labels, ...want.labels });
        assert.equal(after.spec.providerID, 'p');
        const kept = node.taints.filter((entry) => !want.taintsToRemove.includes(entry.key));
        const isKept = (entry: SeenNode['taints'][number]): boolean =>
          kept.some((other) => other.key === entry.key && other.effect === entry.effect);
        const added = toAdd.filter((entry) => !isKept(entry));
        assert.deepEqual(after.spec.taints ?? [], [...kept, ...added]);
        assert.equal(patch?.isWritten(before) ?? false, false);
        assert.equal(patch?.isWritten(after) ?? true, true);
        assert.equal(nodePatch({ ...input, node: { ...node, ...seenIn(after) } }), undefined);
      }),
    );
  });

  it('removes only the given taints, however the list has changed in the meantime', () => {
    assertHits(10, (hit) =>
      fc.assert(
        fc.property(seen, taints, fc.boolean(), (node, others, isAppended) => {
          // Taints that were added at the end leave the guards of the patch intact.
          const isNew = (entry: SeenNode['taints'][number]): boolean =>
            node.taints.every(({ key: k }) => k !== entry.key);
          const now = isAppended ? [...node.taints, ...others.filter(isNew)] : others;
          const patch = nodePatch({ node, taintsToRemove: [uninitialized] });
          const after = patched(document({ ...node, taints: now }), operationsOf(patch));
          if (after === undefined) return;
          if (patch !== undefined) hit();
          const foreign = (list: SeenNode['taints']) =>
            list.filter(({ key: k }) => k !== uninitialized);
          assert.deepEqual(foreign(after.spec.taints ?? []), foreign(now));
        }),
      ),
    );
  });

  const seenIn = (after: ReturnType<typeof document>) => ({
    providerID: after.spec.providerID ?? '',
    labels: after.metadata.labels ?? {},
    taints: after.spec.taints ?? [],
  });
});
