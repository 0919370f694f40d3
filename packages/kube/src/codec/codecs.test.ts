/** Tests both codecs on the same streams. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { codecOf } from './choose-codec.ts';
import { acceptHeader, type Codec, type WatchEvent } from './codec.ts';
import { pieceBytesMax, splitLines } from './frames.ts';
import { jsonCodec } from './json-codec.ts';
import { anApiNode, type ApiNode, apiNodes, nodeMessage } from '../node/api-node.fixture.ts';
import { createNodeReader, type NodeProjection } from '../node/index.ts';
import {
  encode,
  envelope,
  type Field,
  type Message,
  watchFrame,
} from './protobuf-bytes.fixture.ts';
import { protobufCodec } from './protobuf-codec.ts';
import { assertHits } from '../../../../test/support/hits.ts';

/** How a server writes in one encoding. */
interface Writer {
  readonly codec: Codec;
  object(type: string, node: ApiNode): Uint8Array;
  bookmark(version: string, annotations: Readonly<Record<string, string>>): Uint8Array;
  error(status: typeof tooLarge): Uint8Array;
  list(
    metadata: { resourceVersion: string; continue: string },
    nodes: readonly ApiNode[],
  ): Uint8Array;
}

const tooLarge = {
  kind: 'Status',
  status: 'Failure',
  message: 'Timeout: Too large resource version: 99, current: 7',
  reason: 'Timeout',
  code: 504,
  details: {
    retryAfterSeconds: 1,
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
  },
};

const line = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

const writers: readonly Writer[] = [
  {
    codec: jsonCodec,
    object: (type, node) => line({ type, object: { kind: 'Node', apiVersion: 'v1', ...node } }),
    bookmark: (resourceVersion, annotations) =>
      line({
        type: 'BOOKMARK',
        object: { kind: 'Node', metadata: { resourceVersion, annotations } },
      }),
    error: (object) => line({ type: 'ERROR', object }),
    list: (metadata, items) => Buffer.from(JSON.stringify({ kind: 'NodeList', metadata, items })),
  },
  {
    codec: protobufCodec,
    object: (type, node) => watchFrame(type, 'Node', nodeMessage(node)),
    bookmark: (version, annotations) =>
      watchFrame('BOOKMARK', 'Node', [
        [
          1,
          [
            [6, version],
            ...Object.entries(annotations).map(([key, value]): Field => [
              12,
              [[1, key] as const, [2, value] as const],
            ]),
          ],
        ],
        [2, []],
      ]),
    error: ({ message, reason, code, details }) =>
      watchFrame('ERROR', 'Status', [
        [2, 'Failure'],
        [3, message],
        [4, reason],
        [
          5,
          [
            ...details.causes.map((cause): Field => [
              4,
              [[1, cause.reason] as const, [2, cause.message] as const],
            ]),
            [5, details.retryAfterSeconds],
          ],
        ],
        [6, code],
      ]),
    list: (metadata, nodes) =>
      envelope('NodeList', [
        [1, [[2, metadata.resourceVersion] as const, [3, metadata.continue] as const]],
        ...nodes.map((node): Field => [2, nodeMessage(node)]),
      ]),
  },
];

function decode(codec: Codec, chunks: readonly Uint8Array[]): WatchEvent<NodeProjection>[] {
  const pieces = codec.splitWatch();
  const events: WatchEvent<NodeProjection>[] = [];
  const take = takeInto(events, codec);
  for (const chunk of chunks) pieces.push(chunk, take);
  assert.equal(pieces.isWithinPiece, false);
  return events;
}

function takeInto(events: WatchEvent<NodeProjection>[], codec: Codec): (piece: Uint8Array) => void {
  const reader = createNodeReader();
  return (piece) => void events.push(codec.readEvent(piece, reader));
}

