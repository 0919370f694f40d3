/** Deleting: preconditions, finalizers, whole collections. */
import assert from 'node:assert/strict';
import { type Claim, leases, nodes, verdictOf } from './session.ts';

export const deleting: readonly Claim[] = [
  {
    name: 'the answer to a delete has the UID of the deleted object',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const { body } = await api.want(200, { method: 'DELETE', path });
      assert.deepEqual(
        [body.status, body.details],
        ['Success', { name: metadata.name, kind: 'nodes', uid: metadata.uid }],
      );
      assert.deepEqual(verdictOf(await api.ask({ path })), [404, 'NotFound']);
      assert.deepEqual(verdictOf(await api.ask({ method: 'DELETE', path })), [404, 'NotFound']);
    },
  },
  {
    name: 'a delete with another UID or version is refused with 409, and with the right ones done',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const remove = (preconditions: object) =>
        api.ask({ method: 'DELETE', path, body: { preconditions } });
      assert.deepEqual(verdictOf(await remove({ uid: 'another' })), [409, 'Conflict']);
      assert.deepEqual(verdictOf(await remove({ resourceVersion: '1' })), [409, 'Conflict']);
      const { uid, resourceVersion } = metadata;
      assert.equal((await remove({ uid, resourceVersion })).status, 200);
    },
  },
  {
    name: 'a dry run deletes nothing, by query or by body',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      await api.want(200, { method: 'DELETE', path: `${path}?dryRun=All` });
      await api.want(200, { method: 'DELETE', path, body: { dryRun: ['All'] } });
      await api.want(200, { path });
    },
  },
  {
    name: 'an object with finalizers is marked, and removed with the last of them',
    async run(api) {
      const { metadata } = await api.aNode({ metadata: { finalizers: ['a.io/b'] } });
      const path = `${nodes}/${metadata.name}`;
      const { body } = await api.want(200, { method: 'DELETE', path });
      assert.match(body.metadata.deletionTimestamp, /Z$/);
      assert.equal(body.metadata.deletionGracePeriodSeconds, 0);
      const more = await api.patch(path, { metadata: { finalizers: ['a.io/b', 'c.io/d'] } });
      assert.equal(more.body.details.causes[0].field, 'metadata.finalizers');
      assert.equal((await api.patch(path, { metadata: { finalizers: null } })).status, 200);
      await api.want(404, { path });
    },
  },
  {
    name: 'a new object of the same name is another object',
    async run(api) {
      const first = await api.aNode();
      const { name, uid } = first.metadata;
      await api.want(200, { method: 'DELETE', path: `${nodes}/${name}` });
      const second = await api.aNode({ name });
      assert.notEqual(second.metadata.uid, uid);
      const body = { preconditions: { uid } };
      await api.want(409, { method: 'DELETE', path: `${nodes}/${name}`, body });
    },
  },
  {
    name: 'a collection is deleted by selector, and the rest stays',
    async run(api) {
      const kept = await api.aNode({ metadata: { labels: { doomed: 'no' } } });
      const label = api.name();
      const doomed = await api.aNode({ metadata: { labels: { doomed: label } } });
      const path = `${nodes}?labelSelector=doomed%3D${label}`;
      const { body } = await api.want(200, { method: 'DELETE', path });
      assert.deepEqual(
        body.items.map((node: typeof kept) => node.metadata.name),
        [doomed.metadata.name],
      );
      await api.want(404, { path: `${nodes}/${doomed.metadata.name}` });
      await api.want(200, { path: `${nodes}/${kept.metadata.name}` });
    },
  },
  {
    name: 'malformed options of a delete are refused, and nothing is deleted',
    async run(api) {
      const name = api.name();
      await api.want(201, { method: 'POST', path: leases, body: { metadata: { name } } });
      const path = `${leases}/${name}`;
      await api.want(400, { method: 'DELETE', path, text: '{"preconditions":' });
      const policy = { propagationPolicy: 'Maybe' };
      const odd = await api.ask({ method: 'DELETE', path, body: policy });
      assert.deepEqual(verdictOf(odd), [
        422,
        'Invalid',
        'propagationPolicy FieldValueNotSupported',
      ]);
      await api.want(400, { method: 'DELETE', path: `${path}?gracePeriodSeconds=x` });
      await api.want(200, { path });
    },
  },
  {
    name: 'options of a delete that cannot be read exactly delete nothing',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const cases: readonly (readonly [options: object, status: number])[] = [
        [{ dryRun: 'All' }, 400],
        [{ dryRun: ['Some'] }, 422],
        [{ preconditions: 'x' }, 400],
        [{ preconditions: { uid: 5 } }, 400],
        [{ preconditions: { resourceVersion: 7 } }, 400],
        [{ preconditions: { uid: '' } }, 409],
        [{ preconditions: { resourceVersion: '' } }, 409],
        [{ propagationPolicy: 5 }, 400],
        [{ propagationPolicy: '' }, 422],
        [{ propagationPolicy: 'Foreground', orphanDependents: true }, 422],
        [{ orphanDependents: 'x' }, 400],
        [{ gracePeriodSeconds: 'a' }, 400],
        [{ gracePeriodSeconds: 1.5 }, 400],
        [{ kind: 'Node', apiVersion: 'v1' }, 400],
        [[], 400],
      ];
      for (const [options, status] of cases) {
        const answer = await api.ask({ method: 'DELETE', path, body: options });
        assert.equal(answer.status, status, `${JSON.stringify(options)} ${answer.text}`);
        await api.want(200, { path });
      }
      for (const query of ['propagationPolicy=', 'dryRun=Some']) {
        await api.want(422, { method: 'DELETE', path: `${path}?${query}` });
      }
      const contentType = 'text/plain';
      await api.want(415, { method: 'DELETE', path, body: {}, contentType });
      const all = `${nodes}?labelSelector=no%3Dsuch`;
      await api.want(400, { method: 'DELETE', path: all, body: { dryRun: 'All' } });
      await api.want(415, { method: 'DELETE', path: all, body: {}, contentType });
      await api.want(400, { method: 'DELETE', path: `${path}-x`, body: { dryRun: 'All' } });
      await api.want(200, { path });
    },
  },
  {
    name: 'the body of a delete replaces its query, and null counts as no options',
    async run(api) {
      for (const [query, text] of [
        ['?propagationPolicy=Bad&gracePeriodSeconds=x', '{}'],
        ['', 'null'],
        ['', '{"preconditions":null,"orphanDependents":false,"unknown":1}'],
      ] as const) {
        const { metadata } = await api.aNode();
        const path = `${nodes}/${metadata.name}`;
        await api.want(200, { method: 'DELETE', path: `${path}${query}`, text });
        await api.want(404, { path });
      }
    },
  },
];
