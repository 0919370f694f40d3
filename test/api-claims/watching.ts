/** Watches and streaming lists. */
import assert from 'node:assert/strict';
import { brief, type OpenWatch } from './open-watch.ts';
import { type Claim, nodes, type Session, verdictOf } from './session.ts';

const streaming =
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** A watch of one node that is yet to come, or of those with a label. */
const watchOf = (api: Session, query: string, accept?: string): Promise<OpenWatch> =>
  api.watch(`${nodes}?watch=1&${query}`, accept);

const named = (name: string): string => `fieldSelector=metadata.name%3D${name}`;

export const watching: readonly Claim[] = [
  {
    name: 'a watch from a version reports all later changes, in order, with rising versions',
    async run(api) {
      const version = await api.version();
      const name = api.name();
      await api.aNode({ name });
      await api.patch(`${nodes}/${name}`, { spec: { unschedulable: true } });
      await api.want(200, { method: 'DELETE', path: `${nodes}/${name}` });
      const watch = await watchOf(api, `${named(name)}&resourceVersion=${version}`);
      const seen = await watch.take(3);
      watch.close();
      assert.deepEqual(seen.map(brief), [`ADDED ${name}`, `MODIFIED ${name}`, `DELETED ${name}`]);
      const versions = seen.map(({ object }) => +object.metadata.resourceVersion);
      assert.deepEqual(
        versions,
        versions.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(versions).size, 3);
      assert.deepEqual([seen[0]?.object.kind, seen[0]?.object.apiVersion], ['Node', 'v1']);
      assert.equal(seen[2]?.object.spec.unschedulable, true);
    },
  },
  {
    name: 'a watch without a version begins with the existing objects',
    async run(api) {
      const { metadata } = await api.aNode();
      await api.elapse(200);
      for (const version of ['', '&resourceVersion=0']) {
        const watch = await watchOf(api, `${named(metadata.name)}${version}`);
        assert.deepEqual((await watch.take(1)).map(brief), [`ADDED ${metadata.name}`]);
        watch.close();
      }
    },
  },
  {
    name: 'a streaming list sends the existing objects, a bookmark at their end, and then changes',
    async run(api) {
      const { metadata } = await api.aNode();
      const { name } = metadata;
      const watch = await watchOf(api, `${named(name)}&${streaming}`);
      const [added, end] = await watch.take(2);
      assert.ok(added && end);
      assert.deepEqual([brief(added), brief(end)], [`ADDED ${name}`, 'BOOKMARK']);
      assert.equal(end.object.metadata.annotations['k8s.io/initial-events-end'], 'true');
      assert.ok(+end.object.metadata.resourceVersion >= +metadata.resourceVersion);
      await api.patch(`${nodes}/${name}`, { spec: { unschedulable: true } });
      assert.deepEqual((await watch.take(1)).map(brief), [`MODIFIED ${name}`]);
      watch.close();
    },
  },
  {
    name: 'an empty streaming list is a bookmark',
    async run(api) {
      const watch = await watchOf(api, `${named(api.name())}&${streaming}`);
      const [end] = await watch.take(1);
      assert.equal(end?.object.metadata.annotations['k8s.io/initial-events-end'], 'true');
      watch.close();
    },
  },
  {
    name: 'an object that begins to match is added, and one that ceases to is deleted',
    async run(api) {
      const label = api.name();
      const version = await api.version();
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const relabel = (value: string | null) =>
        api.patch(path, { metadata: { labels: { match: value } } });
      await relabel(label);
      await api.patch(path, { spec: { unschedulable: true } });
      const left = await relabel('other');
      const watch = await watchOf(api, `labelSelector=match%3D${label}&resourceVersion=${version}`);
      const seen = await watch.take(3);
      watch.close();
      assert.deepEqual(
        seen.map(({ type }) => type),
        ['ADDED', 'MODIFIED', 'DELETED'],
      );
      const last = seen[2]?.object.metadata;
      assert.deepEqual(
        [last.labels, last.resourceVersion],
        [{ match: label }, left.body.metadata.resourceVersion],
      );
    },
  },
  {
    name: 'a watch reports no write that changes nothing',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const watch = await watchOf(
        api,
        `${named(metadata.name)}&resourceVersion=${metadata.resourceVersion}`,
      );
      await api.patch(path, { spec: { nonsense: true } });
      await api.patch(path, { spec: { unschedulable: true } });
      const [event] = await watch.take(1);
      watch.close();
      assert.equal(event?.object.spec.unschedulable, true);
    },
  },
  {
    name: 'a watch ends by itself after its timeout, without an error',
    async run(api) {
      const watch = await watchOf(api, `${named(api.name())}&timeoutSeconds=1`);
      await api.elapse(1_500);
      assert.deepEqual(await watch.rest(), []);
    },
  },
  {
    name: 'a bookmark tells the version shortly before a watch ends',
    async run(api) {
      const name = api.name();
      const version = await api.version();
      const query = `${named(name)}&allowWatchBookmarks=true&timeoutSeconds=6&resourceVersion=${version}`;
      const watch = await watchOf(api, query);
      await api.aNode();
      await api.elapse(7_000);
      const last = (await watch.rest()).at(-1);
      assert.equal(last?.type, 'BOOKMARK');
      assert.deepEqual([last.object.kind, last.object.metadata.name], ['Node', undefined]);
      assert.ok(+last.object.metadata.resourceVersion >= +version);
    },
  },
  {
    name: 'a watch from a version of the future is answered with silence',
    async run(api) {
      const watch = await watchOf(api, 'resourceVersion=99999999&timeoutSeconds=1');
      await api.aNode();
      await api.elapse(1_500);
      assert.deepEqual([watch.status, await watch.rest()], [200, []]);
    },
  },
  {
    name: 'a streaming list from a version of the future fails in the stream after three seconds',
    async run(api) {
      const watch = await watchOf(api, `${streaming}&resourceVersion=99999999`);
      await api.elapse(4_000);
      const [event] = await watch.take(1);
      watch.close();
      assert.equal(event?.type, 'ERROR');
      assert.deepEqual(
        [event.object.code, event.object.details.causes[0].reason],
        [504, 'ResourceVersionTooLarge'],
      );
    },
  },
  {
    name: 'a watch can report metadata only',
    async run(api) {
      const { metadata } = await api.aNode();
      const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
      const watch = await watchOf(api, `${named(metadata.name)}&${streaming}`, accept);
      const [added, end] = await watch.take(2);
      watch.close();
      assert.deepEqual(
        [added?.object.kind, added?.object.apiVersion, added?.object.spec],
        ['PartialObjectMetadata', 'meta.k8s.io/v1', undefined],
      );
      assert.equal(end?.object.kind, 'PartialObjectMetadata');
    },
  },
  {
    name: 'a watch can report rows of a table, as kubectl get --watch expects',
    async run(api) {
      const { metadata } = await api.aNode();
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      const watch = await watchOf(api, named(metadata.name), accept);
      const [added] = await watch.take(1);
      watch.close();
      assert.deepEqual(
        [added?.object.kind, added?.object.rows[0].cells[0]],
        ['Table', metadata.name],
      );
    },
  },
  {
    name: 'a watch cannot continue a list',
    async run(api) {
      const answer = await api.ask({ path: `${nodes}?watch=1&timeoutSeconds=1&continue=abc` });
      assert.deepEqual(verdictOf(answer), [
        422,
        'Invalid',
        'resourceVersionMatch FieldValueForbidden',
      ]);
    },
  },
];
