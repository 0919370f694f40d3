import assert from 'node:assert/strict';
import {
  readKepRows,
  readRecordedRequests,
  readUpstreamCases,
} from '../../../../test/support/vectors.ts';
import { parseCidr } from '../ip/index.ts';
import { readAddresses } from './address-list.ts';
import type { Exclusion } from './exclusion.ts';
import { resolveAddresses, type Resolution } from './resolve.ts';

/** The notation of a cloud's list, such as `I:10.0.0.1 E:1.2.3.4 H:node-0`. */
const types: Record<string, string> = {
  I: 'InternalIP',
  E: 'ExternalIP',
  H: 'Hostname',
  N: 'Novel',
};
const cloudOf = (text: string) =>
  readAddresses(
    text
      .split(' ')
      .filter(Boolean)
      .map((entry) => ({ type: types[entry.slice(0, 1)]!, address: entry.slice(2) })),
  );

function exclusionOf(text: string, reason: string): Exclusion {
  const parsed = parseCidr(text);
  return parsed.kind === 'invalid' ? assert.fail(text) : { cidr: parsed.cidr, reason };
}

function resolve(cloud: string, request: string | null, excluded: string[] = []): Resolution {
  const exclusions = excluded.map((text): Exclusion => {
    const isVip = /\/(?:32|128)$/.test(text);
    return isVip ? { ...exclusionOf(text, 'API VIP'), isVip } : exclusionOf(text, 'storage');
  });
  return resolveAddresses({
    cloud: cloudOf(cloud),
    request,
    exclusions,
    gates: { CloudNodeIPs: true },
  });
}

/** The result in the same notation with its stack, or the code of the refusal. */
function show(resolution: Resolution): string {
  if (resolution.kind === 'refused') return resolution.refusal.code;
  const entries = resolution.addresses.map(({ type, address }) => `${type.slice(0, 1)}:${address}`);
  return `${entries.join(' ')} = ${resolution.stack}`;
}

