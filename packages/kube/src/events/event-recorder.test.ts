import assert from 'node:assert/strict';
import { seededRandom } from '@tandem/runtime/testing';
import { nodeReference } from './event.ts';
import { type EventsApi, refusal, unreachable } from './events-api.fixture.ts';
import { aRecorder, anEvent } from './recorder.fixture.ts';

const seconds = (count: number): number => count * 1_000;
const minutes = (count: number): number => count * 60_000;

describe('recording an event', () => {
  it('writes it in the form that kubectl describe shows, without blocking the caller', async () => {
    const { api, clock, recorder, figures } = aRecorder();
    recorder.record(anEvent());
    assert.deepEqual(api.calls, []);
    await clock.advance(0);
    const [stored] = api.events;
    assert.match(stored?.body.metadata.name ?? '', /^node-0\.[0-9a-f]{16}$/);
    assert.equal(stored?.body.metadata.namespace, 'default');
    assert.deepEqual(
      { ...stored?.body, metadata: undefined },
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: undefined,
        eventTime: '2026-01-02T03:04:05.678000Z',
        firstTimestamp: '2026-01-02T03:04:05Z',
        lastTimestamp: '2026-01-02T03:04:05Z',
        count: 1,
        involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'node-0', uid: 'uid-0' },
        reportingComponent: 'cloud-node-controller',
        reportingInstance: 'manager-0_1234',
        action: 'Initialise',
        reason: 'Synced',
        type: 'Normal',
        message: 'Node synced successfully',
      },
    );
    assert.equal((await figures())['sent_total{operation="create"}'], 1);
  });

  it('writes it to the namespace of its object', async () => {
    const { api, clock, recorder } = aRecorder();
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', name: 'l', uid: 'u' };
    recorder.record(anEvent({ regarding: { ...lease, namespace: 'kube-system' } }));
    await clock.advance(0);
    const [stored] = api.events;
    assert.equal(stored?.namespace, 'kube-system');
    assert.equal(stored?.body.involvedObject?.namespace, 'kube-system');
  });

  it('cuts long texts between characters', async () => {
    const { api, clock, recorder } = aRecorder({ reportingInstance: 'i'.repeat(200) });
    recorder.record(anEvent({ note: `x${'€'.repeat(400)}`, reason: 'R'.repeat(129) }));
    await clock.advance(0);
    const body = api.events[0]?.body;
    assert.equal(body?.message, `x${'€'.repeat(340)}…`);
    assert.equal(Buffer.byteLength(body?.message ?? ''), 1_024);
    assert.equal(Buffer.byteLength(body?.reason ?? ''), 128);
    assert.equal(Buffer.byteLength(body?.reportingInstance ?? ''), 128);
  });
});

