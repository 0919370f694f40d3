import assert from 'node:assert/strict';
import type { Instance, InstanceNetworkInterface } from '@aws-sdk/client-ec2';
import type { Family } from '@tandem/core/ip';
import * as fc from 'fast-check';
import { addressesOf, podBlocksOf } from './addresses.ts';

const first = anInterface({
  ipv4: ['10.0.0.20', '10.0.0.3'],
  ipv6: ['2001:db8::a', '2001:db8::9'],
});
const second = anInterface({ device: 1, ipv4: ['10.0.1.1'], ipv6: ['2001:db8:1::1'] });
const otherCard = anInterface({ card: 1, ipv4: ['10.0.2.1'], ipv6: [] });

const instance: Instance = {
  InstanceId: 'i-0123456789abcdef0',
  PublicIpAddress: '192.0.2.1',
  PrivateDnsName: 'ip-10-0-0-20.eu-west-1.compute.internal',
  PublicDnsName: 'ec2-192-0-2-1.eu-west-1.compute.amazonaws.com',
  NetworkInterfaces: [otherCard, second, first],
};

const ipv4 = [
  'InternalIP 10.0.0.20',
  'InternalIP 10.0.0.3',
  'InternalIP 10.0.1.1',
  'InternalIP 10.0.2.1',
  'ExternalIP 192.0.2.1',
  'InternalDNS ip-10-0-0-20.eu-west-1.compute.internal',
  'Hostname ip-10-0-0-20.eu-west-1.compute.internal',
  'ExternalDNS ec2-192-0-2-1.eu-west-1.compute.amazonaws.com',
];
const ipv6 = ['InternalIP 2001:db8::9', 'InternalIP 2001:db8::a', 'InternalIP 2001:db8:1::1'];

describe('addresses of an EC2 instance', () => {
  const read = (families: readonly Family[], changes: Partial<Instance> = {}): string[] =>
    addressesOf({ ...instance, ...changes }, families).map(
      ({ type, address }) => `${type} ${address}`,
    );

  const orders: { readonly families: readonly Family[]; readonly want: readonly string[] }[] = [
    { families: ['IPv4'], want: ipv4 },
    { families: ['IPv6'], want: ipv6 },
    { families: ['IPv4', 'IPv6'], want: [...ipv4, ...ipv6] },
    { families: ['IPv6', 'IPv4'], want: [...ipv6, ...ipv4] },
  ];
  for (const { families, want } of orders) {
    it(`are in the order of the families: ${families.join(', ')}`, () =>
      assert.deepEqual(read(families), want));
  }

  it('begin with the primary IPv6 address of an interface', () => {
    const primary = { Ipv6Address: '2001:db8::ffff', IsPrimaryIpv6: true };
    const one = { ...first, Ipv6Addresses: [...(first.Ipv6Addresses ?? []), primary] };
    assert.deepEqual(read(['IPv6'], { NetworkInterfaces: [one] }), [
      'InternalIP 2001:db8::ffff',
      ...ipv6.slice(0, 2),
    ]);
  });

  it('leave out interfaces that are not in use, and empty names', () => {
    const attaching = { ...first, Status: 'attaching' } as const;
    const changes = {
      NetworkInterfaces: [attaching, second],
      PrivateDnsName: '',
      PublicDnsName: '',
      PublicIpAddress: undefined,
    };
    assert.deepEqual(read(['IPv4'], changes), ['InternalIP 10.0.1.1']);
  });

  it('are empty for an instance without interfaces', () => {
    assert.deepEqual(addressesOf({ InstanceId: 'i-01234567' }, ['IPv4', 'IPv6']), []);
  });

  it('are empty while no interface is in use, whatever names and public address EC2 shows (P3)', () => {
    const attaching = { ...first, Status: 'attaching' } as const;
    for (const NetworkInterfaces of [undefined, [], [attaching]]) {
      assert.deepEqual(read(['IPv4', 'IPv6'], { NetworkInterfaces }), []);
    }
  });

  it('do not depend on the order in which EC2 lists them', () => {
    const shuffled = <T>(list: readonly T[] = []): fc.Arbitrary<T[]> =>
      fc.shuffledSubarray([...list], { minLength: list.length });
    const interfaces = fc
      .tuple(
        ...[first, second, otherCard].map((one) =>
          fc
            .tuple(shuffled(one.PrivateIpAddresses), shuffled(one.Ipv6Addresses))
            .map(([PrivateIpAddresses, Ipv6Addresses]) => ({
              ...one,
              PrivateIpAddresses,
              Ipv6Addresses,
            })),
        ),
      )
      .chain(shuffled);
    fc.assert(
      fc.property(interfaces, (NetworkInterfaces) => {
        assert.deepEqual(read(['IPv4', 'IPv6'], { NetworkInterfaces }), [...ipv4, ...ipv6]);
      }),
    );
  });

  it('are in one order even where EC2 does not say how interfaces are attached', () => {
    const alike = ['eni-b', 'eni-a'].map((NetworkInterfaceId, index) => ({
      ...anInterface({ ipv4: [`10.0.9.${index}`], ipv6: [] }),
      NetworkInterfaceId,
      Attachment: undefined,
    }));
    for (const NetworkInterfaces of [alike, alike.toReversed()]) {
      assert.deepEqual(read(['IPv4'], { NetworkInterfaces }).slice(0, 2), [
        'InternalIP 10.0.9.1',
        'InternalIP 10.0.9.0',
      ]);
    }
  });
});

describe('pod blocks of an EC2 instance', () => {
  it('are the prefixes of its first interface, sorted by value', () => {
    const prefixes = {
      Ipv4Prefixes: [{ Ipv4Prefix: '10.0.0.112/28' }, { Ipv4Prefix: '10.0.0.16/28' }],
      Ipv6Prefixes: [{ Ipv6Prefix: '2001:db8:0:0:a::/80' }],
    };
    const other = { ...second, Ipv4Prefixes: [{ Ipv4Prefix: '10.0.9.0/28' }] };
    const NetworkInterfaces = [other, { ...first, ...prefixes }];
    assert.deepEqual(podBlocksOf({ ...instance, NetworkInterfaces }), {
      IPv4: ['10.0.0.16/28', '10.0.0.112/28'],
      IPv6: ['2001:db8:0:0:a::/80'],
    });
    assert.deepEqual(podBlocksOf(instance), { IPv4: [], IPv6: [] });
    const onOtherCard = { ...otherCard, ...prefixes };
    assert.deepEqual(podBlocksOf({ ...instance, NetworkInterfaces: [other, onOtherCard] }), {
      IPv4: [],
      IPv6: [],
    });
  });
});

/** The first IPv4 address is the primary one. */
function anInterface(given: {
  readonly card?: number;
  readonly device?: number;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}): InstanceNetworkInterface {
  const { card = 0, device = 0, ipv4: own, ipv6: v6 } = given;
  return {
    Status: 'in-use',
    Attachment: { DeviceIndex: device, NetworkCardIndex: card },
    PrivateIpAddresses: own.map((PrivateIpAddress, index) => ({
      PrivateIpAddress,
      Primary: index === 0,
    })),
    Ipv6Addresses: v6.map((Ipv6Address) => ({ Ipv6Address, IsPrimaryIpv6: false })),
  };
}
