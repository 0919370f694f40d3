import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { EventRecorder } from './event-recorder.ts';
import { refusal, unreachable } from './events-api.fixture.ts';
import { aRecorder, anEvent, aRefusal } from './recorder.fixture.ts';

const minutes = (count: number): number => count * 60_000;
const matter = { uid: 'uid-0', matter: 'node-ip' };

describe('a sustained event', () => {
  it('is renewed every half hour, so that it never expires', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.sustain(aRefusal());
    await clock.advance(0);
    assert.deepEqual([api.stored.size, api.events[0]?.series], [1, undefined]);
    for (const count of [2, 3, 4]) {
      await clock.advance(minutes(30));
      assert.equal(api.events[0]?.series?.count, count);
      const seenMs = Date.parse(api.events[0]?.series?.lastObservedTime ?? '');
      assert.ok(clock.now() - seenMs <= minutes(9));
    }
    assert.deepEqual(api.verbs, ['create', 'patch', 'patch', 'patch']);
  });

  it('is written once, however often a reconcile sustains it', async () => {
    const { api, clock, recorder } = aRecorder();
    for (let times = 0; times < 20; times++) {
      recorder.sustain(aRefusal());
      await clock.advance(minutes(1));
    }
    assert.equal(api.calls.length, 1);
  });

  it('is not renewed after its end, and leaves no timer', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.sustain(aRefusal());
    await clock.advance(minutes(1));
    recorder.end(matter);
    recorder.end(matter);
    assert.equal(clock.pending, 0);
    await clock.advance(minutes(120));
    assert.equal(api.calls.length, 1);
  });

  it('is sent even if it ends before its first send', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.sustain(aRefusal());
    recorder.end(matter);
    await clock.advance(minutes(120));
    assert.deepEqual(api.verbs, ['create']);
  });

  it('is replaced by another event of the same matter', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.sustain(aRefusal());
    await clock.advance(minutes(10));
    recorder.sustain(aRefusal({ note: 'The cloud has another address' }));
    await clock.advance(minutes(31));
    assert.deepEqual(
      api.events.map(({ body, series }) => [body.message, series?.count]),
      [
        ['The cloud has no such address', undefined],
        ['The cloud has another address', 2],
      ],
    );
  });

  it('is independent of events of other matters and other objects', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.sustain(aRefusal());
    recorder.sustain({ ...aRefusal({ reason: 'DeletionHeld' }), matter: 'deletion' });
    recorder.sustain(aRefusal({ regarding: { ...anEvent().regarding, uid: 'uid-1' } }));
    await clock.advance(0);
    recorder.forget('uid-0');
    await clock.advance(minutes(30));
    assert.deepEqual(
      api.events.map(({ body, series }) => [body.involvedObject?.uid, series?.count]),
      [
        ['uid-0', undefined],
        ['uid-0', undefined],
        ['uid-1', 2],
      ],
    );
  });

  it('is created again if it expired during an outage', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.sustain(aRefusal());
    await clock.advance(minutes(1));
    api.fault = () => unreachable;
    await clock.advance(minutes(90));
    api.expireAll();
    api.fault = () => undefined;
    await clock.advance(minutes(31));
    assert.equal(api.stored.size, 1);
  });

  it('is tried again with its next renewal after it was refused', async () => {
    const { api, clock, recorder } = aRecorder();
    api.fault = () => refusal(403);
    recorder.sustain(aRefusal());
    await clock.advance(minutes(1));
    api.fault = () => undefined;
    await clock.advance(minutes(30));
    assert.equal(api.stored.size, 1);
  });

  it('is renewed, however many other events the object has', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.sustain(aRefusal());
    for (let count = 0; count < 60; count++) {
      for (let times = 0; times < 3; times++) recorder.record(anEvent({ action: `A${count}` }));
      await clock.advance(minutes(1));
    }
    assert.equal(api.events[0]?.series?.count, 3);
  });

  it('that starts and ends all the time stays within the budget of its object', async () => {
    const { api, clock, recorder } = aRecorder();
    for (let times = 0; times < 300; times++) {
      recorder.sustain(aRefusal());
      await clock.advance(1_000);
      recorder.end(matter);
    }
    // 25 at once, and then one a minute.
    assert.equal(api.calls.length, 30);
    recorder.sustain(aRefusal());
    await clock.advance(minutes(1));
    assert.equal(api.calls.length, 31);
  });

  const spendings: { name: string; spend: (recorder: EventRecorder) => void }[] = [
    {
      name: 'other events',
      spend: (recorder) => {
        for (let count = 0; count < 40; count++) recorder.record(anEvent({ action: `A${count}` }));
      },
    },
    {
      name: 'refusals with the same reason',
      spend: (recorder) => {
        for (let count = 0; count < 40; count++) recorder.sustain(aRefusal({ note: `${count}` }));
      },
    },
  ];
  for (const { name, spend } of spendings) {
    it(`is written within a minute even if ${name} have spent the budget (P6)`, async () => {
      const { api, clock, recorder } = aRecorder();
      recorder.sustain(aRefusal({ note: 'the first of its reason' }));
      spend(recorder);
      await clock.advance(minutes(0.1));
      for (const note of ['once more', 'and again']) {
        recorder.sustain(aRefusal({ note }));
        await clock.advance(minutes(1));
        assert.ok(
          api.events.some(({ body }) => body.message === note),
          `no event has the note ${note}`,
        );
      }
    });
  }

  it('is written within a minute, and beyond the budget at most once a minute, whatever went before', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('sustain' as const), note: fc.nat(60) }),
      fc.record({ kind: fc.constant('end' as const) }),
      fc.record({ kind: fc.constant('noise' as const), action: fc.nat(60) }),
      fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat(90) }),
    );
    const steps = fc.array(step, { minLength: 20, maxLength: 200, size: 'max' });
    let checks = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (story) => {
        const { api, clock, recorder } = aRecorder();
        const startMs = clock.monotonic();
        let sustained: { note: string; sinceMs: number } | undefined;
        const isWritten = (note: string): boolean =>
          api.events.some(({ body }) => body.message === note);
        for (const next of story) {
          if (next.kind === 'wait') await clock.advance(next.seconds * 1_000);
          else if (next.kind === 'noise') recorder.record(anEvent({ action: `A${next.action}` }));
          else if (next.kind === 'end') {
            recorder.end(matter);
            sustained = undefined;
          } else {
            const note = `refused ${next.note}`;
            recorder.sustain(aRefusal({ note }));
            if (sustained?.note !== note) sustained = { note, sinceMs: clock.monotonic() };
          }
          const sustainedMs = clock.monotonic() - (sustained?.sinceMs ?? Infinity);
          if (sustained === undefined || sustainedMs <= minutes(1)) continue;
          checks += 1;
          assert.ok(isWritten(sustained.note));
        }
        const elapsedMinutes = (clock.monotonic() - startMs) / minutes(1);
        const renewals = elapsedMinutes / 27;
        const most = 25 + 2 + elapsedMinutes / 5 + (elapsedMinutes + 1) + renewals;
        assert.ok(api.calls.length <= most, `${api.calls.length} writes in ${elapsedMinutes} min`);
      }),
      { numRuns: 200 },
    );
    assert.ok(checks > 200, `only ${checks} times was an event sustained for more than a minute`);
  });

  it('leaves no timer when the recorder is stopped, and cannot be sustained after that', async () => {
    const { api, clock, recorder } = aRecorder();
    recorder.sustain(aRefusal());
    await clock.advance(minutes(1));
    await recorder.stop();
    recorder.sustain(aRefusal({ reason: 'Late' }));
    await clock.advance(minutes(60));
    assert.deepEqual([api.calls.length, clock.pending], [1, 0]);
  });
});