describe('resolveAddresses', () => {
  it('gives the addresses and the stack, or refuses, as in each of the 24 rows of the KEP', () => {
    const rows = readKepRows();
    assert.equal(rows.length, 24);
    for (const { cloud, annotation, addresses, stack, error } of rows) {
      const got = resolveAddresses({
        cloud: readAddresses(cloud),
        request: annotation,
        exclusions: [],
        gates: { CloudNodeIPs: true },
      });
      const texts = got.kind === 'resolved' ? got.addresses.map(({ address }) => address) : null;
      assert.deepEqual(texts, addresses);
      assert.equal(got.kind === 'resolved' ? got.stack : null, stack);
      assert.equal(got.kind === 'refused', error !== null);
    }
  });

  for (const [name, rows] of [
    ['the 14 cases of upstream', readUpstreamCases()],
    ['thousands of recorded literal requests', readRecordedRequests()],
  ] as const) {
    it(`gives exactly upstream's answer in ${name}`, () => {
      for (const row of rows) {
        const got = resolveAddresses({
          cloud: readAddresses(row.cloud),
          request: row.annotation,
          exclusions: [],
          gates: { CloudNodeIPs: true },
        });
        const list =
          got.kind === 'resolved'
            ? got.addresses.map(({ type, address }) => ({ type, address }))
            : null;
        assert.deepEqual(list, row.addresses, `${row.name}: ${row.annotation}`);
      }
    });
  }

  const cases: { name: string; cloud: string; request: string | null; want: string }[] = [
    {
      name: 'picks an ExternalIP if there is no InternalIP of the family',
      cloud: 'E:1.2.3.4 H:a',
      request: 'IPv4',
      want: 'E:1.2.3.4 H:a = SS IPv4',
    },
    {
      name: 'prefers an InternalIP to an earlier ExternalIP',
      cloud: 'E:1.2.3.4 I:10.0.0.1',
      request: 'IPv4',
      want: 'I:10.0.0.1 E:1.2.3.4 = SS IPv4',
    },
    {
      name: 'drops the InternalIPs and ExternalIPs of a family that is not named',
      cloud: 'I:10.0.0.1 E:2001:db8::1 E:1.2.3.4 H:fd00::1',
      request: 'IPv4',
      want: 'I:10.0.0.1 E:1.2.3.4 H:fd00::1 = SS IPv4',
    },
    {
      name: 'drops the InternalIPs of the other family if only an ExternalIP has the requested one',
      cloud: 'I:10.0.0.1 E:2001:db8::1',
      request: 'IPv6',
      want: 'E:2001:db8::1 = SS IPv6',
    },
    {
      name: 'combines an InternalIP and an ExternalIP if consumers see the requested order',
      cloud: 'E:2001:db8::1 I:10.0.0.1',
      request: 'IPv4,IPv6',
      want: 'I:10.0.0.1 E:2001:db8::1 = DS IPv4-primary',
    },
    {
      name: 'refuses if the InternalIP would be primary instead',
      cloud: 'E:2001:db8::1 I:10.0.0.1',
      request: 'IPv6,IPv4',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'refuses if the first requested literal would not be primary',
      cloud: 'E:2001:db8::1 I:fd00::1 E:1.2.3.4',
      request: '2001:db8::1,IPv4',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'refuses if a literal matches only a Hostname and the stack would lack it',
      cloud: 'I:10.0.0.1 H:fd00::1',
      request: 'IPv4,fd00::1',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'refuses if consumers would take a link-local InternalIP instead of the picked ExternalIP',
      cloud: 'I:169.254.0.1 E:1.2.3.4',
      request: 'IPv4',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'refuses if consumers would take another address than the second literal',
      cloud: 'I:fd00::1 H:10.0.0.1 E:10.0.0.8',
      request: 'IPv6,10.0.0.1',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'never picks an unreachable address',
      cloud: 'I:127.0.0.1 I:169.254.0.1 I:224.0.0.1 I:0.0.0.0 I:10.0.0.1',
      request: 'IPv4',
      want: 'I:10.0.0.1 = SS IPv4',
    },
    {
      name: 'never picks an unparsable InternalIP, and keeps it if its type is not claimed',
      cloud: 'I:none E:1.2.3.4',
      request: 'IPv4',
      want: 'E:1.2.3.4 I:none = SS IPv4',
    },
    {
      name: 'refuses a family with only link-local addresses',
      cloud: 'I:10.0.0.1 I:fe80::1',
      request: 'IPv6',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'handles a literal on an ExternalIP as upstream does, and keeps all InternalIPs',
      cloud: 'I:10.0.0.1 I:fd00::1 E:1.2.3.4',
      request: '1.2.3.4',
      want: 'E:1.2.3.4 I:10.0.0.1 I:fd00::1 = DS IPv4-primary',
    },
    {
      name: 'claims every type that has the picked address',
      cloud: 'I:1.2.3.4 E:1.2.3.4 I:10.0.0.1 E:5.6.7.8',
      request: 'IPv4',
      want: 'I:1.2.3.4 E:1.2.3.4 = SS IPv4',
    },
    {
      name: 'keeps exact duplicates, which are removed only when the list is written',
      cloud: 'I:1.2.3.4 I:1.2.3.4',
      request: 'IPv4',
      want: 'I:1.2.3.4 I:1.2.3.4 = SS IPv4',
    },
    {
      name: 'reports an error of syntax before an empty cloud',
      cloud: '',
      request: 'x',
      want: 'InvalidSyntax',
    },
    {
      name: 'refuses every request if the cloud lists nothing',
      cloud: '',
      request: 'IPv4',
      want: 'NoCloudAddresses',
    },
    {
      name: 'refuses a node without a request if the cloud lists nothing',
      cloud: '',
      request: null,
      want: 'NoCloudAddresses',
    },
    {
      name: 'keeps a list without any IP if there is no request',
      cloud: 'H:a',
      request: null,
      want: 'H:a = null',
    },
    {
      name: 'has the code of the first failing token, a family',
      cloud: 'I:10.0.0.1',
      request: 'IPv6,9.9.9.9',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'has the code of the first failing token, a literal',
      cloud: 'I:10.0.0.1',
      request: '9.9.9.9,IPv6',
      want: 'AddressNotFound',
    },
    {
      name: 'finds no address for the unspecified address',
      cloud: 'I:10.0.0.1',
      request: '::',
      want: 'AddressNotFound',
    },
  ];
  for (const { name, cloud, request, want } of cases) {
    it(name, () => assert.equal(show(resolve(cloud, request)), want));
  }

  describe('with exclusions', () => {
    it('leaves out excluded addresses, for any request (P2)', () => {
      const cloud = 'I:10.0.0.5 I:10.0.0.1 I:fd00::5 I:fd00::1';
      const vips = ['10.0.0.5/32', 'fd00::5/128'];
      assert.equal(show(resolve(cloud, null, vips)), 'I:10.0.0.1 I:fd00::1 = DS IPv4-primary');
      assert.equal(
        show(resolve(cloud, 'IPv6,IPv4', vips)),
        'I:fd00::1 I:10.0.0.1 = DS IPv6-primary',
      );
      assert.equal(show(resolve(cloud, '10.0.0.5', vips)), 'AddressNotFound');
      assert.equal(show(resolve(cloud, 'IPv4', ['10.0.0.0/8'])), 'NoAddressOfFamily');
      assert.equal(show(resolve(cloud, null, ['10.0.0.0/8', 'fd00::/8'])), 'NoCloudAddresses');
    });

    const vips = ['10.0.0.5/32', 'fd00::5/128'];
    const excluding: { cloud: string; request: string | null; without: string[]; want: string }[] =
      [
        {
          cloud: 'I:10.0.0.5 I:10.0.0.1',
          request: '10.0.0.5',
          without: vips,
          want: 'Requested address 10.0.0.5 is excluded (API VIP). The cloud also reports 10.0.0.1 (InternalIP). Request an address that the cloud reports.',
        },
        {
          cloud: 'I:10.0.0.5',
          request: '10.0.0.5',
          without: vips,
          want: 'Requested address 10.0.0.5 is excluded (API VIP). The cloud reports no other IP address. Give the instance another IP address.',
        },
        {
          cloud: 'I:10.0.0.5 I:10.1.0.1 I:10.2.0.1',
          request: '10.1.0.1',
          without: ['10.0.0.5/32', '10.1.0.0/16'],
          want: 'Requested address 10.1.0.1 is excluded (storage). The cloud also reports 10.2.0.1 (InternalIP), plus 10.0.0.5, which is excluded (API VIP). Request an address that the cloud reports or change the exclusion.',
        },
        {
          cloud: 'I:10.0.0.5',
          request: '10.0.0.9',
          without: vips,
          want: 'Requested address 10.0.0.9 is not an address of the instance. The cloud reports only 10.0.0.5, which is excluded (API VIP). Add this address to the instance.',
        },
        {
          cloud: 'I:10.0.0.5 I:fd00::1',
          request: '10.0.0.9',
          without: vips,
          want: 'Requested address 10.0.0.9 is not an address of the instance. The cloud reports only fd00::1 (InternalIP), plus 10.0.0.5, which is excluded (API VIP). Request an address that the cloud reports or add this one to the instance.',
        },
        {
          cloud: 'I:10.0.0.5',
          request: 'IPv4',
          without: vips,
          want: 'Request "IPv4" needs an IPv4 address, but the cloud reports only 10.0.0.5, which is excluded (API VIP). Give the instance another IPv4 address.',
        },
        {
          cloud: 'I:10.0.0.5',
          request: 'IPv6',
          without: vips,
          want: 'Request "IPv6" needs an IPv6 address, but the cloud reports only 10.0.0.5, which is excluded (API VIP). Add IPv6 to the instance.',
        },
        {
          cloud: 'I:10.0.0.5 I:fd00::1',
          request: 'IPv4',
          without: vips,
          want: 'Request "IPv4" needs an IPv4 address, but the cloud reports only fd00::1 (InternalIP), plus 10.0.0.5, which is excluded (API VIP). Give the instance another IPv4 address or request IPv6.',
        },
        {
          cloud: 'I:10.0.0.5 I:10.1.0.1 I:fd00::1',
          request: 'IPv4,IPv6',
          without: ['10.0.0.5/32', '10.1.0.0/16'],
          want: 'Request "IPv4,IPv6" needs an IPv4 address, but the cloud reports only fd00::1 (InternalIP), plus 10.0.0.5 (API VIP) and 10.1.0.1 (storage), which are excluded. Give the instance another IPv4 address, change the exclusion or request IPv6.',
        },
        {
          cloud: 'I:10.0.0.5 I:fe80::1',
          request: 'IPv6',
          without: vips,
          want: 'Request "IPv6" needs an IPv6 address, but the cloud reports only fe80::1 (InternalIP), plus 10.0.0.5, which is excluded (API VIP). Node IPs cannot be link-local addresses. Add IPv6 to the instance.',
        },
        {
          cloud: 'I:10.0.0.5 E:203.0.113.5 I:fd00::1',
          request: 'IPv4,IPv6',
          without: vips,
          want: 'Request "IPv4,IPv6" means DS IPv4-primary, but the node would be DS IPv6-primary. Consumers take InternalIPs before ExternalIPs as node IPs, and never Hostnames. 10.0.0.5 is excluded (API VIP). Give the instance the requested addresses as InternalIPs or request what it has.',
        },
        {
          cloud: 'I:10.0.0.5 E:10.0.0.5',
          request: null,
          without: vips,
          want: 'The cloud reports only 10.0.0.5, which is excluded (API VIP). Give the instance another address.',
        },
        {
          cloud: 'I:10.0.0.5 I:fd00::5',
          request: null,
          without: vips,
          want: 'The cloud reports only 10.0.0.5 and fd00::5, which are excluded (API VIP). Give the instance another address.',
        },
        {
          cloud: 'I:10.0.0.5 I:10.1.0.1',
          request: null,
          without: ['10.0.0.5/32', '10.1.0.0/16'],
          want: 'The cloud reports only 10.0.0.5 (API VIP) and 10.1.0.1 (storage), which are excluded. Give the instance another address or change the exclusion.',
        },
      ];
    it('names two excluded addresses, and what excludes each, if both fit', () => {
      const got = resolveAddresses({
        cloud: readAddresses(
          ['192.0.2.10', '198.51.100.10'].map((address) => ({ type: 'InternalIP', address })),
        ),
        request: null,
        exclusions: [
          exclusionOf('192.0.2.0/24', 'excludeCIDRs 192.0.2.0/24: storage network'),
          exclusionOf('198.51.100.0/24', 'excludeCIDRs 198.51.100.0/24: backup network'),
        ],
        gates: { CloudNodeIPs: true },
      });
      assert.match(
        got.kind === 'refused' ? got.refusal.message : '',
        /only 192\.0\.2\.10 \(excludeCIDRs 192\.0\.2\.0\/24: storage network\) and 198\.51\.100\.10 \(excludeCIDRs 198\.51\.100\.0\/24: backup network\), which are excluded\./,
      );
    });
    for (const { cloud, request, without, want } of excluding) {
      it(`names excluded addresses and what excludes them: ${request} of ${cloud}`, () => {
        const got = resolve(cloud, request, without);
        assert.equal(got.kind === 'refused' ? got.refusal.message : '', want);
      });
    }
  });

  const messages: { cloud: string; request: string; want: string }[] = [
    {
      cloud: 'I:10.0.1.5 I:10.0.1.5',
      request: 'IPv6',
      want: 'Request "IPv6" needs an IPv6 address, but the cloud reports only 10.0.1.5 (InternalIP). Add IPv6 to the instance or request IPv4.',
    },
    {
      cloud: 'I:1.2.3.4 I:5.6.7.8',
      request: 'IPv6',
      want: 'Request "IPv6" needs an IPv6 address, but the cloud reports only 1.2.3.4 and 5.6.7.8 (InternalIP). Add IPv6 to the instance or request IPv4.',
    },
    {
      cloud: 'H:a',
      request: 'IPv6',
      want: 'Request "IPv6" needs an IPv6 address, but the cloud reports no IP address. Add IPv6 to the instance.',
    },
    {
      cloud: 'I:fe80::1 I:1.2.3.4',
      request: 'IPv6',
      want: 'Request "IPv6" needs an IPv6 address, but the cloud reports only fe80::1 and 1.2.3.4 (InternalIP). Node IPs cannot be link-local addresses. Add IPv6 to the instance or request IPv4.',
    },
    {
      cloud: 'I:1.2.3.4 E:5.6.7.8',
      request: '9.9.9.9',
      want: 'Requested address 9.9.9.9 is not an address of the instance. The cloud reports only 1.2.3.4 (InternalIP) and 5.6.7.8 (ExternalIP). Request an address that the cloud reports or add this one to the instance.',
    },
    {
      cloud: 'I:1.2.3.4',
      request: '0.0.0.0',
      want: 'Requested address 0.0.0.0 is not the address of a machine. Request IPv4 for any IPv4 address of the instance, or remove the request.',
    },
    {
      cloud: 'E:2001:db8::1 I:10.0.0.1',
      request: 'IPv6,IPv4',
      want: 'Request "IPv6,IPv4" means DS IPv6-primary, but the node would be DS IPv4-primary. Consumers take InternalIPs before ExternalIPs as node IPs, and never Hostnames. Give the instance the requested addresses as InternalIPs or request what it has.',
    },
    {
      cloud: 'I:169.254.0.1 E:1.2.3.4',
      request: 'IPv4',
      want: 'Request "IPv4" means SS IPv4, but consumers would use 169.254.0.1 instead. Consumers take InternalIPs before ExternalIPs as node IPs, and never Hostnames. Give the instance the requested addresses as InternalIPs or request what it has.',
    },
    {
      cloud: 'I:fd00::1 H:10.0.0.1 E:10.0.0.8',
      request: 'IPv6,10.0.0.1',
      want: 'Request "IPv6,10.0.0.1" means DS IPv6-primary, but consumers would use 10.0.0.8 instead. Consumers take InternalIPs before ExternalIPs as node IPs, and never Hostnames. Give the instance the requested addresses as InternalIPs or request what it has.',
    },
  ];
  for (const { cloud, request, want } of messages) {
    it(`says what to do about ${request} of ${cloud}`, () => {
      const got = resolve(cloud, request);
      assert.equal(got.kind === 'refused' ? got.refusal.message : '', want);
    });
  }

  it('repeats at most 128 characters of its input, however long the addresses are', () => {
    const long = (digit: number): string => `2001:db8:1111:2222:3333:4444:5555:100${digit}`;
    const crowd = `I:${long(2)} I:${long(3)} I:${long(4)} E:${long(5)} E:${long(6)}`;
    const questions: [string, string, string[]][] = [
      [crowd, long(1), []],
      [crowd, 'IPv4', []],
      [crowd, `IPv4,${long(5)}`, []],
      [`${crowd} E:203.0.113.113`, `203.0.113.113,${long(9)}`, []],
      [`${crowd} E:203.0.113.113`, `IPv4,${long(2)}`, []],
      [crowd, long(2), [`${long(2)}/128`]],
      [crowd, long(1), [`${long(2)}/127`]],
      [crowd, 'IPv4', [`${long(2)}/127`]],
      [crowd, 'IPv4', ['2001:db8::/32']],
      [crowd, long(2), ['2001:db8::/32']],
      [`${crowd} E:203.0.113.113`, `IPv4,${long(2)}`, [`${long(4)}/128`]],
      [crowd, `${long(2)},${long(3)}`, []],
      [crowd, `${long(2)},`, []],
    ];
    for (const [cloud, request, excluded] of questions) {
      const got = resolve(cloud, request, excluded);
      const message = got.kind === 'refused' ? got.refusal.message : assert.fail(request);
      const echoed = message.match(/[0-9a-f]*[:.][0-9a-f:.,]*|…/g)?.join('') ?? '';
      assert.ok(echoed.length <= 128, `${echoed.length}: ${message}`);
      assert.ok(message.length <= 400, message);
    }
  });
});
