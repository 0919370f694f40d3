import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type Cidr,
  cidrKey,
  cidrOfAddress,
  compareCidrs,
  containsAddress,
  containsCidr,
  formatCidr,
  overlaps,
  parseCidr,
  subnetAt,
  subnetCount,
  subnetIndexOf,
} from './cidr.ts';
import { type IpAddress, isSameAddress } from './address.ts';
import { parseAddress } from './parse-address.ts';
import { assertHits } from '../../../../test/support/hits.ts';

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
    { text: '10.0.0.5/16', reason: /beyond its prefix length; the network is 10\.0\.0\.0\/16/ },
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

  it('agrees with a comparison of single bits, and is false across families', () => {
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

  it('finds only the address itself in the CIDR of an address', () => {
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

describe('the algebra of networks', () => {
  const relations = [
    { a: '10.0.0.0/8', b: '10.244.0.0/16', contains: true, overlap: true },
    { a: '10.244.0.0/16', b: '10.0.0.0/8', contains: false, overlap: true },
    { a: '10.0.0.0/8', b: '10.0.0.0/8', contains: true, overlap: true },
    { a: '10.244.0.0/24', b: '10.244.1.0/24', contains: false, overlap: false },
    { a: 'fd00::/48', b: 'fd00:0:0:ffff::/64', contains: true, overlap: true },
    { a: 'fd00::/64', b: 'fd00:0:0:1::/64', contains: false, overlap: false },
    { a: '::/0', b: '10.0.0.0/8', contains: false, overlap: false },
    { a: '0.0.0.0/0', b: 'fd00::/64', contains: false, overlap: false },
  ];
  for (const { a, b, contains, overlap } of relations) {
    it(`${a} ${contains ? 'contains' : 'does not contain'} ${b}`, () => {
      assert.equal(containsCidr(cidr(a), cidr(b)), contains);
      assert.equal(overlaps(cidr(a), cidr(b)), overlap);
      assert.equal(overlaps(cidr(b), cidr(a)), overlap);
    });
  }

  it('sorts networks by family, then address, then size', () => {
    const sorted = ['9.0.0.0/8', '10.0.0.0/8', '10.0.0.0/16', '200.0.0.0/8', '::/0', 'fd00::/8'];
    const shuffled = [5, 2, 0, 4, 1, 3].map((index) => cidr(sorted[index] ?? ''));
    assert.deepEqual(shuffled.toSorted(compareCidrs).map(formatCidr), sorted);
  });

  const subnets = [
    { of: '10.244.0.0/16', prefixLength: 24, index: 0, want: '10.244.0.0/24' },
    { of: '10.244.0.0/16', prefixLength: 24, index: 255, want: '10.244.255.0/24' },
    { of: '0.0.0.0/0', prefixLength: 32, index: 2 ** 32 - 1, want: '255.255.255.255/32' },
    { of: '10.0.0.0/8', prefixLength: 8, index: 0, want: '10.0.0.0/8' },
    { of: 'fd00::/32', prefixLength: 64, index: 2 ** 32 - 1, want: 'fd00:0:ffff:ffff::/64' },
    // First the index spans two words, and then it is longer than one word.
    { of: 'fd00::/56', prefixLength: 72, index: 0xabcd, want: 'fd00:0:0:ab:cd00::/72' },
    { of: 'fd00::/32', prefixLength: 80, index: 2 ** 47 + 1, want: 'fd00:0:8000:0:1::/80' },
    { of: 'fd00::/96', prefixLength: 128, index: 2 ** 31, want: 'fd00::8000:0/128' },
  ];
  for (const { of, prefixLength, index, want } of subnets) {
    it(`number ${index} of the /${prefixLength} in ${of} is ${want}`, () => {
      const subnet = subnetAt(cidr(of), { prefixLength, index });
      assert.equal(formatCidr(subnet), want);
      assert.equal(subnetIndexOf(cidr(of), { prefixLength, address: subnet.network }), index);
    });
  }

  it('gives subnets inside the network, in order and without overlap, as BigInt arithmetic does', () => {
    const networks = fc.constantFrom(
      '10.0.0.0/8',
      '0.0.0.0/0',
      'fd00::/8',
      'fd00:1::/48',
      '8000::/1',
    );
    const longer = fc.nat(53);
    assertHits(20, (hit) =>
      fc.assert(
        fc.property(
          networks,
          longer,
          fc.double({ min: 0, max: 1, noNaN: true }),
          (text, more, at) => {
            const network = cidr(text);
            const bits = network.network.family === 'IPv4' ? 32 : 128;
            const prefixLength = Math.min(network.prefixLength + more, bits);
            const count = subnetCount(network, prefixLength);
            const index = Math.min(Math.floor(at * count), count - 1);
            const subnet = subnetAt(network, { prefixLength, index });
            assert.ok(containsCidr(network, subnet));
            assert.equal(subnetIndexOf(network, { prefixLength, address: subnet.network }), index);
            const step = 1n << BigInt(bits - prefixLength);
            assert.equal(numberOf(subnet), numberOf(network) + BigInt(index) * step);
            if (index === 0) return;
            hit();
            const before = subnetAt(network, { prefixLength, index: index - 1 });
            assert.ok(!overlaps(before, subnet) && compareCidrs(before, subnet) < 0);
          },
        ),
        { numRuns: 2000 },
      ),
    );
  });

  it('finds the subnet of any address in the network, and throws for an address outside', () => {
    const indexOf = (text: string): number =>
      subnetIndexOf(cidr('10.244.0.0/16'), { prefixLength: 24, address: parseAddress(text)! });
    assert.equal(indexOf('10.244.0.255'), 0);
    assert.equal(indexOf('10.244.7.9'), 7);
    for (const text of ['10.245.0.0', '::10.244.7.9']) {
      assert.throws(() => indexOf(text), /should never happen/);
    }
  });

  it('throws for a subnet beyond the network, and for one that is larger', () => {
    const network = cidr('10.0.0.0/16');
    for (const index of [256, -1, 0.5, Number.NaN]) {
      assert.throws(() => subnetAt(network, { prefixLength: 24, index }), /should never happen/);
    }
    for (const prefixLength of [15, 33, 24.5]) {
      assert.throws(() => subnetCount(network, prefixLength), /should never happen/);
    }
  });

  function numberOf({ network }: Cidr): bigint {
    return network.words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
  }
});

describe('the key of a network', () => {
  it('is the same for equal values, and different for others', () => {
    const texts = [
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/8',
      '10.0.0.0/9',
      'a00::/8',
      '::a00:0/104',
      '::a00:0/105',
    ];
    const keys = new Set(texts.map((text) => cidrKey(cidr(text))));
    assert.equal(keys.size, texts.length);
    assert.equal(cidrKey(cidr('FD00:0:0::/64')), cidrKey(cidr('fd00::/64')));
  });
});
