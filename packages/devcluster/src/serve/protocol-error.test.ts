import assert from 'node:assert/strict';
import { protocolAnswer } from './protocol-error.ts';

const failure = (code: string, packet = ''): Error =>
  Object.assign(new Error(code), { code, rawPacket: Buffer.from(packet) });

const cases: readonly (readonly [name: string, err: Error, want: string])[] = [
  [
    'headers that are too long',
    failure('HPE_HEADER_OVERFLOW'),
    '431 Request Header Fields Too Large',
  ],
  ['a request that never ends', failure('ERR_HTTP_REQUEST_TIMEOUT'), '408 Request Timeout'],
  [
    'an unknown method',
    failure('HPE_INVALID_METHOD', 'FOO /a HTTP/1.1\r\n'),
    '405 Method Not Allowed',
  ],
  ['garbage', failure('HPE_INVALID_METHOD', 'garbage\r\n\r\n'), '400 Bad Request'],
  ['a bad length', failure('HPE_INVALID_CONTENT_LENGTH'), '400 Bad Request'],
  ['anything else', new Error('odd'), '400 Bad Request'],
];

describe('a request that cannot be read', () => {
  for (const [name, err, want] of cases) {
    it(`with ${name} is answered with ${want}`, () => {
      const [head = ''] = protocolAnswer(err).split('\r\n');
      assert.equal(head, `HTTP/1.1 ${want}`);
    });
  }
});
