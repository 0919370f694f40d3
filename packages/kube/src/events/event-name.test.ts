import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { boundedText, nodeReference } from './event.ts';
import { eventKey, EventNames } from './event-name.ts';
import { microTime } from '../micro-time.ts';
import { anEvent } from './recorder.fixture.ts';

const startMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const namesOn = (clock: VirtualClock, seed = 'names'): EventNames =>
  new EventNames({ clock, random: seededRandom(seed) });

describe('names, texts and times of events', () => {
  it('keys derive from the contents of an event alone', () => {
    assert.equal(eventKey(anEvent()), eventKey(structuredClone(anEvent())));
    assert.notEqual(eventKey(anEvent()), eventKey(anEvent({ note: 'else' })));
  });

  it('names are the object and the time in hexadecimal nanoseconds, as in client-go', () => {
    const { name, timeMicros } = namesOn(virtualClock({ startMs })).next(anEvent());
    const [object, hex = ''] = name.split('.');
    assert.equal(object, 'node-0');
    assert.match(hex, /^[0-9a-f]{16}$/);
    assert.equal(BigInt(`0x${hex}`) / 1_000_000n, BigInt(startMs));
    assert.equal(timeMicros, startMs * 1_000);
  });

  it('names and times sort in order of creation, also within a millisecond and if the clock goes back', () => {
    const steps = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(steps, (deltasMs) => {
        let nowMs = startMs;
        const clock = { ...virtualClock(), now: () => nowMs };
        const names = new EventNames({ clock, random: seededRandom('names') });
        const given = deltasMs.map((deltaMs) => {
          // Most events happen at the same time.
          if (deltaMs % 3 === 0) nowMs += deltaMs;
          return names.next(anEvent());
        });
        const texts = given.map(({ name }) => name);
        assert.deepEqual(texts, [...new Set(texts)].toSorted());
        const times = given.map(({ timeMicros }) => microTime(timeMicros / 1_000));
        assert.deepEqual(times, [...new Set(times)].toSorted());
      }),
    );
  });

  it('names of two processes differ even at the same instant', () => {
    const clock = virtualClock({ startMs });
    const [one, other] = [namesOn(clock, 'one'), namesOn(clock, 'other')];
    assert.notEqual(one.next(anEvent()).name, other.next(anEvent()).name);
  });

  it('names are valid in Kubernetes, however long the name of the object', () => {
    const part = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
    const nodeName = fc
      .array(part, { minLength: 1, maxLength: 40 })
      .map((parts) => parts.join('.'));
    fc.assert(
      fc.property(nodeName, (objectName) => {
        fc.pre(objectName.length <= 253);
        const regarding = nodeReference({ name: objectName, uid: 'u' });
        const { name } = namesOn(virtualClock({ startMs })).next(anEvent({ regarding }));
        assert.ok(name.length <= 253);
        assert.match(name, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
      }),
    );
  });

  it('texts are cut to the allowed bytes, never inside a character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀') });
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 40 }), (whole, max) => {
        const cut = boundedText(whole, max);
        assert.ok(Buffer.byteLength(cut) <= max);
        assert.ok(cut.isWellFormed());
        const fits = Buffer.byteLength(whole) <= max;
        assert.ok(fits ? cut === whole : whole.startsWith(cut.slice(0, -1)));
      }),
    );
  });

  it('times have six fractional digits', () => {
    assert.equal(microTime(0), '1970-01-01T00:00:00.000000Z');
    assert.equal(microTime(1_767_323_045_678), '2026-01-02T03:04:05.678000Z');
    assert.equal(microTime(1_767_323_045_678.009), '2026-01-02T03:04:05.678009Z');
    assert.equal(microTime(1_767_323_045_678.999), '2026-01-02T03:04:05.678999Z');
  });
});