describe('the same event again', () => {
  it('continues the series of the first one, with the time of the last occurrence', async () => {
    const { api, clock, recorder, figures } = aRecorder();
    for (let times = 0; times < 3; times++) {
      recorder.record(anEvent());
      await clock.advance(seconds(60));
    }
    assert.deepEqual(
      api.events.map(({ series }) => series),
      [{ count: 3, lastObservedTime: '2026-01-02T03:06:05.678000Z' }],
    );
    // kubectl describe sorts by the timestamp, and tools that do not know series read both.
    assert.deepEqual(
      api.events.map(({ lastTimestamp, count }) => [lastTimestamp, count]),
      [['2026-01-02T03:06:05Z', 3]],
    );
    assert.deepEqual(api.verbs, ['create', 'patch', 'patch']);
    assert.equal((await figures())['sent_total{operation="patch"}'], 2);
  });

  it('is one write with all occurrences before the first send', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.record(anEvent());
    recorder.record(anEvent());
    await clock.advance(0);
    assert.deepEqual([api.verbs, api.events[0]?.series?.count], [['create'], 2]);
  });

  it('is not lost if it happens while the first one is being sent', async () => {
    const { api, clock, recorder } = aRecorder();
    const held = Promise.withResolvers<undefined>();
    api.fault = () => held.promise;
    recorder.record(anEvent());
    await clock.advance(0);
    recorder.record(anEvent());
    held.resolve(undefined);
    await clock.advance(0);
    assert.deepEqual([api.verbs, api.events[0]?.series?.count], [['create', 'patch'], 2]);
  });

  it('starts a new event if the first one has expired', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.record(anEvent());
    await clock.advance(minutes(30));
    recorder.record(anEvent());
    await clock.advance(0);
    api.expireAll();
    recorder.record(anEvent());
    await clock.advance(0);
    const [stored] = api.events;
    assert.deepEqual(api.verbs, ['create', 'patch', 'patch', 'create']);
    // It has its own time: microseconds distinguish events of one millisecond.
    assert.deepEqual(
      [stored?.body.eventTime, stored?.series],
      ['2026-01-02T03:34:05.678001Z', undefined],
    );
  });

  it('is a separate event if another process records it', async () => {
    const { api, clock, recorder } = aRecorder();
    for (let times = 0; times < 2; times++) {
      recorder.record(anEvent());
      await clock.advance(0);
    }
    const successor = aRecorder({ client: api, random: seededRandom('successor') });
    successor.recorder.record(anEvent());
    await successor.clock.advance(0);
    const counts = api.events.map(({ series }) => series?.count ?? 1);
    assert.deepEqual(new Set(counts), new Set([1, 2]));
  });

  it('gets another name if another process has taken the chosen one', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.record(anEvent());
    await clock.advance(0);
    // The same instant and the same seed give the same name.
    const rival = aRecorder({ client: api, reportingInstance: 'manager-1_5678' });
    rival.recorder.record(anEvent());
    await rival.clock.advance(0);
    assert.deepEqual(api.verbs, ['create', 'create', 'get', 'create']);
    assert.deepEqual(
      api.events.map(({ body, series }) => [body.reportingInstance, series]),
      [
        ['manager-0_1234', undefined],
        ['manager-1_5678', undefined],
      ],
    );
  });

  it('is another event if any field differs', async () => {
    const { api, clock, recorder } = aRecorder();
    const regarding = nodeReference({ name: 'node-0', uid: 'uid-1' });
    recorder.record(anEvent());
    recorder.record(anEvent({ regarding }));
    recorder.record(anEvent({ type: 'Warning' }));
    recorder.record(anEvent({ reason: 'Other' }));
    recorder.record(anEvent({ action: 'Refresh' }));
    recorder.record(anEvent({ note: 'Node synced' }));
    recorder.record(anEvent({ reportingController: 'node-route-controller' }));
    await clock.advance(0);
    assert.equal(api.stored.size, 7);
  });
});

describe('many events', () => {
  it('that differ only in their notes become one from the tenth on', async () => {
    const { api, clock, recorder } = aRecorder();
    for (let count = 0; count < 15; count++) recorder.record(anEvent({ note: `request ${count}` }));
    await clock.advance(0);
    assert.equal(api.stored.size, 10);
    const combined = api.events.at(-1);
    assert.equal(combined?.body.message, '(combined from similar events): request 9');
    assert.equal(combined?.series?.count, 6);
    await clock.advance(minutes(11));
    recorder.record(anEvent({ note: 'request 15' }));
    await clock.advance(0);
    assert.equal(api.stored.size, 11);
  });

  it('about one object are limited to 25 at once and one more every five minutes', async () => {
    const { api, clock, recorder, figures } = aRecorder();
    for (let count = 0; count < 40; count++) {
      recorder.record(anEvent({ action: `Action${count}` }));
    }
    await clock.advance(0);
    assert.equal(api.stored.size, 25);
    assert.equal((await figures())['dropped_total{reason="rate_limited"}'], 15);
    await clock.advance(minutes(10));
    for (let count = 0; count < 5; count++) {
      recorder.record(anEvent({ action: `Later${count}` }));
    }
    await clock.advance(0);
    assert.equal(api.stored.size, 27);
  });

  it('do not hide the first event of another reason or of another object', async () => {
    const { api, clock, recorder } = aRecorder();
    for (let count = 0; count < 40; count++) recorder.record(anEvent());
    recorder.record(anEvent({ reason: 'AddressNotFound', type: 'Warning' }));
    recorder.record(anEvent({ regarding: nodeReference({ name: 'node-1', uid: 'uid-1' }) }));
    await clock.advance(0);
    assert.equal(api.stored.size, 3);
  });

  it('of a series are counted even while they may not be sent', async () => {
    const { api, clock, recorder } = aRecorder();
    for (let count = 0; count < 40; count++) {
      recorder.record(anEvent());
      await clock.advance(1);
    }
    assert.equal(api.events[0]?.series?.count, 25);
    await clock.advance(minutes(5));
    recorder.record(anEvent());
    await clock.advance(0);
    assert.equal(api.events[0]?.series?.count, 41);
  });

  it('are dropped and counted if the queue is full', async () => {
    const { api, clock, recorder, figures } = aRecorder({ waitingMax: 3 });
    for (let count = 0; count < 10; count++) {
      const regarding = nodeReference({ name: `node-${count}`, uid: `uid-${count}` });
      recorder.record(anEvent({ regarding }));
    }
    await clock.advance(0);
    assert.equal(api.stored.size, 3);
    assert.equal((await figures())['dropped_total{reason="queue_full"}'], 7);
    recorder.record(anEvent({ regarding: nodeReference({ name: 'late', uid: 'late' }) }));
    await clock.advance(0);
    assert.equal(api.stored.size, 4);
  });

  it('of two thousand nodes at once are all sent, four at a time', async () => {
    const { api, clock, recorder } = aRecorder();
    let [underWay, most] = [0, 0];
    api.fault = async () => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
      return undefined;
    };
    for (let count = 0; count < 2_000; count++) {
      const regarding = nodeReference({ name: `node-${count}`, uid: `uid-${count}` });
      recorder.record(anEvent({ regarding }));
    }
    await clock.advance(0);
    assert.deepEqual([api.stored.size, most], [2_000, 4]);
  });
});

