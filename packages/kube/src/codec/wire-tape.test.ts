import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { encode, type Field } from './protobuf-bytes.fixture.ts';
import { absent, WirePlan, WireTape } from './wire-tape.ts';

const marks = { text: 1, number: 2, message: 3, inner: 4 } as const;

const plan = new WirePlan({
  1: { kind: 'text', mark: marks.text },
  2: { kind: 'number', mark: marks.number },
  3: {
    kind: 'message',
    mark: marks.message,
    plan: new WirePlan({ 1: { kind: 'text', mark: marks.inner } }),
  },
});

/** Fields that are wanted and others, of every type and with numbers of any size. */
const fields: fc.Arbitrary<Field> = fc.oneof(
  fc.tuple(fc.constant(1), fc.string({ unit: 'grapheme', maxLength: 200 })),
  fc.tuple(fc.constant(2), fc.maxSafeInteger()),
  fc.tuple(
    fc.constant(3),
    fc.array(fc.tuple(fc.constantFrom(1, 2), fc.string()), { maxLength: 3 }),
  ),
  fc.tuple(fc.constantFrom(4, 31, 32, 1_000, 100_000), fc.oneof(fc.string(), fc.nat())),
);

/** What a tape should say of these fields: a message comes after what is within it. */
function naively(message: readonly Field[]): unknown[] {
  return message.flatMap(([number, value]) => {
    if (number === 1 || number === 2) return [[number, value]];
    if (number !== 3 || !Array.isArray(value)) return [];
    const inner = value.flatMap(([at, text]) => (at === 1 ? [[marks.inner, text]] : []));
    return [...inner, [marks.message, undefined]];
  });
}

function notesOf(tape: WireTape): unknown[] {
  return Array.from({ length: tape.length }, (_, note) => {
    const mark = tape.mark(note);
    if (mark === marks.message) return [mark, undefined];
    return [mark, mark === marks.number ? tape.integer(note) : tape.text(note)];
  });
}

describe('the tape of a message', () => {
  it('has what is wanted, in its order, and nothing of the message before', () => {
    const tape = new WireTape(plan);
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 30 }), fc.nat(9), (message, offset) => {
        const bytes = Buffer.concat([Buffer.alloc(offset, 0xff), encode(message)]);
        tape.record(bytes, offset, bytes.length);
        assert.deepEqual(notesOf(tape), naively(message));
      }),
    );
  });

  it('has room for more than is usual', () => {
    const message = Array.from({ length: 5_000 }, (_, index): Field => [1, String(index)]);
    const bytes = Buffer.from(encode(message));
    const tape = new WireTape(plan);
    tape.record(bytes, 0, bytes.length);
    assert.deepEqual(notesOf(tape), naively(message));
  });

  it('takes what is not there for empty', () => {
    const tape = new WireTape(plan);
    assert.equal(tape.find(marks.text), absent);
    assert.equal(tape.text(absent), '');
    assert.equal(tape.integer(absent), 0);
  });
});
