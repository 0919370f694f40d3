/** Events, of which there are two views. */
import assert from 'node:assert/strict';
import { type Claim, coreEvents, events, type Session, verdictOf } from './session.ts';

const eventTime = '2026-01-01T00:00:00.000000Z';

const anEvent = (name: string, over: object = {}) => ({
  metadata: { name },
  eventTime,
  reportingController: 'tandem.dev/claims',
  reportingInstance: 'claims-1',
  action: 'Claim',
  reason: 'Claimed',
  type: 'Warning',
  note: 'so it is',
  regarding: { apiVersion: 'v1', kind: 'Node', name, uid: `uid-${name}` },
  ...over,
});

async function created(api: Session) {
  const name = api.name();
  const { body } = await api.want(201, { method: 'POST', path: events, body: anEvent(name) });
  return { name, event: body };
}

const list = async (api: Session, path: string, selector: string): Promise<string[]> => {
  const query = `fieldSelector=${encodeURIComponent(selector)}`;
  const { body } = await api.want(200, { path: `${path}?${query}` });
  return body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
};

export const reportingEvents: readonly Claim[] = [
  {
    name: 'an event of events.k8s.io is also one of core, with other field names',
    async run(api) {
      const { name, event } = await created(api);
      const { body } = await api.want(200, { path: `${coreEvents}/${name}` });
      assert.deepEqual(
        [body.apiVersion, body.message, body.involvedObject, body.reportingComponent],
        ['v1', 'so it is', event.regarding, 'tandem.dev/claims'],
      );
      assert.deepEqual(
        [body.source, body.firstTimestamp, body.lastTimestamp, body.eventTime],
        [{}, null, null, eventTime],
      );
      assert.equal(body.metadata.resourceVersion, event.metadata.resourceVersion);
    },
  },
  {
    name: 'an event of core is also one of events.k8s.io',
    async run(api) {
      const name = api.name();
      const body = {
        metadata: { name },
        involvedObject: { kind: 'Node', name, uid: 'u' },
        reason: 'Old',
        message: 'said before',
        type: 'Normal',
        count: 3,
        lastTimestamp: '2026-01-01T00:00:00Z',
        source: { component: 'kubelet' },
      };
      await api.want(201, { method: 'POST', path: coreEvents, body });
      const { body: shown } = await api.want(200, { path: `${events}/${name}` });
      assert.deepEqual(
        [shown.note, shown.deprecatedCount, shown.deprecatedSource, shown.eventTime],
        ['said before', 3, { component: 'kubelet' }, null],
      );
      assert.equal(shown.regarding.name, name);
    },
  },
  {
    name: 'describe finds the events of a node by its UID, without a namespace',
    async run(api) {
      const { name } = await created(api);
      const about = `involvedObject.name=${name},involvedObject.namespace=,involvedObject.kind=Node`;
      assert.deepEqual(
        await list(api, '/api/v1/events', `${about},involvedObject.uid=uid-${name}`),
        [name],
      );
      assert.deepEqual(
        await list(api, '/api/v1/events', `${about},involvedObject.uid=${name}`),
        [],
      );
      assert.deepEqual(await list(api, events, `regarding.name=${name},regarding.kind=Node`), [
        name,
      ]);
    },
  },
  {
    name: 'events are selected by type, reason and reporter, each view by its own names',
    async run(api) {
      const { name } = await created(api);
      const mine = `metadata.name=${name}`;
      assert.deepEqual(await list(api, coreEvents, `${mine},type=Warning,reason=Claimed`), [name]);
      assert.deepEqual(await list(api, coreEvents, `${mine},type=Normal`), []);
      assert.deepEqual(
        await list(api, coreEvents, `${mine},reportingComponent=tandem.dev/claims`),
        [name],
      );
      for (const path of [
        `${coreEvents}?fieldSelector=regarding.name%3Dx`,
        `${events}?fieldSelector=involvedObject.name%3Dx`,
      ]) {
        assert.deepEqual(verdictOf(await api.ask({ path })), [400, 'BadRequest']);
      }
    },
  },
  {
    name: 'an event must be complete',
    async run(api) {
      const refuse = async (over: object): Promise<unknown[]> => {
        const body = anEvent(api.name(), over);
        return verdictOf(await api.ask({ method: 'POST', path: events, body }));
      };
      const wanted = (...causes: string[]) => [422, 'Invalid', ...causes];
      assert.deepEqual(await refuse({ eventTime: null }), wanted('eventTime FieldValueRequired'));
      assert.deepEqual(await refuse({ type: 'Odd' }), wanted('type FieldValueInvalid'));
      assert.deepEqual(await refuse({ action: '' }), wanted('action FieldValueRequired'));
      assert.deepEqual(await refuse({ reason: '' }), wanted('reason FieldValueRequired'));
      assert.deepEqual(
        await refuse({ reportingInstance: 'x'.repeat(129) }),
        wanted('reportingInstance FieldValueInvalid'),
      );
      assert.deepEqual(
        await refuse({ note: 'x'.repeat(1025) }),
        wanted('message FieldValueInvalid'),
      );
      assert.deepEqual(
        await refuse({ reportingController: 'c c' }),
        wanted('reportingController FieldValueInvalid'),
      );
    },
  },
  {
    name: 'times of an event have exactly six digits of a second',
    async run(api) {
      const body = anEvent(api.name(), { eventTime: '2026-01-01T00:00:00.123Z' });
      const answer = await api.ask({ method: 'POST', path: events, body });
      assert.deepEqual(verdictOf(answer), [400, 'BadRequest']);
    },
  },
  {
    name: 'only the series of an event may change, and its count starts at two',
    async run(api) {
      const { name } = await created(api);
      const path = `${events}/${name}`;
      const lastObservedTime = '2026-01-01T00:00:01.000000Z';
      const once = await api.patch(path, { series: { count: 1, lastObservedTime } });
      assert.deepEqual(verdictOf(once), [422, 'Invalid', 'series.count FieldValueInvalid']);
      const twice = await api.patch(path, { series: { count: 2, lastObservedTime } });
      assert.deepEqual([twice.status, twice.body.series], [200, { count: 2, lastObservedTime }]);
      const note = await api.patch(path, { note: 'another' });
      assert.deepEqual(verdictOf(note), [422, 'Invalid', 'message FieldValueInvalid']);
    },
  },
  {
    name: 'an event of core has old and new fields, and all of them may change',
    async run(api) {
      const name = api.name();
      const { regarding, note, reportingController, ...fields } = anEvent(name);
      const seen = (second: number, count: number) => ({
        lastTimestamp: `2026-01-01T00:00:0${second}Z`,
        count,
      });
      const body = {
        ...fields,
        ...seen(0, 1),
        involvedObject: regarding,
        message: note,
        reportingComponent: reportingController,
        firstTimestamp: '2026-01-01T00:00:00Z',
      };
      const { status } = await api.ask({ method: 'POST', path: coreEvents, body });
      assert.equal(status, 201);
      const series = { count: 2, lastObservedTime: '2026-01-01T00:00:05.000000Z' };
      const patched = await api.patch(`${coreEvents}/${name}`, { series, ...seen(5, 2) });
      assert.equal(patched.status, 200);
      const { body: shown } = await api.want(200, { path: `${events}/${name}` });
      assert.deepEqual(
        [shown.eventTime, shown.series, shown.deprecatedLastTimestamp, shown.deprecatedCount],
        [eventTime, series, seen(5, 2).lastTimestamp, 2],
      );
      // Continued in the other group, it keeps the old fields.
      const next = { count: 3, lastObservedTime: '2026-01-01T00:00:06.000000Z' };
      assert.equal((await api.patch(`${events}/${name}`, { series: next })).status, 200);
      const moved = await api.patch(`${events}/${name}`, {
        deprecatedLastTimestamp: seen(6, 3).lastTimestamp,
      });
      assert.deepEqual(verdictOf(moved), [422, 'Invalid', 'lastTimestamp FieldValueInvalid']);
    },
  },
  {
    name: 'an event of core about no object is accepted, and one about another namespace refused',
    async run(api) {
      const post = (involvedObject: object) =>
        api.ask({
          method: 'POST',
          path: coreEvents,
          body: { metadata: { name: api.name() }, involvedObject },
        });
      assert.equal((await post({})).status, 201);
      const astray = verdictOf(await post({ namespace: 'elsewhere' }));
      assert.deepEqual(astray, [422, 'Invalid', 'involvedObject.namespace FieldValueInvalid']);
    },
  },
];
