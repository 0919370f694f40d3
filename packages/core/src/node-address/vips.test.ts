import assert from 'node:assert/strict';
import { formatCidr } from '../ip/index.ts';
import { readVips, type VipSettings } from './vips.ts';

describe('readVips', () => {
  it('excludes each VIP of both fields, with the reason that users see', () => {
    const read = readVips({
      apiVIP: '10.0.0.5',
      apiVIPs: ['10.0.0.5', 'fd00::5'],
      ingressVIP: '10.0.0.6',
      machineNetworks: ['10.0.0.0/16', 'fd00::/64'],
    });
    assert.equal(read.kind, 'exclusions');
    const shown =
      read.kind === 'exclusions'
        ? read.exclusions.map(({ cidr, reason }) => `${formatCidr(cidr)} ${reason}`)
        : [];
    assert.deepEqual(shown, [
      '10.0.0.5/32 API VIP',
      'fd00::5/128 API VIP',
      '10.0.0.6/32 ingress VIP',
    ]);
  });

  it('compares the first value of the list by value, not by text', () => {
    assert.equal(readVips({ apiVIP: 'fd00::5', apiVIPs: ['FD00:0::5'] }).kind, 'exclusions');
  });

  it('excludes nothing when nothing is set', () => {
    assert.deepEqual(readVips({}), { kind: 'exclusions', exclusions: [] });
  });

  const refused: { name: string; settings: VipSettings; path: string; message: RegExp }[] = [
    {
      name: 'a list without its singular field',
      settings: { apiVIPs: ['10.0.0.5'] },
      path: 'apiVIPs',
      message: /apiVIPs needs apiVIP/,
    },
    {
      name: 'a list whose first value differs',
      settings: { apiVIP: '10.0.0.5', apiVIPs: ['10.0.0.6'] },
      path: 'apiVIPs',
      message: /first value of apiVIPs must equal apiVIP/,
    },
    {
      name: 'two VIPs of one family',
      settings: { ingressVIP: '10.0.0.5', ingressVIPs: ['10.0.0.5', '10.0.0.6'] },
      path: 'ingressVIPs',
      message: /at most one VIP of each family/,
    },
    {
      name: 'three VIPs',
      settings: { apiVIP: '10.0.0.5', apiVIPs: ['10.0.0.5', 'fd00::5', 'fd00::6'] },
      path: 'apiVIPs',
      message: /at most one/,
    },
    {
      name: 'IPv6 first',
      settings: { apiVIP: 'fd00::5', apiVIPs: ['fd00::5', '10.0.0.5'] },
      path: 'apiVIPs',
      message: /IPv4 VIP first/,
    },
    {
      name: 'a VIP outside the machine networks',
      settings: { apiVIP: '10.1.0.5', machineNetworks: ['10.0.0.0/16'] },
      path: 'apiVIP',
      message: /10\.1\.0\.5 is not in any of the machineNetworks/,
    },
    {
      name: 'an unparsable VIP',
      settings: { apiVIP: '10.0.0', apiVIPs: ['10.0.0.1'] },
      path: 'apiVIP',
      message: /"10\.0\.0" is not an IP address/,
    },
    {
      name: 'an unparsable network',
      settings: { machineNetworks: ['10.0.0.0/16', '10.0.0.1/16'] },
      path: 'machineNetworks[1]',
      message: /the network is 10\.0\.0\.0\/16/,
    },
  ];
  for (const { name, settings, path, message } of refused) {
    it(`refuses ${name}, and names the field`, () => {
      const read = readVips(settings);
      const problems = read.kind === 'invalid' ? read.problems : [];
      assert.equal(problems.length, 1);
      assert.equal(problems[0]?.path, path);
      assert.match(problems[0]?.message ?? '', message);
    });
  }

  it('names all problems at once', () => {
    const read = readVips({ apiVIP: 'x', ingressVIPs: ['10.0.0.1'], machineNetworks: ['y'] });
    assert.deepEqual(read.kind === 'invalid' && read.problems.map(({ path }) => path), [
      'machineNetworks[0]',
      'apiVIP',
      'ingressVIPs',
    ]);
  });
});
