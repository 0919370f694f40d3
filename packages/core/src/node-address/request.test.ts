import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatAddress, parseAddress } from '../ip/index.ts';
import { type RequestRefusalCode, requestRefusals } from './refusal.ts';
import { formatRequest, parseRequest } from './request.ts';

const on = { CloudNodeIPs: true };
const off = { CloudNodeIPs: false };

/** The canonical text of an accepted request, or the code of its refusal. */
const read = (text: string, gates = on): string => {
  const parsed = parseRequest(text, gates);
  return parsed.kind === 'request' ? formatRequest(parsed.request) : parsed.refusal.code;
};

describe('parseRequest', () => {
  const cases: { text: string; want: string }[] = [
    { text: 'IPv4', want: 'IPv4' },
    { text: 'IPv6,IPv4', want: 'IPv6,IPv4' },
    { text: 'IPv6,010.0.0.1', want: 'IPv6,10.0.0.1' },
    { text: '::ffff:10.0.0.1,FD00::1', want: '10.0.0.1,fd00::1' },
    { text: '0.0.0.0', want: '0.0.0.0' },
    { text: '', want: 'InvalidSyntax' },
    { text: ',', want: 'InvalidSyntax' },
    { text: 'IPv4,', want: 'InvalidSyntax' },
    { text: 'IPv4, IPv6', want: 'InvalidSyntax' },
    { text: 'ipv4', want: 'InvalidSyntax' },
    { text: 'IPV6', want: 'InvalidSyntax' },
    { text: '10.0.0.1/24', want: 'InvalidSyntax' },
    { text: 'fe80::1%eth0', want: 'InvalidSyntax' },
    { text: '10.0.0.1,10.0.0.2,nonsense', want: 'InvalidSyntax' },
    { text: '10.0.0.1,10.0.0.2,10.0.0.3', want: 'TooManyTokens' },
    { text: 'IPv4,IPv6,IPv4', want: 'TooManyTokens' },
    { text: 'IPv4,10.0.0.1', want: 'SameFamilyPair' },
    { text: '10.0.0.1,::ffff:10.0.0.2', want: 'SameFamilyPair' },
    { text: '0.0.0.0,10.0.0.1', want: 'SameFamilyPair' },
    { text: '0.0.0.0,fd00::1', want: 'UnspecifiedInPair' },
    { text: 'IPv4,::', want: 'UnspecifiedInPair' },
    { text: '::ffff:0.0.0.0,IPv6', want: 'UnspecifiedInPair' },
  ];
  for (const { text, want } of cases) {
    it(`reads ${JSON.stringify(text)} as ${want}`, () => assert.equal(read(text), want));
  }

  const gated: { text: string; want: string }[] = [
    { text: '10.0.0.1', want: '10.0.0.1' },
    { text: 'IPv4', want: 'FeatureDisabled' },
    { text: '10.0.0.1,fd00::1', want: 'FeatureDisabled' },
    { text: 'IPv4,10.0.0.1', want: 'SameFamilyPair' },
    { text: 'IPv4,::', want: 'UnspecifiedInPair' },
  ];
  for (const { text, want } of gated) {
    it(`reads ${text} as ${want} with the gate off`, () => assert.equal(read(text, off), want));
  }

  const token = fc.oneof(
    fc.constantFrom('IPv4', 'IPv6', '0.0.0.0', '::', '', ' ', 'ipv6', '10.0.0.1', 'fd00::1'),
    fc.ipV4(),
    fc.ipV6(),
    fc.string({ maxLength: 6 }),
  );
  const anyRequest = fc.oneof(
    fc.array(token, { maxLength: 4 }).map((tokens) => tokens.join(',')),
    fc.string(),
  );

  it('agrees with a naive second parser on random requests', () => {
    fc.assert(
      fc.property(anyRequest, fc.boolean(), (text, isOn) => {
        assert.equal(read(text, { CloudNodeIPs: isOn }), naiveRead(text, isOn));
      }),
      { numRuns: 5000 },
    );
  });

  it('names the offending part and the likely mistake', () => {
    const messages: [string, RegExp][] = [
      ['', /^The request is empty\. Remove it/],
      [
        'IPv4, IPv6',
        /^Request "IPv4, IPv6" contains " IPv6", which is neither .* \(remove the whitespace\)\. Use/,
      ],
      ['ipv6', /^Request "ipv6" is neither .* \(the case of letters matters\)/],
      ['10.0.0.1,', /^Request "10\.0\.0\.1," contains "", .* \(remove the extra comma\)/],
      ['10.0.0.1/8', /\(remove the prefix length\)/],
      ['fe80::1%eth0', /\(remove the zone\)/],
      ['[::1]', /\(remove the brackets\)/],
      ['10.0.0.1,10.0.0.2', /names two IPv4 addresses\. Name one IPv4 and one IPv6/],
      ['0.0.0.0,fd00::1', /contains 0\.0\.0\.0\. Use IPv4 in its place/],
    ];
    for (const [text, want] of messages) {
      const parsed = parseRequest(text, on);
      assert.match(parsed.kind === 'refused' ? parsed.refusal.message : '', want);
    }
  });

  it('repeats only a short part of a hostile text, without control characters', () => {
    for (const text of [
      'A'.repeat(100_000),
      `${'9'.repeat(600)},${'9'.repeat(400)}`,
      '\u001b[31mred\u0007\u009b\u202e\n\u0000'.repeat(20),
      '😀'.repeat(300),
      Array.from({ length: 100 }, () => '1.2.3.4').join(','),
    ]) {
      const parsed = parseRequest(text, on);
      assert.equal(parsed.kind, 'refused');
      const message = parsed.kind === 'refused' ? parsed.refusal.message : '';
      assert.ok(message.length < 300, message);
      assert.match(message, /^[ -~…]*$/u);
    }
  });
});

/**
 * Checks for the codes one after the other, in the order of the rules. Shares only parseAddress.
 */
function naiveRead(text: string, isOn: boolean): string {
  const pieces = text.split(',');
  const families: string[] = [];
  for (const piece of pieces) {
    const family = piece === 'IPv4' || piece === 'IPv6' ? piece : parseAddress(piece)?.family;
    if (family === undefined) return 'InvalidSyntax';
    families.push(family);
  }
  const canonical = pieces.map((piece) => {
    const address = parseAddress(piece);
    return address === undefined ? piece : formatAddress(address);
  });
  const isUnspecified = canonical.includes('0.0.0.0') || canonical.includes('::');
  const isPlain = pieces.length === 1 && !['IPv4', 'IPv6'].includes(text);
  const checks: [RequestRefusalCode, boolean][] = [
    ['TooManyTokens', pieces.length > 2],
    ['SameFamilyPair', pieces.length === 2 && families[0] === families[1]],
    ['UnspecifiedInPair', pieces.length === 2 && isUnspecified],
    ['FeatureDisabled', !isOn && !isPlain],
  ];
  const order = Object.keys(requestRefusals);
  assert.deepEqual(
    checks.map(([code]) => code),
    order.slice(1, 5),
  );
  return checks.find(([, applies]) => applies)?.[0] ?? canonical.join(',');
}