/** Cuts the bytes at these offsets, modulo their length. */
function cut(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const edges = [...new Set([0, ...offsets.map((offset) => offset % bytes.length), bytes.length])];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

for (const writer of writers) {
  const { codec } = writer;
  describe(`a watch in ${codec.name}`, () => {
    const stream = (nodes: readonly ApiNode[]): Uint8Array =>
      Buffer.concat([
        ...nodes.map((node) => writer.object('ADDED', node)),
        writer.bookmark('77', { 'k8s.io/initial-events-end': 'true' }),
        ...nodes.map((node) => writer.object('MODIFIED', node)),
        writer.bookmark('78', {}),
        ...nodes.map((node) => writer.object('DELETED', node)),
        writer.error(tooLarge),
      ]);

    it('gives the same events, however it is split into chunks', () => {
      fc.assert(
        fc.property(
          fc.array(apiNodes, { maxLength: 2 }),
          fc.array(fc.nat(), { maxLength: 12 }),
          (nodes, offsets) => {
            const whole = stream(nodes);
            const events = decode(codec, [whole]);
            assert.deepEqual(decode(codec, cut(whole, offsets)), events);
            const reader = createNodeReader();
            const objects = nodes.map((node) => reader.fromJson(node));
            assert.deepEqual(
              events.map((event) => ('object' in event ? event.object : event.kind)),
              [...objects, 'bookmark', ...objects, 'bookmark', ...objects, 'error'],
            );
          },
        ),
        { numRuns: 40 },
      );
    });

    it('gives the same events byte by byte', () => {
      const whole = stream([anApiNode()]);
      const bytes = Array.from(whole, (byte) => Uint8Array.of(byte));
      assert.deepEqual(decode(codec, bytes), decode(codec, [whole]));
    });

    it('distinguishes the bookmark that ends a streaming list from other bookmarks', () => {
      const events = decode(codec, [
        writer.bookmark('9', { other: 'x', 'k8s.io/initial-events-end': 'true' }),
        writer.bookmark('10', { 'k8s.io/initial-events-end': 'false' }),
        writer.bookmark('11', {}),
      ]);
      assert.deepEqual(events, [
        { kind: 'bookmark', resourceVersion: '9', endsInitialEvents: true },
        { kind: 'bookmark', resourceVersion: '10', endsInitialEvents: false },
        { kind: 'bookmark', resourceVersion: '11', endsInitialEvents: false },
      ]);
    });

    it('gives the Status with which the server ended it', () => {
      assert.deepEqual(decode(codec, [writer.error(tooLarge)]), [
        {
          kind: 'error',
          status: {
            code: 504,
            reason: 'Timeout',
            message: tooLarge.message,
            causes: [
              {
                reason: 'ResourceVersionTooLarge',
                message: 'Too large resource version',
                field: '',
              },
            ],
            retryAfterSeconds: 1,
          },
        },
      ]);
    });

    it('gives the events before an undecodable event, and then an error', () => {
      const good = writer.object('ADDED', anApiNode());
      const bad = writer.object('ADDED', anApiNode({ metadata: { uid: '' } }));
      const events: WatchEvent<NodeProjection>[] = [];
      const push = (): void =>
        codec.splitWatch().push(Buffer.concat([good, bad, good]), takeInto(events, codec));
      assert.throws(push, { code: 'Undecodable' });
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ['added'],
      );
    });

    it('rejects an event of an unknown type', () => {
      assert.throws(() => decode(codec, [writer.object('RENAMED', anApiNode())]), {
        code: 'Undecodable',
      });
    });

    it('rejects a bookmark without a resourceVersion', () => {
      assert.throws(() => decode(codec, [writer.bookmark('', {})]), { code: 'Undecodable' });
    });

    it('knows whether it was cut within an event', () => {
      const pieces = codec.splitWatch();
      const bytes = writer.object('ADDED', anApiNode());
      let events = 0;
      const count = (): void => void (events += 1);
      pieces.push(bytes.subarray(0, 3), count);
      assert.equal(pieces.isWithinPiece, true);
      assert.equal(events, 0);
      pieces.push(bytes.subarray(3), count);
      assert.equal(events, 1);
      assert.equal(pieces.isWithinPiece, false);
    });

    it('fails only with Undecodable, and never loops, when a byte is garbled', () => {
      const whole = stream([anApiNode({ metadata: { labels: { a: 'b' } } })]);
      assertHits(10, (hit) =>
        fc.assert(
          fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
            const garbled = Uint8Array.from(whole, (byte, index) =>
              index === at ? byte ^ flip : byte,
            );
            try {
              decode(codec, cut(garbled, [at]));
            } catch (err) {
              if (err instanceof assert.AssertionError) return;
              hit();
              assert.equal((err as { code?: string }).code, 'Undecodable', String(err));
            }
          }),
          { numRuns: 150 },
        ),
      );
    });
  });

  describe(`a list in ${codec.name}`, () => {
    it('has its version, its continue token and all items', () => {
      fc.assert(
        fc.property(fc.array(apiNodes, { maxLength: 3 }), fc.string(), (nodes, token) => {
          const body = writer.list({ resourceVersion: '5', continue: token }, nodes);
          const reader = createNodeReader();
          assert.deepEqual(codec.readList(body, reader), {
            resourceVersion: '5',
            continueToken: token,
            items: nodes.map((node) => reader.fromJson(node)),
          });
        }),
        { numRuns: 40 },
      );
    });

    it('is rejected if it is truncated', () => {
      const body = writer.list({ resourceVersion: '5', continue: '' }, [anApiNode()]);
      // The last four bytes of an envelope are two empty fields: a list without them is complete.
      for (let length = 0; length < body.length - 4; length += 13) {
        const read = (): unknown => codec.readList(body.subarray(0, length), createNodeReader());
        assert.throws(read, { code: 'Undecodable' });
      }
    });
  });
}

