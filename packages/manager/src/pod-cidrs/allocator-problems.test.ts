import assert from 'node:assert/strict';
import { overlaps } from '@tandem/core/ip';
import * as fc from 'fast-check';
import { readIpam } from './node-ipam.fixture.ts';
import { coversAllBlocks } from '@tandem/core/allocation';

const on = '--allocate-node-cidrs';
const four = '--cluster-cidr=10.244.0.0/16';
const six = '--cluster-cidr=fd00:10:244::/48';
const dual = '--cluster-cidr=10.244.0.0/16,fd00:10:244::/48';
const pool = 'name: a, cidrs: [10.1.0.0/16]';

interface Refusal {
  readonly args: readonly string[];
  readonly pools?: readonly string[];
  readonly want: readonly string[];
}

const refusals: readonly Refusal[] = [
  {
    args: [],
    want: [
      '--allocate-node-cidrs: there is no range to allocate from. Pass --cluster-cidr, or list podCIDRPools in the file of --config.',
    ],
  },
  {
    args: ['--cluster-cidr='],
    want: [
      '--allocate-node-cidrs: there is no range to allocate from. Pass --cluster-cidr, or list podCIDRPools in the file of --config.',
    ],
  },
  {
    args: ['--cluster-cidr=10.0.0.0/8,10.1.0.0/16'],
    want: [
      '--cluster-cidr: "10.0.0.0/8,10.1.0.0/16" has two IPv4 ranges. Pass one range, or one of each family.',
    ],
  },
  {
    args: ['--cluster-cidr=10.0.0.0/8,fd00::/48,fd01::/48'],
    want: [
      '--cluster-cidr: "10.0.0.0/8,fd00::/48,fd01::/48" has 3 ranges. Pass one range, or one of each family.',
    ],
  },
  {
    args: ['--cluster-cidr=10.244.0.300/16', '--node-cidr-mask-size-ipv4=8'],
    want: [
      '--cluster-cidr "10.244.0.300/16" is not a network, such as 10.244.0.0/16 or fd00:10:244::/48',
      '--node-cidr-mask-size-ipv4: no range of the size of "10.244.0.300/16" has blocks of /8. Use a size of at least 16.',
    ],
  },
  {
    args: ['--cluster-cidr=10.0.0.0/8, fd00::/48'],
    want: [
      '--cluster-cidr "10.0.0.0/8, fd00::/48" contains a blank: separate the networks by a comma alone',
    ],
  },
  {
    args: ['--cluster-cidr=10.0.0.0/8, fd00::/48', '--node-cidr-mask-size=24'],
    want: [
      '--cluster-cidr "10.0.0.0/8, fd00::/48" contains a blank: separate the networks by a comma alone',
      '--node-cidr-mask-size: one size is not enough for the two families of --cluster-cidr. Use --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6.',
    ],
  },
  {
    args: ['--cluster-cidr=x', '--node-cidr-mask-size=24', '--node-cidr-mask-size-ipv4=25'],
    want: [
      '--cluster-cidr "x" is not a network, such as 10.244.0.0/16 or fd00:10:244::/48',
      '--node-cidr-mask-size: cannot be combined with --node-cidr-mask-size-ipv4. Remove --node-cidr-mask-size.',
    ],
  },
  {
    args: [
      '--cluster-cidr=10.244.0.0/16,x',
      '--node-cidr-mask-size-ipv4=12',
      '--node-cidr-mask-size-ipv6=64',
      '--service-cluster-ip-range=10.0.0.0/8,y',
    ],
    want: [
      '--cluster-cidr "10.244.0.0/16,x" contains "x", which is not a network, such as 10.244.0.0/16 or fd00:10:244::/48',
      '--service-cluster-ip-range "10.0.0.0/8,y" contains "y", which is not a network, such as 10.244.0.0/16 or fd00:10:244::/48',
      '--node-cidr-mask-size-ipv4: 10.244.0.0/16 has no blocks of /12. Use a size from 16 to 32.',
      '--service-cluster-ip-range: 10.0.0.0/8 leaves no block of 10.244.0.0/16 in --cluster-cidr to nodes. Pass ranges that do not overlap.',
    ],
  },
  {
    args: ['--cluster-cidr=x,10.0.0.0/26,y '],
    want: [
      '--cluster-cidr "x,10.0.0.0/26,y " contains "x" and "y", which are not networks, such as 10.244.0.0/16 or fd00:10:244::/48',
      '--cluster-cidr: "x,10.0.0.0/26,y " has 3 ranges. Pass one range, or one of each family.',
      '--cluster-cidr: 10.0.0.0/26 has no blocks of /24, the default. Use a larger range, or set --node-cidr-mask-size-ipv4 to a size from 26 to 32.',
    ],
  },
  {
    args: ['--cluster-cidr=0.0.0.0/0,fe80::/64'],
    want: [
      '--cluster-cidr: 0.0.0.0/0 contains 0.0.0.0/8, which is reserved for "this network". Use a private range, such as 10.244.0.0/16 or fd00:10:244::/48.',
      '--cluster-cidr: fe80::/64 lies in fe80::/10, which is link-local. Use a private range, such as 10.244.0.0/16 or fd00:10:244::/48.',
    ],
  },
  {
    args: ['--cluster-cidr=127.0.0.0/8,::/0'],
    want: [
      '--cluster-cidr: 127.0.0.0/8 is for loopback. Use a private range, such as 10.244.0.0/16 or fd00:10:244::/48.',
      '--cluster-cidr: ::/0 contains ::/127, which is unspecified and loopback. Use a private range, such as 10.244.0.0/16 or fd00:10:244::/48.',
    ],
  },
  {
    args: [dual, '--service-cluster-ip-range=fd00:96::/108,fd00:97::/108'],
    want: [
      '--service-cluster-ip-range: "fd00:96::/108,fd00:97::/108" has two IPv6 ranges. Pass one range, or one of each family.',
    ],
  },
  {
    args: [dual, '--service-cluster-ip-range=10.96.0.0'],
    want: [
      '--service-cluster-ip-range "10.96.0.0" is not a network, such as 10.244.0.0/16 or fd00:10:244::/48',
    ],
  },
  {
    args: [four, '--service-cluster-ip-range=10.0.0.0/8'],
    want: [
      '--service-cluster-ip-range: 10.0.0.0/8 leaves no block of 10.244.0.0/16 in --cluster-cidr to nodes. Pass ranges that do not overlap.',
    ],
  },
  {
    args: ['--cluster-cidr=10.0.0.0/24', '--service-cluster-ip-range=10.0.0.0/28'],
    want: [
      '--service-cluster-ip-range: 10.0.0.0/28 leaves no block of 10.0.0.0/24 in --cluster-cidr to nodes. Pass ranges that do not overlap.',
    ],
  },
  {
    args: [dual, '--node-cidr-mask-size=24'],
    want: [
      '--node-cidr-mask-size: one size is not enough for the two families of --cluster-cidr. Use --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6.',
    ],
  },
  {
    args: [four, '--node-cidr-mask-size=24', '--node-cidr-mask-size-ipv4=25'],
    want: [
      '--node-cidr-mask-size: cannot be combined with --node-cidr-mask-size-ipv4. Remove --node-cidr-mask-size.',
    ],
  },
  {
    args: [
      dual,
      '--node-cidr-mask-size=24',
      '--node-cidr-mask-size-ipv4=25',
      '--node-cidr-mask-size-ipv6=64',
    ],
    want: [
      '--node-cidr-mask-size: cannot be combined with --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6. Remove --node-cidr-mask-size.',
    ],
  },
  {
    args: [four, '--node-cidr-mask-size-ipv6=64'],
    want: [
      '--node-cidr-mask-size-ipv6: --cluster-cidr has no IPv6 range. Add one, or remove the flag.',
    ],
  },
  {
    args: [six, '--node-cidr-mask-size-ipv4=24'],
    want: [
      '--node-cidr-mask-size-ipv4: --cluster-cidr has no IPv4 range. Add one, or remove the flag.',
    ],
  },
  {
    args: [four, '--node-cidr-mask-size=40'],
    want: ['--node-cidr-mask-size: 10.244.0.0/16 has no blocks of /40. Use a size from 16 to 32.'],
  },
  {
    args: [four, '--node-cidr-mask-size-ipv4=33'],
    want: ['--node-cidr-mask-size-ipv4 "33" is out of range: use 0 to 32'],
  },
  {
    args: ['--cluster-cidr=10.244.0.0/26', '--node-cidr-mask-size-ipv4=33'],
    want: ['--node-cidr-mask-size-ipv4 "33" is out of range: use 0 to 32'],
  },
  {
    args: [dual, '--node-cidr-mask-size-ipv6=47'],
    want: [
      '--node-cidr-mask-size-ipv6: fd00:10:244::/48 has no blocks of /47. Use a size from 48 to 128.',
    ],
  },
  {
    args: ['--cluster-cidr=10.244.0.0/26'],
    want: [
      '--cluster-cidr: 10.244.0.0/26 has no blocks of /24, the default. Use a larger range, or set --node-cidr-mask-size-ipv4 to a size from 26 to 32.',
    ],
  },
  {
    args: [four, '--cidr-allocator-type=IPAMFromCluster'],
    want: [
      '--cidr-allocator-type: "IPAMFromCluster" is not supported, and upstream no longer runs it. Use RangeAllocator to allocate pod CIDRs from --cluster-cidr.',
    ],
  },
  {
    args: [four, '--cidr-allocator-type=IPAMFromCloud'],
    want: [
      '--cidr-allocator-type: "IPAMFromCloud" is not supported, and upstream no longer runs it. Use CloudAllocator to take pod CIDRs from the cloud.',
    ],
  },
  {
    args: [four, '--cidr-allocator-type=range'],
    want: ['--cidr-allocator-type "range" is neither RangeAllocator nor CloudAllocator'],
  },
  {
    args: ['--cidr-allocator-type=CloudAllocator'],
    want: [
      '--cidr-allocator-type: CloudAllocator takes the order of the families from --cluster-cidr, which is missing. Pass one range, or one of each family, the primary family first.',
    ],
  },
  {
    args: [dual, '--cidr-allocator-type=CloudAllocator'],
    pools: [pool],
    want: [
      'podCIDRPools: CloudAllocator takes pod CIDRs from the cloud and from no pool. Remove podCIDRPools from the file of --config, or use --cidr-allocator-type=RangeAllocator.',
    ],
  },
  {
    args: ['--node-cidr-mask-size-ipv4=25'],
    pools: [pool],
    want: [
      '--node-cidr-mask-size-ipv4: there is no --cluster-cidr for it. Remove the flag, and set nodeMaskSizes in podCIDRPools.',
    ],
  },
  {
    args: ['--cluster-cidr=10.0.0.0/8'],
    pools: [pool],
    want: [
      'c.yaml:4: podCIDRPools[0].cidrs[0]: 10.1.0.0/16 overlaps 10.0.0.0/8 of --cluster-cidr. Use another range.',
    ],
  },
  {
    args: ['--service-cluster-ip-range=10.0.0.0/8'],
    pools: ['name: b, cidrs: ["fd00::/48", 11.0.0.0/16]', pool],
    want: [
      'c.yaml:5: podCIDRPools[1].cidrs[0]: 10.1.0.0/16 has no block outside 10.0.0.0/8 of --service-cluster-ip-range. Use another range.',
    ],
  },
  {
    args: [],
    pools: ['name: a, cidrs: [10.1.0.0]'],
    want: [
      'c.yaml:4: podCIDRPools[0].cidrs[0]: "10.1.0.0" has no prefix length; expected a network such as 192.0.2.0/24 or 2001:db8::/64',
    ],
  },
  {
    args: [
      '--cluster-cidr=10.0.0.0/8,10.1.0.0/16',
      '--service-cluster-ip-range=10.0.0.0/8,10.96.0.0/12,fd00::/108',
      '--node-cidr-mask-size=24',
      '--node-cidr-mask-size-ipv6=64',
    ],
    pools: ['name: b, cidrs: [10.1.0.0/26]'],
    want: [
      '--cluster-cidr: "10.0.0.0/8,10.1.0.0/16" has two IPv4 ranges. Pass one range, or one of each family.',
      '--service-cluster-ip-range: "10.0.0.0/8,10.96.0.0/12,fd00::/108" has 3 ranges. Pass one range, or one of each family.',
      '--node-cidr-mask-size: cannot be combined with --node-cidr-mask-size-ipv6. Remove --node-cidr-mask-size.',
      '--service-cluster-ip-range: 10.0.0.0/8 leaves no block of 10.0.0.0/8 in --cluster-cidr to nodes. Pass ranges that do not overlap.',
      '--service-cluster-ip-range: 10.0.0.0/8 leaves no block of 10.1.0.0/16 in --cluster-cidr to nodes. Pass ranges that do not overlap.',
      'c.yaml:4: podCIDRPools[0].cidrs[0]: 10.1.0.0/26 overlaps 10.0.0.0/8 of --cluster-cidr. Use another range.',
      'c.yaml:4: podCIDRPools[0].cidrs[0]: 10.1.0.0/26 overlaps 10.1.0.0/16 of --cluster-cidr. Use another range.',
      'c.yaml:4: podCIDRPools[0].cidrs[0]: 10.1.0.0/26 has no block outside 10.0.0.0/8 of --service-cluster-ip-range. Use another range.',
      'c.yaml:4: podCIDRPools[0].cidrs[0]: 10.1.0.0/26 has no blocks of /24, the default. Use a larger range, or set nodeMaskSizes.IPv4 to a size from 26 to 32.',
    ],
  },
];

