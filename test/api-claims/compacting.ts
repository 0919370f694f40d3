/** Requests for versions that the server has forgotten. */
import assert from 'node:assert/strict';
import { type Claim, nodes, verdictOf } from './session.ts';

export const compacting: readonly Claim[] = [
  {
    name: 'a watch from a forgotten version fails with 410 in the stream',
    async run(api) {
      const { metadata } = await api.aNode();
      await api.patch(`${nodes}/${metadata.name}`, { spec: { unschedulable: true } });
      await api.patch(`${nodes}/${metadata.name}`, { spec: { unschedulable: false } });
      await api.compact();
      const watch = await api.watch(`${nodes}?watch=1&resourceVersion=${metadata.resourceVersion}`);
      const [event] = await watch.take(1);
      watch.close();
      assert.deepEqual(
        [event?.type, event?.object.code, event?.object.reason],
        ['ERROR', 410, 'Expired'],
      );
    },
  },
  {
    name: 'the next page of a forgotten list is refused with 410',
    async run(api) {
      await api.aNode();
      const { metadata } = await api.aNode();
      const first = (await api.want(200, { path: `${nodes}?limit=1` })).body;
      await api.patch(`${nodes}/${metadata.name}`, { spec: { unschedulable: true } });
      await api.compact();
      const path = `${nodes}?limit=1&continue=${first.metadata.continue}`;
      assert.deepEqual(verdictOf(await api.ask({ path })).slice(0, 2), [410, 'Expired']);
    },
  },
  {
    name: 'a list of a forgotten version is refused with 410',
    async run(api) {
      const { metadata } = await api.aNode();
      await api.patch(`${nodes}/${metadata.name}`, { spec: { unschedulable: true } });
      await api.compact();
      const path = `${nodes}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
      assert.deepEqual(verdictOf(await api.ask({ path })).slice(0, 2), [410, 'Expired']);
    },
  },
];
