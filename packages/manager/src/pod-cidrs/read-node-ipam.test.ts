import assert from 'node:assert/strict';
import { formatCidr } from '@tandem/core/ip';
import { readIpam } from './node-ipam.fixture.ts';

const on = '--allocate-node-cidrs';
const dual = '--cluster-cidr=10.244.0.0/16,fd00:10:244::/48';

/** `name: 10.0.0.0/16 in /24 and …`. */
function poolsOf(args: readonly string[], pools: readonly string[] = []): readonly string[] {
  const { settings, problems } = readIpam([on, ...args], pools);
  assert.deepEqual(problems, []);
  return (settings?.pools ?? []).map(({ name, ranges }) => {
    const sized = ranges.map(({ cidr, nodeMaskSize }) => `${formatCidr(cidr)} in /${nodeMaskSize}`);
    return `${name}: ${sized.join(' and ')}`;
  });
}

describe('the settings of node-ipam-controller', () => {
  const accepted = [
    {
      name: 'IPv4 alone, in /24',
      args: ['--cluster-cidr=10.244.0.0/16'],
      want: ['cluster-cidr: 10.244.0.0/16 in /24'],
    },
    {
      name: 'IPv6 alone, in /64',
      args: ['--cluster-cidr=fd00:10:244::/48'],
      want: ['cluster-cidr: fd00:10:244::/48 in /64'],
    },
    {
      name: 'both families, IPv6 first',
      args: ['--cluster-cidr=fd00:10:244::/48,10.244.0.0/16'],
      want: ['cluster-cidr: fd00:10:244::/48 in /64 and 10.244.0.0/16 in /24'],
    },
    {
      name: 'sizes by family',
      args: [dual, '--node-cidr-mask-size-ipv4=26', '--node-cidr-mask-size-ipv6=72'],
      want: ['cluster-cidr: 10.244.0.0/16 in /26 and fd00:10:244::/48 in /72'],
    },
    {
      name: 'one size for one range of either family',
      args: ['--cluster-cidr=fd00:10:244::/48', '--node-cidr-mask-size=80'],
      want: ['cluster-cidr: fd00:10:244::/48 in /80'],
    },
    {
      name: 'sizes of 0, which mean the defaults',
      args: [dual, '--node-cidr-mask-size=0', '--node-cidr-mask-size-ipv6=0'],
      want: ['cluster-cidr: 10.244.0.0/16 in /24 and fd00:10:244::/48 in /64'],
    },
    {
      name: 'a range without its host bits and leading zeros',
      args: ['--cluster-cidr=010.244.9.9/16'],
      want: ['cluster-cidr: 10.244.0.0/16 in /24'],
    },
    {
      name: 'an IPv6 range with more than 16 bits of blocks',
      args: ['--cluster-cidr=fd00::/8'],
      want: ['cluster-cidr: fd00::/8 in /64'],
    },
    {
      name: 'a service range inside the cluster range',
      args: ['--cluster-cidr=10.0.0.0/8', '--service-cluster-ip-range=10.96.0.0/12'],
      want: ['cluster-cidr: 10.0.0.0/8 in /24'],
    },
    {
      name: 'the pools of the file, and that of the flags as the last one',
      args: [dual, '--node-cidr-mask-size-ipv4=25'],
      pools: ['name: b, cidrs: [10.1.0.0/16]', 'name: a, cidrs: ["fd00:1::/48"]'],
      want: [
        'b: 10.1.0.0/16 in /24',
        'a: fd00:1::/48 in /64',
        'cluster-cidr: 10.244.0.0/16 in /25 and fd00:10:244::/48 in /64',
      ],
    },
    {
      name: 'pools alone',
      args: [],
      pools: ['name: a, cidrs: [10.1.0.0/16], nodeMaskSizes: {IPv4: 28}'],
      want: ['a: 10.1.0.0/16 in /28'],
    },
    {
      name: 'no pool for CloudAllocator, and sizes that it ignores',
      args: [dual, '--cidr-allocator-type=CloudAllocator', '--node-cidr-mask-size=24'],
      want: [],
    },
  ];
  for (const { name, args, pools, want } of accepted) {
    it(`have ${name}`, () => assert.deepEqual(poolsOf(args, pools), want));
  }

  const orders = [
    { args: [dual], want: ['IPv4', 'IPv6'] },
    { args: ['--cluster-cidr=fd00::/48,10.0.0.0/16'], want: ['IPv6', 'IPv4'] },
    {
      args: ['--cluster-cidr=fd00::/48,10.0.0.0/16', '--cidr-allocator-type=CloudAllocator'],
      want: ['IPv6', 'IPv4'],
    },
    {
      args: [],
      pools: ['name: a, cidrs: [10.0.0.0/16]', 'name: b, cidrs: ["fd00::/48", 10.1.0.0/16]'],
      want: ['IPv6', 'IPv4'],
    },
    {
      args: ['--cluster-cidr=10.0.0.0/16'],
      pools: ['name: b, cidrs: ["fd00::/48"]'],
      want: ['IPv4'],
    },
  ];
  for (const { args, pools, want } of orders) {
    it(`order the families according to ${[...args, ...(pools ?? [])].join(' ')}`, () => {
      assert.deepEqual(readIpam([on, ...args], pools).settings?.families, want);
    });
  }

  it('have the service ranges and upstream’s number of workers', () => {
    const { settings } = readIpam([
      on,
      dual,
      '--service-cluster-ip-range=fd00:96::/108,10.96.0.0/12',
    ]);
    assert.deepEqual(settings?.serviceRanges.map(formatCidr), ['fd00:96::/108', '10.96.0.0/12']);
    assert.equal(settings?.workers, 30);
  });

  it('keep the selector of a pool, and select all nodes without one', () => {
    const { settings } = readIpam(
      [on],
      [
        'name: a, cidrs: [10.0.0.0/16], selector: {matchLabels: {a: b}}',
        'name: b, cidrs: [10.1.0.0/16]',
      ],
    );
    assert.deepEqual(
      settings?.pools.map(({ selector }) => selector),
      [{ matchLabels: { a: 'b' } }, undefined],
    );
  });

  it('are shown on /configz under upstream’s keys', () => {
    const args = [
      on,
      dual,
      '--node-cidr-mask-size-ipv4=25',
      '--service-cluster-ip-range=10.96.0.0/12',
    ];
    assert.deepEqual(readIpam(args).controller.show(), {
      upstream: {
        KubeCloudShared: { AllocateNodeCIDRs: true, CIDRAllocatorType: 'RangeAllocator' },
        NodeIPAMController: {
          ServiceCIDR: '10.96.0.0/12',
          SecondaryServiceCIDR: '',
          NodeCIDRMaskSize: 0,
          NodeCIDRMaskSizeIPv4: 25,
          NodeCIDRMaskSizeIPv6: 0,
        },
      },
      own: {
        podCIDRPools: [
          {
            name: 'cluster-cidr',
            cidrs: ['10.244.0.0/16', 'fd00:10:244::/48'],
            nodeMaskSizes: { IPv4: 25, IPv6: 64 },
          },
        ],
      },
    });
  });
});

