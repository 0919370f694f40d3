/** Bodies as texts: how deep they may be nested, and nothing at all. */
import assert from 'node:assert/strict';
import {
  type Claim,
  configMaps,
  jsonPatch,
  leases,
  mergePatch,
  nodes,
  strategicMerge,
  verdictOf,
} from './session.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

export const readingBodies: readonly Claim[] = [
  {
    name: 'a body that is nested more than 10,000 levels deep is refused with 400',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const value = nested(10_000);
      const name = JSON.stringify(metadata.name);
      const asked = [
        { method: 'POST', path: nodes, text: `{"metadata":{"name":${name}},"x":${value}}` },
        { method: 'PUT', path, text: `{"metadata":{"name":${name}},"x":${value}}` },
        { method: 'PATCH', path, text: `{"x":${value}}`, contentType: mergePatch },
        { method: 'PATCH', path, text: `{"x":${value}}`, contentType: strategicMerge },
        {
          method: 'PATCH',
          path,
          text: `[{"op":"add","path":"/x","value":${value}}]`,
          contentType: jsonPatch,
        },
        { method: 'DELETE', path, text: `{"x":${value}}` },
      ] as const;
      for (const question of asked) {
        assert.deepEqual(verdictOf(await api.ask(question)), [400, 'BadRequest']);
      }
      await api.want(200, { path });
    },
  },
  {
    name: 'a body that is nested 300 levels deep is read, and brackets in texts do not count',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const deep = `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`;
      for (const contentType of [mergePatch, strategicMerge]) {
        const annotated = `{"metadata":{"annotations":${deep}}}`;
        await api.want(422, { method: 'PATCH', path, text: annotated, contentType });
        await api.want(200, { method: 'PATCH', path, text: `{"x":${deep}}`, contentType });
        const annotations = { a: '[{"\\'.repeat(6_000) };
        assert.equal(
          (await api.patch(path, { metadata: { annotations } }, contentType)).status,
          200,
        );
      }
    },
  },
  {
    name: 'null is an empty object, and a patch that changes nothing',
    async run(api) {
      for (const path of [nodes, leases, configMaps]) {
        const answer = await api.ask({ method: 'POST', path, text: 'null' });
        assert.deepEqual(verdictOf(answer), [422, 'Invalid', 'metadata.name FieldValueRequired']);
      }
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const put = await api.ask({ method: 'PUT', path, text: 'null' });
      assert.match(put.body.message, /name must be provided$/);
      for (const [contentType, status] of [
        [mergePatch, 400],
        [strategicMerge, 200],
        [jsonPatch, 200],
      ] as const) {
        await api.want(status, { method: 'PATCH', path, text: 'null', contentType });
      }
    },
  },
  {
    name: 'a patch that leaves no name or no version of the API is refused with 400',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const emptying = [
        [[{ op: 'replace', path: '', value: {} }], jsonPatch],
        [[{ op: 'remove', path: '/metadata' }], jsonPatch],
        [{ $patch: 'delete' }, strategicMerge],
        [{ $patch: 'replace' }, strategicMerge],
        [{ metadata: null }, mergePatch],
        [{ apiVersion: null }, mergePatch],
      ] as const;
      for (const [patch, contentType] of emptying) {
        const answer = await api.patch(path, patch, contentType);
        assert.deepEqual(verdictOf(answer), [400, 'BadRequest'], JSON.stringify(patch));
      }
      assert.equal((await api.patch(path, { kind: null })).status, 200);
      assert.equal((await api.patch(path, { kind: 'Pod' })).status, 422);
    },
  },
];
