import assert from 'node:assert/strict';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import * as fc from 'fast-check';
import type { JsonObject } from '../json/index.ts';
import { readProtobuf } from './protobuf.ts';
import { configMap, namespace } from './small-kinds.ts';

type Value = string | number | boolean | Uint8Array | Message;
type Message = readonly (readonly [number: number, value: Value])[];

function encode(message: Message): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of message) {
    if (typeof value === 'number') writer.tag(number, WireType.Varint).int64(value);
    else if (typeof value === 'boolean') writer.tag(number, WireType.Varint).bool(value);
    else {
      writer.tag(number, WireType.LengthDelimited);
      if (typeof value === 'string') writer.string(value);
      else writer.bytes(value instanceof Uint8Array ? value : encode(value));
    }
  }
  return writer.finish();
}

function bodyOf(object: Message): Uint8Array {
  const type: Message = [
    [1, 'v1'],
    [2, 'Kind'],
  ];
  const fields: Message = [
    [1, type],
    [2, object],
    [3, ''],
    [4, ''],
  ];
  return Buffer.concat([Buffer.from('k8s\0'), encode(fields)]);
}

describe('a body in protobuf', () => {
  const type = { apiVersion: 'v1', kind: 'Kind' };
  const name = (text: string): Message => [[1, text]];
  const cases: {
    name: string;
    schema: typeof configMap;
    given: Message;
    want: JsonObject | undefined;
  }[] = [
    {
      name: 'has strings, maps, bytes and booleans',
      schema: configMap,
      given: [
        [
          1,
          [
            ...name('food'),
            [8, []],
            [
              11,
              [
                [1, 'a'],
                [2, 'b'],
              ],
            ],
            [17, 'managed'],
          ],
        ],
        [
          2,
          [
            [1, 'bear'],
            [2, 'honey'],
          ],
        ],
        [2, [[1, '__proto__']]],
        [
          3,
          [
            [1, 'raw'],
            [2, new Uint8Array([0, 255])],
          ],
        ],
        [4, true],
      ],
      want: {
        metadata: { name: 'food', creationTimestamp: null, labels: { a: 'b' } },
        data: { bear: 'honey', ['__proto__']: '' },
        binaryData: { raw: 'AP8=' },
        immutable: true,
      },
    },
    {
      name: 'has lists of strings',
      schema: namespace,
      given: [
        [
          2,
          [
            [1, 'a'],
            [1, 'b'],
          ],
        ],
      ],
      want: { spec: { finalizers: ['a', 'b'] } },
    },
    {
      name: 'has numbers and times',
      schema: namespace,
      given: [
        [
          1,
          [
            [8, [[1, 1_700_000_000]]],
            [10, 600],
          ],
        ],
        [3, 'a status'],
      ],
      want: {
        metadata: { creationTimestamp: '2023-11-14T22:13:20Z', deletionGracePeriodSeconds: 600 },
      },
    },
    {
      name: 'is not read in part where a field has no number',
      schema: namespace,
      given: [[9, 'a field of the future']],
      want: undefined,
    },
    {
      name: 'is not read where a field has another type',
      schema: configMap,
      given: [[4, 'true']],
      want: undefined,
    },
  ];
  for (const { name: claim, schema, given, want } of cases) {
    it(claim, () => {
      const object = readProtobuf(bodyOf(given), () => schema);
      assert.deepEqual(object, want === undefined ? undefined : { ...type, ...want });
    });
  }

  it('is recognised by its type, and not read without a schema or the magic bytes', () => {
    assert.equal(
      readProtobuf(bodyOf([]), () => undefined),
      undefined,
    );
    assert.equal(
      readProtobuf(encode(name('x')), () => configMap),
      undefined,
    );
    const asked: object[] = [];
    readProtobuf(bodyOf([]), (given) => void asked.push(given));
    assert.deepEqual(asked, [type]);
  });

  it('never makes the reader throw, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.boolean(), (bytes, isInside) => {
        const body = isInside ? bodyOf([[2, bytes]]) : Buffer.concat([Buffer.from('k8s\0'), bytes]);
        readProtobuf(body, () => configMap);
      }),
    );
  });
});
