import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { boundedText } from './bounded-text.ts';
import { nodeReference } from './event.ts';
import { eventName } from './event-name.ts';
import { microTime } from '../micro-time.ts';
import { anEvent } from './recorder.fixture.ts';

describe('names, texts and times of events', () => {
  it('names follow from what is said alone', () => {
    assert.equal(eventName(anEvent()), eventName(structuredClone(anEvent())));
    assert.notEqual(eventName(anEvent()), eventName(anEvent({ note: 'else' })));
  });

  it('names are names to Kubernetes, however long the name of the object', () => {
    const part = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
    const nodeName = fc
      .array(part, { minLength: 1, maxLength: 40 })
      .map((parts) => parts.join('.'));
    fc.assert(
      fc.property(nodeName, (name) => {
        fc.pre(name.length <= 253);
        const said = eventName(anEvent({ regarding: nodeReference({ name, uid: 'u' }) }));
        assert.ok(said.length <= 253);
        assert.match(said, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
      }),
    );
  });

  it('texts are cut to the bytes allowed and never inside a character', () => {
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
  });
});
