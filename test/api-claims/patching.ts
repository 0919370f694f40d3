/** Patches: the three kinds, their guards, and what changes nothing. */
import assert from 'node:assert/strict';
import { type Claim, jsonPatch, mergePatch, nodes, strategicMerge, verdictOf } from './session.ts';

const ip = (address: string) => ({ type: 'InternalIP', address });

export const patching: readonly Claim[] = [
  {
    name: 'a JSON patch is applied whole, or not at all when a test fails: 422 without causes',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const failed = await api.patch(
        path,
        [
          { op: 'add', path: '/spec/providerID', value: 'x://1' },
          { op: 'test', path: '/metadata/uid', value: 'another' },
        ],
        jsonPatch,
      );
      assert.deepEqual(
        [failed.status, failed.body.reason, failed.body.details],
        [422, 'Invalid', {}],
      );
      assert.equal((await api.want(200, { path })).body.spec.providerID, undefined);
      const applied = await api.patch(
        path,
        [
          { op: 'test', path: '/metadata/uid', value: metadata.uid },
          { op: 'test', path: '/spec/providerID', value: null },
          { op: 'test', path: '/metadata/labels', value: null },
          { op: 'add', path: '/metadata/labels', value: { 'a.io/b': 'c' } },
          { op: 'add', path: '/metadata/labels/d.io~1e', value: 'f' },
        ],
        jsonPatch,
      );
      assert.deepEqual(applied.body.metadata.labels, { 'a.io/b': 'c', 'd.io/e': 'f' });
    },
  },
  {
    name: 'a missing path fails a JSON patch in the same way',
    async run(api) {
      const { metadata } = await api.aNode({ metadata: { labels: { z: 'z' } } });
      for (const operation of [
        { op: 'add', path: '/metadata/annotations/a', value: 'b' },
        { op: 'test', path: '/metadata/annotations/a', value: null },
        { op: 'remove', path: '/metadata/labels/a' },
        { op: 'remove', path: '/spec/taints/7' },
        { op: 'add', path: '/spec/taints/7', value: {} },
        { op: 'replace', path: '/metadata/none/b', value: 1 },
        { op: 'frob', path: '/spec' },
      ]) {
        const answer = await api.patch(`${nodes}/${metadata.name}`, [operation], jsonPatch);
        assert.deepEqual(
          [answer.status, answer.body.reason, answer.body.details],
          [422, 'Invalid', {}],
          JSON.stringify(operation),
        );
      }
    },
  },
  {
    name: 'a taint is removed by its index, guarded by its key; the last one takes the list with it',
    async run(api) {
      const { metadata } = await api.aNode();
      const remove = [
        { op: 'test', path: '/spec/taints/0/key', value: 'node.kubernetes.io/not-ready' },
        { op: 'remove', path: '/spec/taints/0' },
      ];
      const path = `${nodes}/${metadata.name}`;
      const answer = await api.patch(path, remove, jsonPatch);
      assert.deepEqual([answer.status, answer.body.spec], [200, {}]);
      assert.equal((await api.patch(path, remove, jsonPatch)).status, 422);
    },
  },
  {
    name: 'copy and move work in a JSON patch, and a replace may name a key that is not there',
    async run(api) {
      const { metadata } = await api.aNode({ metadata: { labels: { a: '1' } } });
      const answer = await api.patch(
        `${nodes}/${metadata.name}`,
        [
          { op: 'copy', from: '/metadata/labels/a', path: '/metadata/labels/b' },
          { op: 'move', from: '/metadata/labels/a', path: '/metadata/labels/c' },
          { op: 'replace', path: '/metadata/labels/d', value: '2' },
        ],
        jsonPatch,
      );
      assert.deepEqual(answer.body.metadata.labels, { b: '1', c: '1', d: '2' });
    },
  },
  {
    name: 'a merge patch sets, and removes with null',
    async run(api) {
      const { metadata } = await api.aNode({ metadata: { labels: { a: '1', b: '2' } } });
      const patch = { metadata: { labels: { a: null, c: '3' } } };
      const { body } = await api.patch(`${nodes}/${metadata.name}`, patch);
      assert.deepEqual(body.metadata.labels, { b: '2', c: '3' });
      const none = { metadata: { labels: { b: null, c: null } } };
      const bare = await api.patch(`${nodes}/${metadata.name}`, none);
      assert.equal(bare.body.metadata.labels, undefined);
    },
  },
  {
    name: 'a strategic merge replaces taints whole and merges conditions by type',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const taints = [{ key: 'only', effect: 'NoExecute' }];
      const tainted = await api.patch(path, { spec: { taints } }, strategicMerge);
      assert.deepEqual(tainted.body.spec.taints, taints);
      const condition = (type: string, status: string) => ({ type, status });
      const report = (...conditions: object[]) =>
        api.patch(`${path}/status`, { status: { conditions } }, strategicMerge);
      await report(condition('Ready', 'False'), condition('DiskPressure', 'False'));
      const { body } = await report({ ...condition('Ready', 'True'), reason: 'KubeletReady' });
      assert.deepEqual(
        body.status.conditions.map((c: { type: string; status: string }) => [c.type, c.status]),
        [
          ['Ready', 'True'],
          ['DiskPressure', 'False'],
        ],
      );
      assert.equal(body.status.conditions[0].lastHeartbeatTime, null);
    },
  },
  {
    name: 'a strategic merge deletes an item and puts items in order',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}/status`;
      const report = (status: object) => api.patch(path, { status }, strategicMerge);
      await report({ conditions: [{ type: 'B', status: 'True' }] });
      const { body: ordered } = await report({
        '$setElementOrder/conditions': [{ type: 'A' }, { type: 'B' }],
        conditions: [{ type: 'A', status: 'True' }],
      });
      const typesOf = (node: { status: { conditions: { type: string }[] } }) =>
        node.status.conditions.map(({ type }) => type);
      assert.deepEqual(typesOf(ordered), ['A', 'B']);
      const { body: shorter } = await report({ conditions: [{ type: 'A', $patch: 'delete' }] });
      assert.deepEqual(typesOf(shorter), ['B']);
      const all = ['X', 'A', 'Y'].map((type) => ({ type, status: 'True' }));
      await report({ conditions: all });
      const { body: mixed } = await report({
        '$setElementOrder/conditions': [{ type: 'Y' }, { type: 'B' }],
        conditions: [{ type: 'Y', status: 'False' }],
      });
      assert.deepEqual(typesOf(mixed), ['X', 'A', 'Y', 'B']);
    },
  },
  {
    name: 'a strategic merge corrupts two InternalIPs, whose merge key is their type',
    async run(api) {
      const addresses = [ip('10.0.0.1'), ip('fd00::1')];
      const { metadata } = await api.aNode({ status: { addresses } });
      const path = `${nodes}/${metadata.name}/status`;
      const patch = { status: { addresses: [ip('10.0.0.9'), ip('fd00::9')] } };
      const { body } = await api.patch(path, patch, strategicMerge);
      assert.deepEqual(body.status.addresses, [ip('fd00::9'), ip('fd00::1')]);
    },
  },
  {
    name: 'a strategic merge removes an annotation with null, and one that is not there as well',
    async run(api) {
      const { metadata } = await api.aNode({ metadata: { annotations: { a: 'b', c: 'd' } } });
      const path = `${nodes}/${metadata.name}/status`;
      const patch = { metadata: { annotations: { a: null, e: null } } };
      const { body } = await api.patch(path, patch, strategicMerge);
      assert.deepEqual(body.metadata.annotations, { c: 'd' });
    },
  },
  {
    name: 'a patch that changes nothing makes no new version',
    async run(api) {
      const { metadata } = await api.aNode({ metadata: { labels: { a: 'b' } } });
      for (const [patch, type] of [
        [{ metadata: { labels: { a: 'b' } } }, mergePatch],
        [{ spec: { nonsense: 1 } }, mergePatch],
        [{}, strategicMerge],
        [[{ op: 'add', path: '/metadata/labels/a', value: 'b' }], jsonPatch],
      ] as const) {
        const { body } = await api.patch(`${nodes}/${metadata.name}`, patch, type);
        assert.equal(body.metadata.resourceVersion, metadata.resourceVersion);
      }
    },
  },
  {
    name: 'a patch with an older resourceVersion is refused with 409',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      await api.patch(path, { metadata: { labels: { a: 'b' } } });
      const { resourceVersion } = metadata;
      const patch = { metadata: { resourceVersion, labels: { a: 'c' } } };
      assert.deepEqual(verdictOf(await api.patch(path, patch)), [409, 'Conflict']);
    },
  },
  {
    name: 'a patch cannot change the UID, nor the name',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const uid = await api.patch(path, { metadata: { uid: 'other' } });
      assert.deepEqual([uid.status, uid.body.details.causes[0].field], [422, 'metadata.uid']);
      assert.equal((await api.patch(path, { metadata: { name: 'other' } })).status, 400);
    },
  },
  {
    name: 'a patch with an invalid result is refused with 422',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      for (const patch of [{ spec: { unschedulable: 'yes' } }, { kind: 'Pod' }]) {
        const answer = await api.patch(path, patch);
        assert.deepEqual(verdictOf(answer), [422, 'Invalid', 'patch FieldValueInvalid']);
      }
      const strict = await api.patch(`${path}?fieldValidation=Strict`, { spec: { no: 1 } });
      assert.deepEqual(verdictOf(strict), [422, 'Invalid', 'patch FieldValueInvalid']);
    },
  },
  {
    name: 'a malformed patch is refused with 400, and one of an unknown kind with 415',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      for (const [text, contentType] of [
        ['[', jsonPatch],
        ['{"a":1}', jsonPatch],
        ['{', mergePatch],
        ['[]', mergePatch],
        ['[]', strategicMerge],
      ] as const) {
        await api.want(400, { method: 'PATCH', path, text, contentType });
      }
      await api.want(415, { method: 'PATCH', path, body: {}, contentType: 'application/json' });
    },
  },
  {
    name: 'a patch of a missing object is refused with 404',
    async run(api) {
      const answer = await api.patch(`${nodes}/${api.name()}`, {});
      assert.deepEqual(verdictOf(answer), [404, 'NotFound']);
    },
  },
];