describe('an event that cannot be written', () => {
  it('is retried every ten seconds, and not more often if it happens again', async () => {
    const { api, clock, recorder, log } = aRecorder();
    let faults = 3;
    api.fault = () => (faults-- > 0 ? unreachable : undefined);
    recorder.record(anEvent());
    await clock.advance(seconds(5));
    recorder.record(anEvent());
    await clock.advance(seconds(20));
    assert.equal(api.calls.length, 3);
    await clock.advance(seconds(5));
    assert.equal(api.events[0]?.series?.count, 2);
    assert.deepEqual(log, []);
  });

  it('is given up after twelve tries, and the log reports it once', async () => {
    const { api, clock, recorder, log, figures } = aRecorder();
    api.fault = () => unreachable;
    recorder.record(anEvent());
    recorder.record(anEvent({ reason: 'Other' }));
    await clock.advance(minutes(60));
    assert.equal(api.calls.length, 24);
    assert.equal((await figures())['failed_total'], 2);
    assert.deepEqual(log, ['Could not write an event, more may be lost']);
    api.fault = () => undefined;
    recorder.record(anEvent());
    await clock.advance(0);
    assert.equal(api.stored.size, 1);
  });

  it('is given up at once if a retry would be refused too', async () => {
    const { api, clock, recorder, figures } = aRecorder();
    api.fault = () => refusal(422);
    recorder.record(anEvent());
    await clock.advance(minutes(60));
    assert.equal(api.calls.length, 1);
    assert.equal((await figures())['failed_total'], 1);
  });

  const losingFirstAnswer = (api: EventsApi): void => {
    let isLost = true;
    api.faultAfter = () => {
      const err = isLost ? refusal(500) : undefined;
      isLost = false;
      return err;
    };
  };

  it('is created again if it expires between two calls of one write', async () => {
    const { api, clock, recorder, log } = aRecorder();
    losingFirstAnswer(api);
    api.fault = ({ verb }) => {
      if (verb === 'get') api.expireAll();
      return undefined;
    };
    recorder.record(anEvent());
    await clock.advance(seconds(20));
    assert.deepEqual(api.verbs, ['create', 'create', 'get', 'create']);
    assert.equal(api.stored.size, 1);
    assert.deepEqual(log, []);
  });

  it('is neither written nor counted twice if the answer to its creation was lost', async () => {
    const { api, clock, recorder } = aRecorder();
    losingFirstAnswer(api);
    recorder.record(anEvent());
    await clock.advance(seconds(1));
    recorder.record(anEvent());
    await clock.advance(minutes(1));
    assert.deepEqual(
      api.events.map(({ series }) => series?.count),
      [2],
    );
  });

  it('counts as written after a lost answer, even without permission to read events', async () => {
    const { api, clock, recorder, log } = aRecorder();
    losingFirstAnswer(api);
    api.fault = ({ verb }) => (verb === 'get' ? refusal(403) : undefined);
    recorder.record(anEvent());
    await clock.advance(minutes(1));
    assert.deepEqual([api.stored.size, api.events[0]?.series], [1, undefined]);
    assert.deepEqual(log, []);
  });
});

