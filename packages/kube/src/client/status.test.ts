import assert from 'node:assert/strict';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import * as fc from 'fast-check';
import type { ApiStatus } from './client.ts';
import { parseStatus } from './status.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const ofJson = (value: unknown): Uint8Array => bytes(JSON.stringify(value));

function ofProtobuf(status: ApiStatus, kind = 'Status'): Uint8Array {
  const causes = status.causes.map(({ reason, message, field }) =>
    encode([1, reason], [2, message], [3, field]),
  );
  const retryAfter = status.retryAfterSeconds === undefined ? [] : [status.retryAfterSeconds];
  const details = encode(
    ...causes.map((cause): Field => [4, cause]),
    ...retryAfter.map((seconds): Field => [5, seconds]),
  );
  const raw = encode(
    [1, new Uint8Array()],
    [2, 'Failure'],
    [3, status.message],
    [4, status.reason],
    [5, details],
    [6, status.code],
    [99, 'a field of a later release'],
  );
  const type = encode([1, 'v1'], [2, kind]);
  return Buffer.concat([bytes('k8s\0'), encode([1, type], [2, raw])]);
}

type Field = readonly [number: number, value: string | number | Uint8Array];

function encode(...fields: readonly Field[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of fields) {
    if (typeof value === 'number') writer.tag(number, WireType.Varint).int32(value);
    else if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value);
    else writer.tag(number, WireType.LengthDelimited).bytes(value);
  }
  return writer.finish();
}

function asJson({ causes, retryAfterSeconds, ...status }: ApiStatus): unknown {
  const details = { causes, retryAfterSeconds };
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status, details };
}

const plain = { noNullPrototype: true };
const anyCause = fc.record(
  { reason: fc.string(), message: fc.string(), field: fc.string() },
  plain,
);
const anyStatus: fc.Arbitrary<ApiStatus> = fc.record(
  {
    code: fc.integer({ min: 400, max: 599 }),
    reason: fc.string(),
    message: fc.string({ unit: 'grapheme' }),
    causes: fc.array(anyCause),
    retryAfterSeconds: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  },
  plain,
);

describe('parseStatus', () => {
  it('reads the same Status from JSON and from protobuf', () => {
    fc.assert(
      fc.property(anyStatus, (status) => {
        assert.deepEqual(parseStatus(ofJson(asJson(status))), status);
        assert.deepEqual(parseStatus(ofProtobuf(status)), status);
      }),
    );
  });

  it('returns undefined for anything that is not a Status', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom('', 'k8s\0', '{'), (rest, start) => {
        const status = parseStatus(Buffer.concat([bytes(start), rest]));
        assert.equal(status, undefined);
      }),
    );
    const node = { code: 0, reason: '', message: '', causes: [], retryAfterSeconds: undefined };
    assert.equal(parseStatus(ofProtobuf(node, 'Node')), undefined);
    assert.equal(parseStatus(ofJson({ kind: 'Node' })), undefined);
    assert.equal(parseStatus(ofJson(null)), undefined);
  });

  it('distinguishes a failed test of a patch from a failed validation by the causes', () => {
    const failedTest = { kind: 'Status', code: 422, reason: 'Invalid', details: {} };
    assert.deepEqual(parseStatus(ofJson(failedTest))?.causes, []);
    const invalid = { ...failedTest, details: { causes: [{ field: 'spec.providerID' }] } };
    assert.deepEqual(parseStatus(ofJson(invalid))?.causes, [
      { reason: '', message: '', field: 'spec.providerID' },
    ]);
  });
});
