import assert from 'node:assert/strict';
import { formatCidr } from '@tandem/core/ip';
import { parseConfiguration } from './read-configuration.ts';

const head = 'apiVersion: tandem.dev/v1alpha1\nkind: ManagerConfiguration\npodCIDRPools:\n';

/** Parses pools in flow style, one on each line from line 4 on. */
function parse(...pools: readonly string[]) {
  const text = `${head}${pools.map((pool) => `- {${pool}}\n`).join('')}`;
  return parseConfiguration(text, { path: 'c.yaml', gates: { CloudNodeIPs: true } });
}

/** `name: 10.0.0.0/16 in /24 and …`. */
const read = (...pools: readonly string[]): string[] => {
  const { podCIDRPools, problems } = parse(...pools);
  assert.deepEqual(problems, []);
  return podCIDRPools.map(({ name, ranges }) => {
    const sized = ranges.map(({ cidr, nodeMaskSize }) => `${formatCidr(cidr)} in /${nodeMaskSize}`);
    return `${name}: ${sized.join(' and ')}`;
  });
};

describe('the pod CIDR pools of the configuration file', () => {
  const accepted = [
    {
      name: 'both families with the default sizes',
      pools: ['name: a, cidrs: [10.0.0.0/16, "fd00::/48"]'],
      want: ['a: 10.0.0.0/16 in /24 and fd00::/48 in /64'],
    },
    {
      name: 'IPv6 first',
      pools: ['name: a, cidrs: ["fd00::/48", 10.0.0.0/16], nodeMaskSizes: {IPv4: 28}'],
      want: ['a: fd00::/48 in /64 and 10.0.0.0/16 in /28'],
    },
    {
      name: 'an IPv6 range of more than 16 bits of blocks',
      pools: ['name: a, cidrs: ["fd00::/8"], nodeMaskSizes: {IPv6: 128}'],
      want: ['a: fd00::/8 in /128'],
    },
    {
      name: 'a range of a single block',
      pools: ['name: a, cidrs: [10.0.0.0/32], nodeMaskSizes: {IPv4: 32}'],
      want: ['a: 10.0.0.0/32 in /32'],
    },
    {
      name: 'pools in the order of the file, side by side',
      pools: ['name: b, cidrs: [10.1.0.0/16]', 'name: a, cidrs: [10.0.0.0/16], selector: {}'],
      want: ['b: 10.1.0.0/16 in /24', 'a: 10.0.0.0/16 in /24'],
    },
  ];
  for (const { name, pools, want } of accepted) {
    it(`may have ${name}`, () => assert.deepEqual(read(...pools), want));
  }

  it('match all nodes without a selector, and have the line and path of each range', () => {
    const { podCIDRPools } = parse('name: a, cidrs: [10.0.0.0/16, "fd00::/48"]');
    const [pool] = podCIDRPools;
    assert.equal(pool?.selector, undefined);
    assert.deepEqual(
      pool?.ranges.map(({ place }) => place),
      ['c.yaml:4: podCIDRPools[0].cidrs[0]', 'c.yaml:4: podCIDRPools[0].cidrs[1]'],
    );
  });

  const refused = [
    {
      pools: [''],
      want: ['podCIDRPools[0]: name is missing', 'podCIDRPools[0]: cidrs is missing'],
    },
    {
      pools: ['name: a, cidrs: []'],
      want: ['podCIDRPools[0].cidrs: has no ranges. List one range, or one of each family.'],
    },
    {
      pools: ['name: a, cidrs: [10.0.0.0/16, 10.1.0.0/16]'],
      want: ['podCIDRPools[0].cidrs: has two IPv4 ranges. List one range, or one of each family.'],
    },
    {
      pools: ['name: a, cidrs: [10.0.0.0/16, 10.1.0.0/16, "fd00::/48"]'],
      want: ['podCIDRPools[0].cidrs: has 3 ranges. List one range, or one of each family.'],
    },
    {
      pools: ['name: a, cidrs: [10.0.0.1/16, "fd00::"], nodeMaskSizes: {IPv6: 64}'],
      want: [
        'podCIDRPools[0].cidrs[0]: "10.0.0.1/16" has bits set beyond its prefix length; the network is 10.0.0.0/16',
        'podCIDRPools[0].cidrs[1]: "fd00::" has no prefix length; expected a network such as 192.0.2.0/24 or 2001:db8::/64',
      ],
    },
    {
      pools: ['name: a, cidrs: [10.0.0.0/26]'],
      want: [
        'podCIDRPools[0].cidrs[0]: 10.0.0.0/26 has no blocks of /24, the default. Use a larger range, or set nodeMaskSizes.IPv4 to a size from 26 to 32.',
      ],
    },
    {
      pools: ['name: a, cidrs: [224.1.0.0/16, "ff00::/8"]'],
      want: [
        'podCIDRPools[0].cidrs[0]: 224.1.0.0/16 lies in 224.0.0.0/4, which is for multicast. Use a private range, such as 10.244.0.0/16 or fd00:10:244::/48.',
        'podCIDRPools[0].cidrs[1]: ff00::/8 is for multicast. Use a private range, such as 10.244.0.0/16 or fd00:10:244::/48.',
      ],
    },
    {
      pools: ['name: a, cidrs: [10.0.0.0/26, x], nodeMaskSizes: {IPv6: 64}'],
      want: [
        'podCIDRPools[0].cidrs[1]: "x" has no prefix length; expected a network such as 192.0.2.0/24 or 2001:db8::/64',
        'podCIDRPools[0].cidrs[0]: 10.0.0.0/26 has no blocks of /24, the default. Use a larger range, or set nodeMaskSizes.IPv4 to a size from 26 to 32.',
      ],
    },
    {
      pools: ['name: a, cidrs: [10.0.0.0/20], nodeMaskSizes: {IPv4: 16}'],
      want: [
        'podCIDRPools[0].nodeMaskSizes.IPv4: 10.0.0.0/20 has no blocks of /16. Use a size from 20 to 32.',
      ],
    },
    {
      pools: ['name: a, cidrs: ["fd00::/48"], nodeMaskSizes: {IPv6: 129, IPv4: 24}'],
      want: [
        'podCIDRPools[0].nodeMaskSizes.IPv4: cidrs has no IPv4 range. Add one, or remove the size.',
        'podCIDRPools[0].nodeMaskSizes.IPv6: fd00::/48 has no blocks of /129. Use a size from 48 to 128.',
      ],
    },
    {
      pools: ['name: a, cidrs: [10.0.0.0/26], nodeMaskSizes: {IPv4: "28", IPv6: 1.5, v6: 1}'],
      want: [
        'podCIDRPools[0].nodeMaskSizes: unknown field v6; known fields: IPv4, IPv6',
        'podCIDRPools[0].nodeMaskSizes.IPv4: expected a whole number, found a string',
        'podCIDRPools[0].nodeMaskSizes.IPv6: must be a whole number',
        'podCIDRPools[0].nodeMaskSizes.IPv6: cidrs has no IPv6 range. Add one, or remove the size.',
      ],
    },
    {
      pools: ['name: "a\\nb", cidrs: [10.0.0.0/16]'],
      want: [
        'podCIDRPools[0].name: "a\\u{a}b" has a line break or another control character. Use a name without them.',
      ],
    },
    {
      pools: [`name: ${'long'.repeat(16)}, cidrs: [10.0.0.0/16]`],
      want: ['podCIDRPools[0].name: has 64 characters. Use at most 63.'],
    },
    {
      pools: ['name: cluster-cidr, cidrs: [10.0.0.0/16]'],
      want: [
        'podCIDRPools[0].name: "cluster-cidr" is the pool of --cluster-cidr. Use another name.',
      ],
    },
    {
      pools: ['name: cluster-cidr, cidrs: [10.0.0.0/16]', 'name: b, cidrs: [10.0.1.0/24]'],
      want: [
        'podCIDRPools[0].name: "cluster-cidr" is the pool of --cluster-cidr. Use another name.',
        'c.yaml:5: podCIDRPools[1].cidrs[0]: 10.0.1.0/24 overlaps 10.0.0.0/16 of pool "cluster-cidr" on line 4. Use another range.',
      ],
    },
    {
      pools: ['name: a, cidrs: 10.0.0.0/16'],
      want: ['podCIDRPools[0].cidrs: expected a list, found a string'],
    },
    {
      pools: ['name: a, cidrs: [10.0.0.0/16], selector: {matchLabel: {}}'],
      want: [
        'podCIDRPools[0].selector: unknown field matchLabel; known fields: matchLabels, matchExpressions',
      ],
    },
  ];
  for (const { pools, want } of refused) {
    it(`are refused with ${want[0]}`, () => {
      const texts = parse(...pools).problems.map((problem) => problem.replace('c.yaml:4: ', ''));
      assert.deepEqual(texts, want);
    });
  }

  it('are refused when two have the same name or overlap, with the line of the later one', () => {
    const { problems } = parse(
      'name: a, cidrs: [10.0.0.0/16, "fd00:1::/48"]',
      'name: b, cidrs: ["fd00::/16", 10.1.0.0/16]',
      'name: a, cidrs: [10.0.9.0/24]',
    );
    assert.deepEqual(problems, [
      'c.yaml:5: podCIDRPools[1].cidrs[0]: fd00::/16 overlaps fd00:1::/48 of pool "a" on line 4. Use another range.',
      'c.yaml:6: podCIDRPools[2].name: "a" is already used on line 4',
      'c.yaml:6: podCIDRPools[2].cidrs[0]: 10.0.9.0/24 overlaps 10.0.0.0/16 of pool "a" on line 4. Use another range.',
    ]);
  });
});