describe('an API server that refuses core/v1 events', () => {
  it('gets events.k8s.io events, and the log reports it once', async () => {
    const { api, clock, recorder, log } = aRecorder();
    api.fault = ({ resource }) => (resource.group === '' ? refusal(403) : undefined);
    for (let times = 0; times < 3; times++) {
      recorder.record(anEvent());
      await clock.advance(0);
    }
    const verbs = ['create', 'patch', 'patch'].map((verb) => `events.k8s.io ${verb}`);
    assert.deepEqual(api.verbs, ['create', ...verbs]);
    const [stored] = api.events;
    assert.deepEqual(stored?.body.regarding, anEvent().regarding);
    assert.equal(stored?.body.note, 'Node synced successfully');
    assert.equal(stored?.body.reportingController, 'cloud-node-controller');
    assert.equal(stored?.body.apiVersion, 'events.k8s.io/v1');
    assert.equal(stored?.series?.count, 3);
    assert.deepEqual(log, ['Fell back to events.k8s.io/v1 because core/v1 events were refused']);
  });

  it('gets events.k8s.io events for all concurrent writes', async () => {
    const { api, clock, recorder, log } = aRecorder();
    api.fault = ({ resource }) => (resource.group === '' ? refusal(403) : undefined);
    for (let count = 0; count < 8; count++) {
      recorder.record(anEvent({ reason: `Reason${count}` }));
    }
    await clock.advance(0);
    assert.equal(api.stored.size, 8);
    assert.equal(log.length, 1);
  });

  it('gets the rest of a series that began in core/v1 through events.k8s.io', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.record(anEvent());
    await clock.advance(0);
    api.fault = ({ resource }) => (resource.group === '' ? refusal(403) : undefined);
    recorder.record(anEvent());
    await clock.advance(0);
    assert.deepEqual(api.verbs, ['create', 'patch', 'events.k8s.io patch']);
    assert.deepEqual([api.stored.size, api.events[0]?.series?.count], [1, 2]);
  });

  for (const code of [403, 404]) {
    it(`gets no events while events.k8s.io answers ${code}, and core/v1 events once they are allowed`, async () => {
      const { api, clock, recorder, log, figures } = aRecorder();
      api.fault = ({ resource }) => refusal(resource.group === '' ? 403 : code);
      recorder.record(anEvent());
      await clock.advance(minutes(60));
      assert.equal((await figures())['failed_total'], 1);
      assert.equal(log.length, 2);
      api.fault = ({ resource }) => (resource.group === '' ? undefined : refusal(code));
      recorder.record(anEvent());
      await clock.advance(0);
      assert.equal(api.events[0]?.group, '');
    });
  }
});

describe('a recorder that is stopped', () => {
  it('sends waiting events, drops later ones and leaves no timer', async () => {
    const { api, clock, recorder, figures } = aRecorder();
    recorder.record(anEvent());
    await recorder.stop();
    recorder.record(anEvent({ reason: 'Late' }));
    await clock.advance(minutes(60));
    assert.deepEqual([api.stored.size, clock.pending], [1, 0]);
    assert.equal((await figures())['dropped_total{reason="stopped"}'], 1);
  });

  it('waits no longer than its limit for an API server that does not answer', async () => {
    const { api, clock, recorder, figures } = aRecorder();
    api.fault = () => new Promise(() => {});
    for (let count = 0; count < 6; count++) recorder.record(anEvent({ reason: `Reason${count}` }));
    await clock.advance(0);
    let hasStopped = false;
    const stopping = recorder.stop().then(() => (hasStopped = true));
    await clock.advance(4_999);
    assert.equal(hasStopped, false);
    await clock.advance(1);
    await stopping;
    assert.equal(clock.pending, 0);
    assert.equal((await figures())['dropped_total{reason="stopped"}'], 6);
  });
});
