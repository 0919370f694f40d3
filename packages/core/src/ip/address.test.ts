import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatAddress, type SpecialUse, specialUseOf } from './address.ts';
import { parseAddress } from './parse-address.ts';

describe('specialUseOf', () => {
  const cases: { text: string; want: SpecialUse | undefined }[] = [
    { text: '0.0.0.0', want: 'unspecified' },
    { text: '0.0.0.1', want: undefined },
    { text: '::', want: 'unspecified' },
    { text: '::ffff:0.0.0.0', want: 'unspecified' },
    { text: '127.0.0.1', want: 'loopback' },
    { text: '127.255.255.255', want: 'loopback' },
    { text: '128.0.0.0', want: undefined },
    { text: '::1', want: 'loopback' },
    { text: '::2', want: undefined },
    { text: '223.255.255.255', want: undefined },
    { text: '224.0.0.0', want: 'multicast' },
    { text: '239.255.255.255', want: 'multicast' },
    { text: '240.0.0.0', want: undefined },
    { text: 'ff00::', want: 'multicast' },
    { text: 'feff::1', want: undefined },
    { text: '169.253.255.255', want: undefined },
    { text: '169.254.0.1', want: 'link-local' },
    { text: '169.255.0.0', want: undefined },
    { text: 'fe80::1', want: 'link-local' },
    { text: 'febf:ffff::1', want: 'link-local' },
    { text: 'fec0::1', want: undefined },
    { text: '10.0.0.1', want: undefined },
    { text: 'fd00::1', want: undefined },
  ];
  for (const { text, want } of cases) {
    it(`calls ${text} ${want ?? 'ordinary'}`, () => {
      assert.equal(specialUseOf(parseAddress(text)!), want);
    });
  }
});

describe('formatAddress', () => {
  it('prints IPv6 as in RFC 5952: lower case, with the first longest run of zeros shortened', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 0, 1, 0xab, 0xffff), { minLength: 8, maxLength: 8 }),
        (groups) => {
          fc.pre(!groups.slice(0, 5).every((group) => group === 0) || groups[5] !== 0xffff);
          const text = groups.map((group) => group.toString(16)).join(':');
          assert.equal(formatAddress(parseAddress(text)!), shorten(groups));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/**
 * Implements RFC 5952, section 4, by trying every run of at least two zeros, longest and leftmost
 * first.
 */
function shorten(groups: readonly number[]): string {
  const words = groups.map((group) => group.toString(16));
  for (let length = 8; length >= 2; length--) {
    for (let start = 0; start + length <= 8; start++) {
      if (groups.slice(start, start + length).every((group) => group === 0)) {
        return `${words.slice(0, start).join(':')}::${words.slice(start + length).join(':')}`;
      }
    }
  }
  return words.join(':');
}