describe('node-ipam-controller', () => {
  const nodes = ['cloud-node-controller', 'cloud-node-lifecycle-controller'];
  const ipam = 'node-ipam-controller';
  const route = 'node-route-controller';
  const selections = [
    { args: [dual], want: [...nodes, route] },
    { args: [on, dual], want: [...nodes, ipam, route] },
    { args: [on, dual, '--controllers=*,-node-ipam'], want: [...nodes, route] },
    { args: [on, dual, '--controllers=-nodeipam,*'], want: [...nodes, route] },
    { args: [on, dual, '--controllers=-node-ipam-controller,*'], want: [...nodes, route] },
    { args: [on, dual, '--controllers=node-ipam'], want: [ipam] },
    { args: [on, dual, '--controllers=nodeipam'], want: [ipam] },
    { args: ['--controllers=*,nodeipam'], want: nodes },
  ];
  for (const { args, want } of selections) {
    it(`${want.includes(ipam) ? 'runs' : 'does not run'} with ${args.join(' ')}`, () => {
      const { running, problems } = readIpam(args);
      assert.deepEqual([running, problems], [want, []]);
    });
  }

  it('needs no permissions in a dry run, and those on nodes otherwise', () => {
    const { controller } = readIpam([on, dual]);
    assert.deepEqual(controller.needs('dryRun'), []);
    assert.deepEqual(
      controller.needs('write').flatMap(({ resource, verbs }) => [resource, ...Object.keys(verbs)]),
      ['nodes', 'get', 'nodes', 'patch'],
    );
  });

  const startupNotes = [
    { name: 'nothing for allocation alone', args: [on, dual], want: [] },
    { name: 'nothing for a cluster CIDR alone', args: [dual], want: [] },
    {
      name: 'flags without allocation have no effect',
      args: [
        '--cidr-allocator-type=IPAMFromCloud',
        '--node-cidr-mask-size=40',
        '--node-cidr-mask-size-ipv4=24',
        '--service-cluster-ip-range=10.0.0.0/8',
      ],
      want: [
        'info Flag has no effect --cidr-allocator-type: pod CIDRs are allocated only with --allocate-node-cidrs',
        'info Flag has no effect --node-cidr-mask-size: pod CIDRs are allocated only with --allocate-node-cidrs',
        'info Flag has no effect --node-cidr-mask-size-ipv4: pod CIDRs are allocated only with --allocate-node-cidrs',
        'info Flag has no effect --service-cluster-ip-range: pod CIDRs are allocated only with --allocate-node-cidrs, and no routes are managed',
      ],
    },
    {
      name: 'ranges without allocation have no effect when --configure-cloud-routes is false',
      args: ['--configure-cloud-routes=false', '--service-cluster-ip-range=10.96.0.0/16'],
      pools: ['name: a, cidrs: [10.0.0.0/16]'],
      want: [
        'info Flag has no effect --service-cluster-ip-range: pod CIDRs are allocated only with --allocate-node-cidrs, and no routes are managed',
        'warn Configuration has no effect podCIDRPools: pod CIDRs are allocated only with --allocate-node-cidrs, and no routes are managed',
      ],
    },
    {
      name: 'ranges without allocation have no effect when --controllers leaves out routes',
      args: [dual, '--controllers=*,-route', '--service-cluster-ip-range=10.96.0.0/16'],
      want: [
        'info Flag has no effect --service-cluster-ip-range: pod CIDRs are allocated only with --allocate-node-cidrs, and no routes are managed',
      ],
    },
    {
      name: 'nothing for ranges without allocation that are used for routes',
      args: ['--service-cluster-ip-range=10.96.0.0/16'],
      pools: ['name: a, cidrs: [10.0.0.0/16]'],
      want: [],
    },
    {
      name: 'allocation by a controller that is switched off has no effect',
      args: [on, '--controllers=*,-node-ipam'],
      pools: ['name: a, cidrs: [10.0.0.0/16]'],
      want: [
        'info Flag has no effect --allocate-node-cidrs: --controllers does not select node-ipam-controller',
      ],
    },
    {
      name: 'pools of controllers that are switched off have no effect',
      args: [on, '--controllers=*,-node-ipam,-route'],
      pools: ['name: a, cidrs: [10.0.0.0/16]'],
      want: [
        'info Flag has no effect --allocate-node-cidrs: --controllers does not select node-ipam-controller',
        'warn Configuration has no effect podCIDRPools: --controllers does not select node-ipam-controller, and no routes are managed',
      ],
    },
    {
      name: 'a controller that --controllers names does not run',
      args: ['--controllers=*,node-ipam'],
      want: [
        'warn Controller does not run node-ipam-controller: pod CIDRs are allocated only with --allocate-node-cidrs',
      ],
    },
    {
      name: 'sizes have no effect when the cloud decides about them',
      args: [on, dual, '--cidr-allocator-type=CloudAllocator', '--node-cidr-mask-size-ipv6=64'],
      want: [
        'info Flag has no effect --node-cidr-mask-size-ipv6: CloudAllocator takes pod CIDRs of the size that the cloud assigned',
      ],
    },
    {
      name: 'allocation without leader election is unsafe',
      args: [on, dual, '--leader-elect=false'],
      want: [
        'warn Pod CIDRs are allocated without leader election --leader-elect: two managers at a time can give one block to two nodes. Remove the flag, or make sure that only one manager runs, in rollouts too',
      ],
    },
    {
      name: 'nothing for a dry run without leader election',
      args: [on, dual, '--leader-elect=false', '--dry-run'],
      want: [],
    },
  ];
  const ofOthers = new Set(['Controller is not available in Tandem', 'Managing no routes']);
  for (const { name, args, pools, want } of startupNotes) {
    it(`notes at start: ${name}`, () => {
      const { notes, problems } = readIpam(args, pools);
      const shown = notes
        .filter(({ message }) => !ofOthers.has(message))
        .map(({ level, message, fields }) => {
          const [what, why] = Object.values(fields);
          return `${level} ${message} ${what}: ${why}`;
        });
      assert.deepEqual([shown, problems], [want, []]);
    });
  }
});
