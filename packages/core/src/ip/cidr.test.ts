import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Cidr, cidrOfAddress, containsAddress, formatCidr, parseCidr } from './cidr.ts';
import { type IpAddress, isSameAddress } from './address.ts';
import { parseAddress } from './parse-address.ts';

const cidr = (text: string): Cidr => {
  const parsed = parseCidr(text);
  assert.equal(parsed.kind, 'cidr', text);
  return parsed.kind === 'cidr' ? parsed.cidr : assert.fail();
};

describe('parseCidr', () => {
  for (const text of [
    '0.0.0.0/0',
    '10.0.0.0/8',
    '192.0.2.7/32',
    '::/0',
    '2001:db8::/33',
    '::1/128',
  ]) {
    it(`reads ${text} and prints it the same`, () => assert.equal(formatCidr(cidr(text)), text));
  }

  const refused: { text: string; reason: RegExp }[] = [
    { text: '10.0.0.5/16', reason: /beyond its prefix; the network is 10\.0\.0\.0\/16/ },
    { text: 'fd00::1/64', reason: /the network is fd00::\/64/ },
    { text: '10.0.0.0', reason: /no prefix length/ },
    { text: '10.0.0.0/33', reason: /from 0 to 32/ },
    { text: '::/129', reason: /from 0 to 128/ },
    { text: '10.0.0.0/08', reason: /from 0 to 32/ },
    { text: '10.0.0.0/-1', reason: /from 0 to 32/ },
    { text: '10.0.0.0/8/8', reason: /from 0 to 32/ },
    { text: '10.0.0.0/', reason: /from 0 to 32/ },
    { text: '/8', reason: /does not start with an IP address/ },
    { text: '::ffff:10.0.0.0/104', reason: /IPv4-mapped/ },
  ];
  for (const { text, reason } of refused) {
    it(`refuses ${text} and says why`, () => {
      const parsed = parseCidr(text);
      assert.equal(parsed.kind, 'invalid');
      assert.match(parsed.kind === 'invalid' ? parsed.reason : '', reason);
    });
  }
});

describe('containsAddress', () => {
  const bitsOf = ({ words, family }: IpAddress): string =>
    words
      .map((word) => word.toString(2).padStart(32, '0'))
      .join('')
      .slice(family === 'IPv4' ? 96 : 0);
  const zeros = (text: string): string => text.split('').fill('0').join('');

  it('agrees with comparing bits one by one, and never across families', () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('10.0.0.1', '10.0.0.9', 'fd00::1', 'fd00::9'),
    );
    fc.assert(
      fc.property(address, address, fc.nat(128), (networkText, otherText, length) => {
        const [network, other] = [parseAddress(networkText)!, parseAddress(otherText)!];
        const bits = bitsOf(network);
        const prefixLength = Math.min(length, bits.length);
        const masked = bits.slice(0, prefixLength) + zeros(bits.slice(prefixLength));
        const prefix = { network: ofBits(masked, network.family), prefixLength };
        const want =
          other.family === network.family &&
          bitsOf(other).slice(0, prefixLength) === bits.slice(0, prefixLength);
        assert.equal(containsAddress(prefix, other), want);
      }),
      { numRuns: 2000 },
    );
  });

  it('holds one address only in the prefix of an address', () => {
    const [one, next] = [parseAddress('10.0.0.5')!, parseAddress('10.0.0.4')!];
    assert.ok(containsAddress(cidrOfAddress(one), one));
    assert.ok(!containsAddress(cidrOfAddress(one), next));
    assert.ok(isSameAddress(cidr('10.0.0.5/32').network, one));
  });

  function ofBits(bits: string, family: string): IpAddress {
    const step = family === 'IPv4' ? 8 : 16;
    const parts = bits
      .match(new RegExp(`.{${step}}`, 'g'))!
      .map((part) => Number.parseInt(part, 2));
    const text =
      family === 'IPv4' ? parts.join('.') : parts.map((part) => part.toString(16)).join(':');
    return parseAddress(text)!;
  }
});
