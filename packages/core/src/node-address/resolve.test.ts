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

/** `I:10.0.0.1 E:1.2.3.4 H:node-0` as a cloud's list. */
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

function resolve(cloud: string, request: string | null, excluded: string[] = []): Resolution {
  const exclusions = excluded.map((text): Exclusion => {
    const parsed = parseCidr(text);
    return parsed.kind === 'cidr' ? { cidr: parsed.cidr, reason: 'a VIP' } : assert.fail(text);
  });
  return resolveAddresses({
    cloud: cloudOf(cloud),
    request,
    exclusions,
    gates: { CloudNodeIPs: true },
  });
}

/** The result in the same notation, with its stack; or the code of the refusal. */
function show(resolution: Resolution): string {
  if (resolution.kind === 'refused') return resolution.refusal.code;
  const entries = resolution.addresses.map(({ type, address }) => `${type.slice(0, 1)}:${address}`);
  return `${entries.join(' ')} = ${resolution.stack}`;
}

describe('resolveAddresses', () => {
  it('gives the addresses, the stack or the refusal of each of the 24 rows of the KEP', () => {
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
      name: 'takes an ExternalIP where no InternalIP of the family is',
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
      name: 'drops the InternalIPs of the other family when only an ExternalIP has this one',
      cloud: 'I:10.0.0.1 E:2001:db8::1',
      request: 'IPv6',
      want: 'E:2001:db8::1 = SS IPv6',
    },
    {
      name: 'joins an InternalIP and an ExternalIP where consumers see the named order',
      cloud: 'E:2001:db8::1 I:10.0.0.1',
      request: 'IPv4,IPv6',
      want: 'I:10.0.0.1 E:2001:db8::1 = DS IPv4-primary',
    },
    {
      name: 'refuses where the InternalIP would be primary instead',
      cloud: 'E:2001:db8::1 I:10.0.0.1',
      request: 'IPv6,IPv4',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'refuses where a literal that is asked for first would not be primary',
      cloud: 'E:2001:db8::1 I:fd00::1 E:1.2.3.4',
      request: '2001:db8::1,IPv4',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'refuses where a literal matches a mere Hostname and the stack would lack it',
      cloud: 'I:10.0.0.1 H:fd00::1',
      request: 'IPv4,fd00::1',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'refuses where a link-local InternalIP would be taken instead of the picked ExternalIP',
      cloud: 'I:169.254.0.1 E:1.2.3.4',
      request: 'IPv4',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'refuses where another address than the second literal would be taken',
      cloud: 'I:fd00::1 H:10.0.0.1 E:10.0.0.8',
      request: 'IPv6,10.0.0.1',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'never picks what no other machine can reach',
      cloud: 'I:127.0.0.1 I:169.254.0.1 I:224.0.0.1 I:0.0.0.0 I:10.0.0.1',
      request: 'IPv4',
      want: 'I:10.0.0.1 = SS IPv4',
    },
    {
      name: 'never picks an unparsable InternalIP, and keeps it where its type is not claimed',
      cloud: 'I:none E:1.2.3.4',
      request: 'IPv4',
      want: 'E:1.2.3.4 I:none = SS IPv4',
    },
    {
      name: 'refuses a family of which there are link-local addresses only',
      cloud: 'I:10.0.0.1 I:fe80::1',
      request: 'IPv6',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'keeps a literal on an ExternalIP as upstream does, InternalIPs and all',
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
      name: 'keeps exact duplicates, which go only when the list is written',
      cloud: 'I:1.2.3.4 I:1.2.3.4',
      request: 'IPv4',
      want: 'I:1.2.3.4 I:1.2.3.4 = SS IPv4',
    },
    {
      name: 'has the codes of syntax before the code of an empty cloud',
      cloud: '',
      request: 'x',
      want: 'InvalidSyntax',
    },
    {
      name: 'refuses every request of a cloud that lists nothing',
      cloud: '',
      request: 'IPv4',
      want: 'NoCloudAddresses',
    },
    {
      name: 'refuses a node without request, too, of a cloud that lists nothing',
      cloud: '',
      request: null,
      want: 'NoCloudAddresses',
    },
    {
      name: 'leaves a list without any IP as it is when nothing asks',
      cloud: 'H:a',
      request: null,
      want: 'H:a = null',
    },
    {
      name: 'has the code of the first token that fails',
      cloud: 'I:10.0.0.1',
      request: 'IPv6,9.9.9.9',
      want: 'NoAddressOfFamily',
    },
    {
      name: 'has the code of the first token that fails, the other way round',
      cloud: 'I:10.0.0.1',
      request: '9.9.9.9,IPv6',
      want: 'AddressNotFound',
    },
    {
      name: 'finds no machine with the unspecified address',
      cloud: 'I:10.0.0.1',
      request: '::',
      want: 'AddressNotFound',
    },
  ];
  for (const { name, cloud, request, want } of cases) {
    it(name, () => assert.equal(show(resolve(cloud, request)), want));
  }

  describe('with exclusions', () => {
    it('leaves out what is excluded, whatever asks (P2)', () => {
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

    it('says by what an address is excluded that was asked for', () => {
      const got = resolve('I:10.0.0.5 I:10.0.0.1', '10.0.0.5', ['10.0.0.5/32']);
      assert.match(
        got.kind === 'refused' ? got.refusal.message : '',
        /asked for 10\.0\.0\.5, which must not be a node IP \(a VIP\): ask for another address, or lift/,
      );
    });
  });

  const messages: { cloud: string; request: string; want: string }[] = [
    {
      cloud: 'I:1.2.3.4 I:5.6.7.8',
      request: 'IPv6',
      want: 'asked for an IPv6 address, the cloud reports only 1.2.3.4 and 5.6.7.8 (InternalIP): add IPv6 to the instance or ask for IPv4',
    },
    {
      cloud: 'H:a',
      request: 'IPv6',
      want: 'asked for an IPv6 address, the cloud reports no IP address: add IPv6 to the instance',
    },
    {
      cloud: 'I:fe80::1 I:1.2.3.4',
      request: 'IPv6',
      want: 'asked for an IPv6 address, the cloud reports only fe80::1 and 1.2.3.4 (InternalIP) (link-local addresses do not count): add IPv6 to the instance or ask for IPv4',
    },
    {
      cloud: 'I:1.2.3.4 E:5.6.7.8',
      request: '9.9.9.9',
      want: 'asked for 9.9.9.9, the cloud reports only 1.2.3.4 (InternalIP), 5.6.7.8 (ExternalIP): ask for an address that it reports, or give the instance this one',
    },
    {
      cloud: 'I:1.2.3.4',
      request: '0.0.0.0',
      want: "asked for 0.0.0.0, which is no machine's address: ask for IPv4 to have one of that family picked, or remove the request",
    },
    {
      cloud: 'E:2001:db8::1 I:10.0.0.1',
      request: 'IPv6,IPv4',
      want: 'asked for IPv6,IPv4 (DS IPv6-primary), but the node would be DS IPv4-primary, because node IPs are InternalIPs before ExternalIPs and never Hostnames: give the instance what is asked for as InternalIPs, or ask for what it has',
    },
  ];
  for (const { cloud, request, want } of messages) {
    it(`tells a person what to do about ${request} of ${cloud}`, () => {
      const got = resolve(cloud, request);
      assert.equal(got.kind === 'refused' ? got.refusal.message : '', want);
    });
  }

  it('repeats at most 128 characters of what came in, however long the addresses are', () => {
    const long = (digit: number): string => `2001:db8:1111:2222:3333:4444:5555:100${digit}`;
    const crowd = `I:${long(2)} I:${long(3)} I:${long(4)} E:${long(5)} E:${long(6)}`;
    const questions: [string, string, string[]][] = [
      [crowd, long(1), []],
      [crowd, 'IPv4', []],
      [crowd, `IPv4,${long(5)}`, []],
      [`${crowd} E:203.0.113.113`, `203.0.113.113,${long(9)}`, []],
      [`${crowd} E:203.0.113.113`, `IPv4,${long(2)}`, []],
      [crowd, long(2), [`${long(2)}/128`]],
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