describe('a watch event above the size limit', () => {
  it('is rejected when its frame announces more bytes than any object has', () => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(pieceBytesMax + 1);
    const pieces = protobufCodec.splitWatch();
    assert.throws(() => pieces.push(length, () => {}), { code: 'Undecodable' });
  });

  it('is rejected when its line does not end within the limit', () => {
    const lines = splitLines(1_000);
    const push = (): void => lines.push(Buffer.alloc(100, 'x'), () => {});
    for (let hundreds = 0; hundreds < 10; hundreds += 1) push();
    assert.throws(push, { code: 'Undecodable' });
  });
});

describe('an unusual protobuf message', () => {
  const read = (message: Message): unknown =>
    protobufCodec.readList(envelope('NodeList', message), createNodeReader());

  const cases: readonly { readonly name: string; readonly message: Message }[] = [
    { name: 'a string where a message belongs', message: [[2, 'no node']] },
    { name: 'a number where a message belongs', message: [[2, 1]] },
    { name: 'a number where a string belongs', message: [[1, [[2, 5]]]] },
    { name: 'a field with the number 0', message: [[2, Uint8Array.of(0)]] },
    { name: 'a group, which Kubernetes never has', message: [[2, Uint8Array.of(0x0b, 0x0c)]] },
    { name: 'a number of eleven bytes', message: [[2, new Uint8Array(11).fill(0xff)]] },
    { name: 'a length beyond the message', message: [[2, Uint8Array.of(0x0a, 0x7f)]] },
  ];
  for (const { name, message } of cases) {
    it(`is rejected: ${name}`, () => assert.throws(() => read(message), { code: 'Undecodable' }));
  }

  it('is rejected: a string that extends past the end of its message', () => {
    const message: Message = [[2, Uint8Array.of(0x0a, 0x02, 0x0a, 0x02, 0x12, 0x00)]];
    assert.throws(() => read(message), {
      code: 'Undecodable',
      message: 'A field extends past the end of its message',
    });
  });

  it('is rejected without its magic bytes', () => {
    const body = encode([[2, encode([])]]);
    const readBare = (): unknown => protobufCodec.readList(body, createNodeReader());
    assert.throws(readBare, { code: 'Undecodable' });
  });

  it('may have negative times, which are before 1970', () => {
    const node = anApiNode({ metadata: { creationTimestamp: '1955-11-12T22:04:00Z' } });
    const body = envelope('NodeList', [[2, nodeMessage(node)]]);
    const { items } = protobufCodec.readList(body, createNodeReader());
    assert.deepEqual(items, [createNodeReader().fromJson(node)]);
  });
});

describe('the content type of an answer', () => {
  const cases = [
    { type: 'application/vnd.kubernetes.protobuf', want: 'protobuf' },
    { type: 'application/vnd.kubernetes.protobuf;stream=watch', want: 'protobuf' },
    { type: 'application/json', want: 'json' },
    { type: 'Application/JSON; charset=utf-8', want: 'json' },
  ];
  for (const { type, want } of cases) {
    it(`is read as ${want}: ${type}`, () => {
      assert.equal(codecOf({ 'content-type': type }).name, want);
    });
  }

  it('is rejected, and quoted in the error, if it is neither', () => {
    const wanted = { code: 'Undecodable', message: /"text\/html"/ };
    assert.throws(() => codecOf({ 'content-type': 'text/html' }), wanted);
    assert.throws(() => codecOf({}), { code: 'Undecodable' });
  });

  it('is requested as protobuf first, in frames for a watch, or as JSON alone', () => {
    const protobuf = 'application/vnd.kubernetes.protobuf';
    assert.equal(acceptHeader('list', 'protobuf'), `${protobuf}, application/json`);
    assert.equal(acceptHeader('watch', 'protobuf'), `${protobuf};stream=watch, application/json`);
    assert.equal(acceptHeader('watch', 'json'), 'application/json');
  });
});
