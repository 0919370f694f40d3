import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readRecordedAddresses } from '../../../../test/support/vectors.ts';
import { formatAddress, isSameAddress } from './address.ts';
import { naiveParse } from './naive-parse.fixture.ts';
import { addressLengthMax, parseAddress } from './parse-address.ts';

const read = (text: string): string | null => {
  const address = parseAddress(text);
  return address === undefined ? null : formatAddress(address);
};

/** Texts that resemble addresses: characters of addresses in any order, and mutated addresses. */
const literal = fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended());
const nearlyAddress = fc.oneof(
  literal,
  fc.string({
    unit: fc.constantFrom('0', '0', '1', '9', 'a', 'F', ':', ':', ':', '.', '.'),
    maxLength: 30,
  }),
  fc
    .tuple(literal, fc.nat(), fc.constantFrom('', ':', '.', '::', '0', 'f', '%', ' ', '/'))
    .map(([text, at, inserted]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + inserted + text.slice(place + 1);
    }),
  fc.string(),
);

describe('parseAddress', () => {
  const cases: { text: string; want: string | null }[] = [
    { text: '010.001.0.08', want: '10.1.0.8' },
    { text: `${'0'.repeat(500)}1.2.3.4`, want: '1.2.3.4' },
    { text: '::ffff:1.2.3.4', want: '1.2.3.4' },
    { text: '::FFFF:102:304', want: '1.2.3.4' },
    { text: '::1.2.3.4', want: '::102:304' },
    { text: '00001::1', want: '1::1' },
    { text: '2001:DB8:0:0:1:0:0:1', want: '2001:db8::1:0:0:1' },
    { text: '1:0:3:4:5:6:7:8', want: '1:0:3:4:5:6:7:8' },
    { text: '1:2:3:4:5:6:0:0', want: '1:2:3:4:5:6::' },
    { text: '::', want: '::' },
    { text: '0x1.2.3.4', want: null },
    { text: '1.2.3.4.', want: null },
    { text: '1.2.3', want: null },
    { text: '1.2.3.256', want: null },
    { text: '::1.2.3.256', want: null },
    { text: '1:2:3:4:5:6:7:1.2.3.4', want: null },
    { text: '::1:2:3:4:5:6:7:8', want: null },
    { text: '1::2::3', want: null },
    { text: ':::', want: null },
    { text: '10000::', want: null },
    { text: 'fe80::1%eth0', want: null },
    { text: '[::1]', want: null },
    { text: '::1/64', want: null },
    { text: ' ::1', want: null },
    { text: '::1\n', want: null },
    { text: '١.2.3.4', want: null },
    { text: 'abcd', want: null },
    { text: '', want: null },
  ];
  for (const { text, want } of cases) {
    it(`reads ${JSON.stringify(text.slice(-24))} as ${want ?? 'no address'}`, () => {
      assert.equal(read(text), want);
    });
  }

  it('reads every recorded text as Kubernetes does', () => {
    for (const [text, want] of readRecordedAddresses()) assert.equal(read(text), want, text);
  });

  it('agrees with a naive second parser on random and mutated texts', () => {
    fc.assert(
      fc.property(nearlyAddress, (text) => {
        assert.deepEqual(parseAddress(text)?.words ?? null, naiveParse(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('reads a printed address as the same address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseAddress(text)!;
        const again = parseAddress(formatAddress(address))!;
        assert.ok(isSameAddress(address, again));
        assert.equal(formatAddress(again), formatAddress(address));
      }),
      { numRuns: 2000 },
    );
  });

  it('rejects a text that is longer than the limit', () => {
    const atLimit = '1.2.3.4'.padStart(addressLengthMax, '0');
    assert.equal(read(atLimit), '1.2.3.4');
    assert.equal(read(`0${atLimit}`), null);
  });
});
