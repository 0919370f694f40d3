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
  withTable,
} from '../../support/ec2/index.ts';
import { type KepRow, readKepRows } from '../../support/vectors.ts';
import { openAWSScene } from './aws-scene.ts';
import { addressesOf, hasTaint, ipsOf, networkConditionOf } from './seen-node.ts';
import { useWorld } from './world.ts';

describe('on AWS, the manager', function () {
  const { open } = useWorld();
  this.timeout(180_000);

  it('initialises nodes with all that EC2 knows of their instances', async () => {
    await using world = await openAWSScene(open);
    const { scene } = world;
    const instance = anInstance(1, { publicIp: '192.0.2.1', publicDnsName: 'public.example' });
    world.put(instance);
    const name = instance.privateDnsName;
    await scene.register({ name });
    await scene.untilInitialised([name]);
    const { metadata, spec } = scene.node(name);
    assert.equal(spec.providerID, `aws:///eu-west-1a/${instance.id}`);
    assert.deepEqual(addressesOf(scene.node(name)), [
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
    await using world = await openAWSScene(open, {
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
    world.ec2.accessKeyId = role.accessKeyId;
    const name = anInstance(1).privateDnsName;
    world.put(anInstance(1));
    await world.scene.register({ name });
    await world.scene.untilInitialised([name]);
  });

  it('gives the rows of KEP-3705 to instances with two interfaces, secondary addresses and IPv6', async () => {
    await using world = await openAWSScene(open);
    const { scene } = world;
    const rows = readKepRows().map((row, index) => ({ row, name: `row-${index}` }));
    for (const [index, { row, name }] of rows.entries()) {
      world.put(instanceOf(row, { number: index + 1, name }));
      await scene.register({ name, nodeIP: row.nodeIP });
    }
    const [taken, refused] = [rows.filter(isTaken), rows.filter((each) => !isTaken(each))];
    await scene.untilInitialised(taken.map(({ name }) => name));
    for (const { row, name } of taken) {
      assert.deepEqual(ipsOf(scene.node(name)), row.addresses, `${name}: ${row.nodeIP}`);
    }
    for (const { name } of refused) {
      await scene.until(() => scene.eventsOf(name).some(({ type }) => type === 'Warning'));
      assert(hasTaint(scene.node(name)), name);
    }
    assert.equal(rows.length, 24);
  });

  it('leaves the taint of Karpenter, and writes the providerID that Karpenter waits for', async () => {
    await using world = await openAWSScene(open);
    const { scene } = world;
    const { id, privateDnsName: name } = anInstance(1);
    await scene.register({ name });
    const karpenters = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };
    const taints = [...(scene.node(name).spec.taints ?? []), karpenters];
    await scene.patchNode(name, { spec: { taints } });
    world.put(anInstance(1));
    await scene.untilInitialised([name]);
    const { spec } = scene.node(name);
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
      for (const fault of [{ kind: 'reset' }, { kind: 'refuse', error }] as const) {
        ec2.nextFaults.push({ action: 'DescribeInstances', fault });
      }
    };
    await using world = await openAWSScene(open, { flags, prepare });
    const { scene, ec2 } = world;
    const name = anInstance(1).privateDnsName;
    world.put(anInstance(1, { interfaces: [anInterface(1, prefixes)] }));
    await scene.register({ name });
    await scene.until(() => scene.node(name).spec.podCIDRs !== undefined);
    assert.deepEqual(scene.node(name).spec.podCIDRs, [ipv6, ipv4]);
    await scene.until(() => networkConditionOf(scene.node(name)) === 'False RouteCreated');
    assert(!ec2.calls.includes('CreateRoute'));
    assert.deepEqual(ec2.nextFaults, []);
  });

  it('waits for an instance that EC2 does not show yet, and deletes the node of a terminated one', async () => {
    await using world = await openAWSScene(open);
    const { scene, ec2 } = world;
    const [late, short] = [anInstance(1), anInstance(2)];
    world.put(short);
    ec2.readsFrom = ec2.state;
    world.put(late);
    for (const { privateDnsName: name } of [late, short]) await scene.register({ name });
    await scene.untilInitialised([short.privateDnsName]);
    await scene.untilSaid(late.privateDnsName, 'InstanceNotFound');
    ec2.readsFrom = undefined;
    await scene.untilInitialised([late.privateDnsName]);
    world.put({ ...short, state: 'terminated' });
    await scene.until(() => !scene.nodes.objects.has(short.privateDnsName));
    assert(scene.nodes.objects.has(late.privateDnsName));
  });

  it('keeps running and deletes nothing while EC2 refuses it, says why, and recovers', async () => {
    await using world = await openAWSScene(open);
    const { scene, ec2, manager } = world;
    const settled = anInstance(1);
    world.put(settled);
    await scene.register({ name: settled.privateDnsName });
    await scene.untilInitialised([settled.privateDnsName]);
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
      world.put(instance);
      await scene.register({ name });
      const { note } = await scene.untilSaid(name, 'InstanceLookupFailed');
      assert.match(note, want);
      assert(hasTaint(scene.node(name)));
      end();
      await scene.untilInitialised([name], 120_000);
    }
    manager.assertRunning();
    assert(scene.nodes.objects.has(settled.privateDnsName));
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
