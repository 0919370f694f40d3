import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cidrOfAddress, containsAddress, parseAddress } from '../ip/index.ts';
import { readAddresses } from './address-list.ts';
import { exclude, type Exclusion, losesToExclusion } from './exclusion.ts';

const exclusion = (text: string, type?: string): Exclusion => ({
  cidr: cidrOfAddress(parseAddress(text)!),
  reason: `${text} ${type ?? 'any'}`,
  ...(type === undefined ? {} : { type }),
});
const anyAddress = fc.constantFrom('10.0.0.5', '::ffff:10.0.0.5', '10.0.0.6', 'fd00::5', 'node-0');
const anyType = fc.constantFrom('InternalIP', 'ExternalIP', 'Hostname');

describe('exclude', () => {
  it('excludes an address by value, with the reason of the first exclusion that covers it', () => {
    const cloud = readAddresses([{ type: 'InternalIP', address: '::ffff:10.0.0.5' }]);
    const { usable, excluded } = exclude(cloud, [
      exclusion('10.0.0.5', 'ExternalIP'),
      exclusion('10.0.0.5', 'InternalIP'),
      exclusion('10.0.0.5'),
    ]);
    assert.deepEqual(usable, []);
    assert.deepEqual(
      excluded.map(({ address, reason }) => [address, reason]),
      [['::ffff:10.0.0.5', '10.0.0.5 InternalIP']],
    );
  });

  it('splits every list into excluded and usable addresses, by address and type', () => {
    const entries = fc.array(fc.record({ type: anyType, address: anyAddress }), { maxLength: 6 });
    const exclusions = fc.array(
      fc
        .tuple(fc.constantFrom('10.0.0.5', 'fd00::5'), fc.option(anyType, { nil: undefined }))
        .map(([text, type]) => exclusion(text, type)),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(entries, exclusions, (list, without) => {
        const cloud = readAddresses(list);
        const isCovered = cloud.map(({ type, ip }) =>
          without.some(
            (one) =>
              ip !== undefined && (one.type ?? type) === type && containsAddress(one.cidr, ip),
          ),
        );
        const { usable, excluded } = exclude(cloud, without);
        assert.deepEqual(
          usable,
          cloud.filter((_, index) => !isCovered[index]),
        );
        assert.deepEqual(
          excluded.map(({ type, address }) => ({ type, address })),
          cloud
            .filter((_, index) => isCovered[index])
            .map(({ type, address }) => ({ type, address })),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('losesToExclusion', () => {
  const cases: { name: string; before: string; type: string; want: boolean }[] = [
    {
      name: 'is true for an equal value',
      before: '::ffff:10.0.0.5',
      type: 'InternalIP',
      want: true,
    },
    { name: 'is false for another type', before: '10.0.0.5', type: 'ExternalIP', want: false },
    { name: 'is false for another address', before: '10.0.0.6', type: 'InternalIP', want: false },
    { name: 'is false for a host name', before: 'node-0', type: 'InternalIP', want: false },
  ];
  for (const { name, before, type, want } of cases) {
    it(name, () => {
      const excluded = [{ type: 'InternalIP', address: '10.0.0.5' }];
      assert.equal(losesToExclusion([{ type, address: before }], excluded), want);
      assert.equal(losesToExclusion([{ type, address: before }], []), false);
    });
  }
});
