import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { encode, envelope, type Message } from '../codec/protobuf-bytes.fixture.ts';
import { answerVersion } from './answer-version.ts';

const metadata: Message = [
  [1, 'node-0'],
  [5, 'uid-0'],
  [6, '4711'],
  [17, [[1, 'kubelet']]],
];

describe('the version of an answer', () => {
  const cases: { name: string; body: Uint8Array; want: string | undefined }[] = [
    { name: 'protobuf', body: envelope('PartialObjectMetadata', [[1, metadata]]), want: '4711' },
    {
      name: 'protobuf of a whole object with fields of later releases',
      body: envelope('Node', [
        [99, 7],
        [1, [[99, 'new'], ...metadata]],
        [2, [[3, 'x://1']]],
      ]),
      want: '4711',
    },
    {
      name: 'protobuf of an object that itself has a field with the number of the version',
      body: envelope('Scale', [
        [1, metadata],
        [6, 'another'],
      ]),
      want: '4711',
    },
    { name: 'JSON', body: json({ metadata: { resourceVersion: '4711' } }), want: '4711' },
    {
      name: 'protobuf without a resourceVersion',
      body: envelope('Node', [[1, [[1, 'a']]]]),
      want: undefined,
    },
    { name: 'protobuf without metadata', body: envelope('Node', []), want: undefined },
    { name: 'JSON without a resourceVersion', body: json({ metadata: {} }), want: undefined },
    {
      name: 'JSON with a number as resourceVersion',
      body: json({ metadata: { resourceVersion: 1 } }),
      want: undefined,
    },
    { name: 'protobuf without an envelope', body: encode([[1, metadata]]), want: undefined },
    { name: 'an empty body', body: new Uint8Array(), want: undefined },
  ];
  for (const { name, body, want } of cases) {
    it(`is ${want ?? 'undefined'} for ${name}`, () => {
      assert.equal(answerVersion(body), want);
    });
  }

  it('is a string or undefined, never an error, for truncated and garbled bytes', () => {
    const whole = envelope('Node', [[1, metadata]]);
    const garbled = fc.record({
      length: fc.integer({ min: 0, max: whole.length }),
      at: fc.integer({ min: 0, max: whole.length - 1 }),
      byte: fc.integer({ min: 0, max: 255 }),
    });
    fc.assert(
      fc.property(garbled, ({ length, at, byte }) => {
        const bytes = Uint8Array.from(whole);
        bytes[at] = byte;
        const version = answerVersion(bytes.subarray(0, length));
        assert.ok(version === undefined || typeof version === 'string');
      }),
    );
  });
});

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