describe('allocation of pod CIDRs', () => {
  for (const { args, pools, want } of refusals) {
    it(`is refused with ${[...args, ...(pools ?? [])].join(' ') || 'nothing to allocate from'}`, () => {
      assert.deepEqual(readIpam([on, ...args], pools).problems, want);
    });
  }

  it('is not checked when it is off', () => {
    for (const { args, pools } of refusals) {
      const { problems, settings } = readIpam(args, pools);
      const ofValues = problems.filter((problem) => !/^--[a-z0-9-]+ "|^c\.yaml:/.test(problem));
      assert.deepEqual([ofValues, settings], [[], undefined]);
    }
  });

  it('is refused when it is off and --controllers selects nothing else', () => {
    assert.deepEqual(readIpam(['--controllers=nodeipam']).problems, [
      '--controllers selects node-ipam-controller, which does not run: pod CIDRs are allocated only with --allocate-node-cidrs',
    ]);
  });

  it('has only usable blocks in pools that do not overlap, for all flags that are accepted', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyFlags, anyPools, (args, pools) => {
        const { settings, problems } = readIpam([on, ...args], pools);
        if (problems.length > 0) return;
        accepted++;
        assert.ok(settings !== undefined && settings.pools.length > 0);
        for (const { ranges } of settings.pools) {
          const families = new Set(ranges.map(({ cidr }) => cidr.network.family));
          assert.ok(ranges.length > 0 && families.size === ranges.length);
        }
        const all = settings.pools.flatMap(({ ranges }) => ranges);
        for (const range of all) {
          const longest = range.cidr.network.family === 'IPv4' ? 32 : 128;
          assert.ok(range.nodeMaskSize >= range.cidr.prefixLength);
          assert.ok(range.nodeMaskSize <= longest);
          assert.ok(settings.serviceRanges.every((other) => !coversAllBlocks(other, range)));
          assert.ok(all.every((one) => one === range || !overlaps(one.cidr, range.cidr)));
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(accepted > 50, `only ${accepted} were accepted`);
  });
});

/** Only a few networks, so that they often overlap. */
const anyIPv4 = fc
  .tuple(fc.constantFrom('10.0.0.0', '10.64.0.0', '11.0.0.0'), fc.constantFrom(8, 16, 24, 26))
  .map((parts) => parts.join('/'));
const anyIPv6 = fc
  .tuple(fc.constantFrom('fd00::', 'fd01::'), fc.constantFrom(16, 48, 64, 72))
  .map((parts) => parts.join('/'));
const anyList = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(anyIPv4) },
  { weight: 4, arbitrary: fc.tuple(anyIPv6, anyIPv4) },
  { weight: 1, arbitrary: fc.array(anyIPv4, { maxLength: 3 }) },
);
const anySize = fc.constantFrom(0, 20, 24, 28, 32, 64, 128);

/** Leaves the flag out in most runs, because most flags contradict most others. */
const perhaps = <T>(name: string, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly string[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: arbitrary.map((given) => [`--${name}=${String(given)}`]) },
  );

const anyFlags = fc
  .tuple(
    anyList.map((list) => [`--cluster-cidr=${list.join(',')}`]),
    perhaps('service-cluster-ip-range', anyList),
    ...['', '-ipv4', '-ipv6'].map((suffix) => perhaps(`node-cidr-mask-size${suffix}`, anySize)),
  )
  .map((flags) => flags.flat());

const anyPools = fc
  .array(anyList, { maxLength: 1 })
  .map((lists) => lists.map((cidrs, index) => `name: p${index}, cidrs: ${JSON.stringify(cidrs)}`));
