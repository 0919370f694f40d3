import assert from 'node:assert/strict';
import { type Cidr, parseCidr } from '@tandem/core/ip';
import {
  bool,
  duration,
  float,
  headerNames,
  int,
  ipAddress,
  networks,
  objectName,
  optionalText,
  port,
  quantity,
  serverAddress,
  texts,
  urlPaths,
  type ValueType,
} from '../index.ts';

interface Case {
  readonly type: ValueType<unknown>;
  readonly texts: readonly string[];
  /** The value, or a pattern that the refusal matches. */
  readonly want: unknown;
}

const ms = duration();
const count = int({ min: 0, max: 100 });

const ranges = (...given: readonly string[]): readonly Cidr[] =>
  given.map((text) => {
    const parsed = parseCidr(text);
    assert.ok(parsed.kind === 'cidr');
    return parsed.cidr;
  });

const cases: readonly Case[] = [
  { type: ms, texts: ['5'], want: /has no unit: write 5s/ },
  { type: ms, texts: ['1.5'], want: /has no unit/ },
  { type: ms, texts: [''], want: /is not a duration/ },
  { type: ms, texts: ['s'], want: /is not a duration/ },
  { type: ms, texts: ['.s'], want: /is not a duration/ },
  { type: ms, texts: ['1m 30s'], want: /is not a duration/ },
  { type: ms, texts: ['5d'], want: /is not a duration/ },
  { type: ms, texts: ['-5s'], want: /is too short: the minimum is 0s/ },
  { type: ms, texts: ['3000000h'], want: /longer than 292 years/ },
  { type: ms, texts: ['9'.repeat(400) + 'h'], want: /longer than 292 years/ },
  { type: ms, texts: ['0'], want: 0 },
  { type: ms, texts: ['0s'], want: 0 },
  { type: ms, texts: ['+1m30s'], want: 90_000 },
  { type: ms, texts: ['.5s'], want: 500 },
  { type: ms, texts: ['1.s'], want: 1000 },
  { type: ms, texts: ['1.005s'], want: 1005 },
  { type: ms, texts: ['1h2m3s4ms5us6ns'], want: 3_723_004.005006 },
  { type: ms, texts: ['7µs'], want: 0.007 },
  { type: ms, texts: ['5s', '7s'], want: 7000 },
  { type: ms, texts: ['5', '7s'], want: /has no unit/ },
  { type: duration({ minMs: 1000 }), texts: ['999ms'], want: /the minimum is 1s/ },
  { type: bool, texts: ['yes'], want: /neither true nor false/ },
  { type: bool, texts: [''], want: /neither true nor false/ },
  { type: bool, texts: ['T'], want: true },
  { type: bool, texts: ['true', '0'], want: false },
  { type: count, texts: ['101'], want: /use 0 to 100/ },
  { type: count, texts: ['-1'], want: /use 0 to 100/ },
  { type: count, texts: ['1e1'], want: /not a whole number/ },
  { type: count, texts: ['010'], want: /not a whole number/ },
  { type: count, texts: ['1'.repeat(40)], want: /not a whole number/ },
  { type: count, texts: ['+7'], want: 7 },
  { type: port, texts: ['65536'], want: /use 0 to 65535/ },
  { type: float, texts: ['NaN'], want: /not a number/ },
  { type: float, texts: ['1e999'], want: /not a number/ },
  { type: float, texts: ['-1'], want: -1 },
  { type: float, texts: ['.5e1'], want: 5 },
  { type: optionalText, texts: ['a', ''], want: undefined },
  { type: ipAddress, texts: ['localhost'], want: /not an IP address/ },
  { type: ipAddress, texts: ['::0'], want: '::' },
  { type: networks, texts: ['10.244.0.0'], want: /is not a network, such as/ },
  { type: networks, texts: ['10.244.0.0/33'], want: /is not a network/ },
  { type: networks, texts: ['10.0.0.0/8/9'], want: /is not a network/ },
  { type: networks, texts: ['::ffff:10.0.0.0/8'], want: /is not a network/ },
  { type: networks, texts: ['10.0.0.0/8, fd00::/48'], want: /a blank: separate .* by a comma/ },
  { type: networks, texts: ['10.0.0.0/8,'], want: /has an empty entry: remove the comma/ },
  {
    type: networks,
    texts: ['10.0.0.0/8,x'],
    want: /contains "x", which is not a network, such as/,
  },
  {
    type: networks,
    texts: ['banana,cherry'],
    want: /contains "banana" and "cherry", which are not networks, such as 10\.244\.0\.0\/16 or fd00:10:244::\/48$/,
  },
  {
    type: networks,
    texts: ['a,b,,a,c'],
    want: /an empty entry: remove the comma; contains "a", "b" and "c", which are not networks,/,
  },
  { type: networks, texts: ['x', '10.0.0.0/8'], want: /is not a network/ },
  { type: networks, texts: [''], want: [] },
  {
    type: networks,
    texts: [' 10.244.1.1/16,fd00::1/48\t'],
    want: ranges('10.244.0.0/16', 'fd00::/48'),
  },
  { type: networks, texts: ['010.000.0.0/08'], want: ranges('10.0.0.0/8') },
  { type: networks, texts: ['10.0.0.0/8', '11.0.0.0/8'], want: ranges('11.0.0.0/8') },
  { type: objectName('name'), texts: [''], want: /not a Kubernetes name/ },
  { type: objectName('name'), texts: ['Upper'], want: /lower-case letters/ },
  { type: objectName('name'), texts: ['a.b'], want: 'a.b' },
  { type: objectName('namespace'), texts: ['a.b'], want: /not a Kubernetes namespace/ },
  { type: serverAddress, texts: ['api:6443'], want: /write https:\/\/HOST:PORT/ },
  { type: serverAddress, texts: ['https://a b'], want: /write https/ },
  { type: serverAddress, texts: [''], want: undefined },
  { type: serverAddress, texts: ['https://api:6443'], want: 'https://api:6443' },
  { type: headerNames, texts: ['x remote'], want: /not a header name/ },
  { type: headerNames, texts: ['x-remote-user, x-user'], want: ['x-remote-user', 'x-user'] },
  { type: urlPaths, texts: ['/a*b'], want: /a \* that is not at the end/ },
  { type: urlPaths, texts: ['/a?b'], want: /not a path/ },
  { type: urlPaths, texts: ['/healthz,metrics*'], want: ['/healthz', '/metrics*'] },
  { type: texts, texts: ['"a,b"'], want: /quotation mark/ },
  { type: texts, texts: ['a,b', 'c'], want: ['a', 'b', 'c'] },
  { type: quantity, texts: ['1Kib'], want: /not a size/ },
  { type: quantity, texts: ['2Ki'], want: '2Ki' },
];

describe('a flag of type', () => {
  for (const { type, texts: given, want } of cases) {
    const what = want instanceof RegExp ? 'refuses' : 'accepts';
    it(`${type.word} ${what} ${JSON.stringify(given).slice(0, 60)}`, () => {
      const read = type.read(given);
      if (want instanceof RegExp) {
        assert.ok(read.kind === 'invalid', 'the value was accepted');
        assert.match(read.reason, want);
      } else {
        assert.deepEqual(read, { kind: 'value', value: want });
      }
    });
  }

  it('duration names the text at fault, not the last one', () => {
    const read = ms.read(['5s', 'x', '7s']);
    assert.ok(read.kind === 'invalid');
    assert.equal(read.text, 'x');
  });
});
