/** The manager on AWS, with upstream's flags and cloud.conf. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAddress } from '@tandem/core/ip';
import {
  anInstance,
  anInterface,
  aTable,
  EC2Error,
  type FakeEC2,
  type FakeInstance,
  type FakeInterface,
  FakeSTS,
  type Fault,
  throttled,
  withTable,
} from '../../support/ec2/index.ts';
import { type KepRow, readKepRows } from '../../support/vectors.ts';
import { openAWSCluster } from './aws-cluster.ts';
import { addressesOf, hasTaint, ipsOf, networkConditionOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

describe('on AWS, the manager', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('initialises nodes with all that EC2 knows of their instances', async () => {
    await using cluster = await openAWSCluster(open);
    const { scenario } = cluster;
    const instance = anInstance(1, { publicIp: '192.0.2.1', publicDnsName: 'public.example' });
    cluster.put(instance);
    const name = instance.privateDnsName;
    await scenario.register({ name });
    await scenario.untilInitialised([name]);
    const { metadata, spec } = scenario.node(name);
    assert.equal(spec.providerID, `aws:///eu-west-1a/${instance.id}`);
    assert.deepEqual(addressesOf(scenario.node(name)), [
      'InternalIP 10.0.0.1',
      'ExternalIP 192.0.2.1',
      `InternalDNS ${name}`,
      `Hostname ${name}`,
      'ExternalDNS public.example',
      'InternalIP 2001:db8::1',
    ]);
    const labels = {
      'node.kubernetes.io/instance-type': 'm7g.large',
      'topology.kubernetes.io/zone': 'eu-west-1a',
      'topology.kubernetes.io/region': 'eu-west-1',
      'topology.k8s.aws/zone-id': 'euw1-az1',
    };
    for (const [key, value] of Object.entries(labels)) assert.equal(metadata.labels?.[key], value);
  });

  it('uses the role of its service account', async () => {
    const role = {
      arn: 'arn:aws:iam::123456789012:role/manager',
      assumedBy: 'token-of-the-service-account',
      accessKeyId: 'ASIAROLE',
    };
    await using sts = await FakeSTS.start(role);
    await using cluster = await openAWSCluster(open, {
      credentials: async ({ directory }) => {
        const token = join(directory, 'token');
        await writeFile(token, role.assumedBy);
        return {
          AWS_ROLE_ARN: role.arn,
          AWS_WEB_IDENTITY_TOKEN_FILE: token,
          AWS_ENDPOINT_URL_STS: sts.url,
          AWS_REGION: 'eu-west-1',
        };
      },
    });
    cluster.ec2.accessKeyId = role.accessKeyId;
    const name = anInstance(1).privateDnsName;
    cluster.put(anInstance(1));
    await cluster.scenario.register({ name });
    await cluster.scenario.untilInitialised([name]);
  });

  it('gives the rows of KEP-3705 to instances with two interfaces, secondary addresses and IPv6', async () => {
    await using cluster = await openAWSCluster(open);
    const { scenario } = cluster;
    const rows = readKepRows().map((row, index) => ({ row, name: `row-${index}` }));
    for (const [index, { row, name }] of rows.entries()) {
      cluster.put(instanceOf(row, { number: index + 1, name }));
      await scenario.register({ name, nodeIP: row.nodeIP });
    }
    const [taken, refused] = [rows.filter(isTaken), rows.filter((each) => !isTaken(each))];
    await scenario.untilInitialised(taken.map(({ name }) => name));
    for (const { row, name } of taken) {
      assert.deepEqual(ipsOf(scenario.node(name)), row.addresses, `${name}: ${row.nodeIP}`);
    }
    for (const { name } of refused) {
      await scenario.until(() => scenario.eventsOf(name).some(({ type }) => type === 'Warning'));
      assert(hasTaint(scenario.node(name)), name);
    }
    assert.equal(rows.length, 24);
  });

  it('leaves the taint of Karpenter, and writes the providerID that Karpenter waits for', async () => {
    await using cluster = await openAWSCluster(open);
    const { scenario } = cluster;
    const { id, privateDnsName: name } = anInstance(1);
    await scenario.register({ name });
    const karpenters = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };
    const taints = [...(scenario.node(name).spec.taints ?? []), karpenters];
    await scenario.patchNode(name, { spec: { taints } });
    cluster.put(anInstance(1));
    await scenario.untilInitialised([name]);
    const { spec } = scenario.node(name);
    assert.equal(spec.providerID, `aws:///eu-west-1a/${id}`);
    assert(spec.taints?.some(({ key }) => key === karpenters.key));
  });

  it('gives nodes the prefixes of their first interface as pod CIDRs, whatever happens to look-ups, and no routes', async () => {
    const [ipv4, ipv6] = ['10.0.7.16/28', '2001:db8:0:0:7::/80'];
    const prefixes = { ipv4Prefixes: [ipv4], ipv6Prefixes: [ipv6] };
    const flags = [
      '--configure-cloud-routes=true',
      '--allocate-node-cidrs',
      '--cidr-allocator-type=CloudAllocator',
      '--cluster-cidr=2001:db8::/48,10.0.0.0/16',
    ];
    const prepare = (ec2: FakeEC2): void => {
      ec2.state = withTable(ec2.state, aTable(1));
      const error = new EC2Error('InternalError', 'An error', 500);
      const page = '<html><body>Sign in</body></html>';
      const faults: readonly Fault[] = [
        { kind: 'reset' },
        { kind: 'refuse', error },
        { kind: 'garbage', body: page },
        throttled,
      ];
      const action = 'DescribeInstances';
      ec2.nextFaults.push(...faults.map((fault) => ({ action, fault })));
    };
    await using cluster = await openAWSCluster(open, { flags, prepare });
    const { scenario, ec2 } = cluster;
    const name = anInstance(1).privateDnsName;
    cluster.put(anInstance(1, { interfaces: [anInterface(1, prefixes)] }));
    await scenario.register({ name });
    await scenario.until(() => scenario.node(name).spec.podCIDRs !== undefined);
    assert.deepEqual(scenario.node(name).spec.podCIDRs, [ipv6, ipv4]);
    await scenario.until(() => networkConditionOf(scenario.node(name)) === 'False RouteCreated');
    assert.deepEqual(ec2.nextFaults, []);

    const zone = 'eu-west-1b';
    const [darkIPv4, darkIPv6] = ['10.0.8.16/28', '2001:db8:0:0:8::/80'];
    const darkPrefixes = { ipv4Prefixes: [darkIPv4], ipv6Prefixes: [darkIPv6] };
    const interfaces = [anInterface(2, darkPrefixes)];
    const dark = anInstance(2, { zone, interfaces });
    cluster.put(dark);
    ec2.zonesDown.add(zone);
    await scenario.register({ name: 'dark', providerID: `aws:///${zone}/${dark.id}` });
    await scenario.untilSaid('dark', 'InstanceLookupFailed');
    await cluster.manager.kill();
    // The next manager need not wait until it expires.
    await scenario.deleteLease();
    ec2.calls.length = 0;
    await cluster.start();
    // The second look-up begins after the answers to the first one.
    const looks = (): number => ec2.calls.filter((call) => call === 'DescribeInstances').length;
    await scenario.until(() => looks() >= 6);
    assert.equal(scenario.node('dark').spec.podCIDRs, undefined);
    assert.deepEqual(scenario.node(name).spec.podCIDRs, [ipv6, ipv4]);
    ec2.zonesDown.clear();
    await scenario.until(() => scenario.node('dark').spec.podCIDRs !== undefined);
    assert.deepEqual(scenario.node('dark').spec.podCIDRs, [darkIPv6, darkIPv4]);
    await scenario.until(() => networkConditionOf(scenario.node('dark')) === 'False RouteCreated');
    assert(!ec2.calls.includes('CreateRoute'));
  });

  it('waits for an instance that EC2 does not show yet, and deletes the node of a terminated one', async () => {
    await using cluster = await openAWSCluster(open);
    const { scenario, ec2 } = cluster;
    const [late, short] = [anInstance(1), anInstance(2)];
    cluster.put(short);
    ec2.readsFrom = ec2.state;
    cluster.put(late);
    for (const { privateDnsName: name } of [late, short]) await scenario.register({ name });
    await scenario.untilInitialised([short.privateDnsName]);
    await scenario.untilSaid(late.privateDnsName, 'InstanceNotFound');
    ec2.readsFrom = undefined;
    await scenario.untilInitialised([late.privateDnsName]);
    cluster.put({ ...short, state: 'terminated' });
    await scenario.until(() => !scenario.nodes.objects.has(short.privateDnsName));
    assert(scenario.nodes.objects.has(late.privateDnsName));
  });

  it('keeps running and deletes nothing while EC2 refuses it, says why, and recovers', async () => {
    await using cluster = await openAWSCluster(open);
    const { scenario, ec2, manager } = cluster;
    const settled = anInstance(1);
    cluster.put(settled);
    await scenario.register({ name: settled.privateDnsName });
    await scenario.untilInitialised([settled.privateDnsName]);
    const { accessKeyId } = ec2;
    const troubles = [
      {
        begin: () => (ec2.accessKeyId = 'AKIDOTHER'),
        end: () => (ec2.accessKeyId = accessKeyId),
        want: /EC2 refuses DescribeInstances: AuthFailure/,
      },
      {
        begin: () =>
          (ec2.fault = { kind: 'refuse', error: new EC2Error('InternalError', 'x', 500) }),
        end: () => (ec2.fault = undefined),
        want: /InternalError/,
      },
    ];
    for (const [index, { begin, end, want }] of troubles.entries()) {
      const instance = anInstance(index + 2);
      const name = instance.privateDnsName;
      begin();
      cluster.put(instance);
      await scenario.register({ name });
      const { note } = await scenario.untilSaid(name, 'InstanceLookupFailed');
      assert.match(note, want);
      assert(hasTaint(scenario.node(name)));
      end();
      await scenario.untilInitialised([name], 120_000);
    }
    manager.assertRunning();
    assert(scenario.nodes.objects.has(settled.privateDnsName));
    assert.doesNotMatch(manager.stdout + manager.stderr, /secret-of-the-test/);
  });
});

function isTaken({ row }: { readonly row: KepRow }): boolean {
  return row.addresses !== null;
}

/**
 * Every other row has its addresses on two interfaces in use, the rows between on one interface, as secondary
 * addresses, beside an interface that is not in use.
 */
function instanceOf(
  { cloud }: KepRow,
  { number, name }: { readonly number: number; readonly name: string },
): FakeInstance {
  const ofFamily = (family: string): string[] =>
    cloud.map(({ address }) => address).filter((text) => parseAddress(text)?.family === family);
  const [ipv4, ipv6] = [ofFamily('IPv4'), ofFamily('IPv6')];
  const id = 2 * number;
  const interfaces: FakeInterface[] =
    number % 2 === 0
      ? [0, 1].map((device) =>
          anInterface(id + device, {
            device,
            ipv4: ipv4.slice(device, device + 1),
            ipv6: ipv6.slice(device, device + 1),
          }),
        )
      : [
          anInterface(id, { ipv4, ipv6, primaryIpv6: ipv6[0] }),
          anInterface(id + 1, { device: 1, status: 'attaching' }),
        ];
  return anInstance(number, { privateDnsName: name, interfaces });
}
