/** The fake of EC2, asked by the real SDK over loopback. */
import assert from 'node:assert/strict';
import * as sdk from '@aws-sdk/client-ec2';
import {
  anInstance,
  anInterface,
  aTable,
  FakeEC2,
  throttled,
  withInstance,
  withTable,
} from './index.ts';

describe('the fake of EC2', () => {
  let ec2: FakeEC2;
  let client: sdk.EC2Client;

  beforeEach(async () => {
    ec2 = await FakeEC2.start();
    client = clientOf('AKIDEXAMPLE');
  });
  afterEach(async () => {
    client.destroy();
    await ec2.close();
  });

  const clientOf = (
    accessKeyId: string,
    { region = 'eu-west-1', ...session }: { region?: string; sessionToken?: string } = {},
  ): sdk.EC2Client =>
    new sdk.EC2Client({
      region,
      endpoint: ec2.url,
      credentials: { accessKeyId, secretAccessKey: 'secret', ...session },
      maxAttempts: 1,
    });
  const describeInstances = async (
    input: sdk.DescribeInstancesCommandInput,
  ): Promise<sdk.DescribeInstancesCommandOutput> =>
    client.send(new sdk.DescribeInstancesCommand(input));
  const idsOf = ({ Reservations = [] }: sdk.DescribeInstancesCommandOutput): string[] =>
    Reservations.flatMap(({ Instances = [] }) =>
      Instances.map(({ InstanceId = '' }) => InstanceId),
    ).toSorted();
  const put = (...numbers: readonly number[]): string[] =>
    numbers.map((number) => {
      const instance = anInstance(number);
      ec2.state = withInstance(ec2.state, instance);
      return instance.id;
    });
  const filterOf = (name: string, ...values: readonly string[]): sdk.Filter[] => [
    { Name: name, Values: [...values] },
  ];

  it('answers with instances that the SDK reads in full', async () => {
    const one = anInterface(1, {
      ipv4: ['10.0.0.1', '10.0.0.9'],
      ipv6: ['2001:db8::1', '2001:db8::2'],
      primaryIpv6: '2001:db8::2',
      ipv4Prefixes: ['10.0.1.0/28'],
      ipv6Prefixes: ['2001:db8:1::/80'],
    });
    const instance = anInstance(1, {
      interfaces: [one],
      publicIp: '192.0.2.1',
      publicDnsName: 'p',
      tags: { team: 'R&amp;D <1>' },
    });
    ec2.state = withInstance(ec2.state, instance);
    const read = (await describeInstances({ MaxResults: 5 })).Reservations?.[0]?.Instances?.[0];
    assert.equal(read?.InstanceId, instance.id);
    assert.equal(read?.State?.Name, 'running');
    assert.equal(read?.Placement?.AvailabilityZone, 'eu-west-1a');
    assert.equal(read?.PublicDnsName, 'p');
    assert.equal(read?.PublicIpAddress, '192.0.2.1');
    assert.deepEqual(read?.Tags, [{ Key: 'team', Value: 'R&amp;D <1>' }]);
    const [seen] = read?.NetworkInterfaces ?? [];
    assert.equal(seen?.Status, 'in-use');
    assert.equal(seen?.SourceDestCheck, true);
    assert.equal(seen?.Attachment?.DeviceIndex, 0);
    assert.deepEqual(
      seen?.PrivateIpAddresses?.map(({ PrivateIpAddress, Primary }) => [PrivateIpAddress, Primary]),
      [
        ['10.0.0.1', true],
        ['10.0.0.9', false],
      ],
    );
    assert.deepEqual(seen?.Ipv6Addresses?.[1], { Ipv6Address: '2001:db8::2', IsPrimaryIpv6: true });
    assert.deepEqual(seen?.Ipv4Prefixes, [{ Ipv4Prefix: '10.0.1.0/28' }]);
    assert.deepEqual(seen?.Ipv6Prefixes, [{ Ipv6Prefix: '2001:db8:1::/80' }]);
  });

  it('leaves out what a filter does not find, and fails for one unknown id', async () => {
    const [first = '', second = ''] = put(1, 2);
    const unknown = 'i-0000000000000ffff';
    const filtered = await describeInstances({ Filters: filterOf('instance-id', first, unknown) });
    assert.deepEqual(idsOf(filtered), [first]);
    const named = filterOf('private-dns-name', 'ip-10-0-0-2.eu-west-1.compute.internal');
    assert.deepEqual(idsOf(await describeInstances({ Filters: named })), [second]);
    const tagged = filterOf('tag:kubernetes.io/cluster/green', 'owned');
    assert.deepEqual(idsOf(await describeInstances({ Filters: tagged })), []);
    await assert.rejects(describeInstances({ InstanceIds: [first, unknown] }), {
      name: 'InvalidInstanceID.NotFound',
    });
  });

  it('pages, with pages that may be shorter than was asked for', async () => {
    const ids = put(1, 2, 3, 4, 5, 6, 7);
    ec2.pageSizeMax = 3;
    const seen: unknown[] = [];
    for await (const page of sdk.paginateDescribeInstances({ client, pageSize: 5 }, {})) {
      seen.push(...idsOf(page));
    }
    assert.deepEqual(seen, ids);
    assert.equal(ec2.calls.length, 3);
    const { NextToken } = await describeInstances({ MaxResults: 5 });
    const another = {
      MaxResults: 5,
      NextToken,
      Filters: filterOf('instance-state-name', 'running'),
    };
    await assert.rejects(describeInstances(another), { name: 'InvalidNextToken' });
  });

  it('refuses what EC2 refuses, with its code', async () => {
    const [id = ''] = put(1);
    const cases: { readonly input: sdk.DescribeInstancesCommandInput; readonly want: string }[] = [
      { input: { MaxResults: 4 }, want: 'InvalidParameterValue' },
      { input: { MaxResults: 1_001 }, want: 'InvalidParameterValue' },
      { input: { InstanceIds: [id], MaxResults: 5 }, want: 'InvalidParameterCombination' },
      { input: { InstanceIds: ['m-1'] }, want: 'InvalidInstanceID.Malformed' },
      { input: { Filters: filterOf('colour', 'red') }, want: 'InvalidParameterValue' },
      {
        input: { Filters: [...filterOf('instance-id', 'none'), ...filterOf('colour', 'red')] },
        want: 'InvalidParameterValue',
      },
      { input: { MaxResults: 5, NextToken: 'x' }, want: 'InvalidNextToken' },
      { input: { DryRun: true }, want: 'DryRunOperation' },
      {
        input: { Filters: filterOf('instance-id', ...Array.from({ length: 201 }, () => id)) },
        want: 'FilterLimitExceeded',
      },
    ];
    for (const { input, want } of cases) {
      await assert.rejects(describeInstances(input), { name: want }, JSON.stringify(input));
    }
    await assert.rejects(client.send(new sdk.DescribeVpcsCommand({})), { name: 'InvalidAction' });
  });

  it('lets in only the right key, with its session, for its region and what its policy allows', async () => {
    const { accessKeyId } = ec2;
    const refused = async (wrong: sdk.EC2Client): Promise<void> =>
      assert.rejects(wrong.send(new sdk.DescribeInstancesCommand({})), { name: 'AuthFailure' });
    await refused(clientOf('AKIDOTHER'));
    await refused(clientOf(accessKeyId, { region: 'us-east-1' }));
    const session = { sessionToken: ec2.sessionToken };
    await refused(clientOf(accessKeyId, session));
    ec2.accessKeyId = 'ASIAROLE';
    await refused(clientOf('ASIAROLE'));
    await refused(clientOf('ASIAROLE', { sessionToken: 'another' }));
    client = clientOf('ASIAROLE', session);
    ec2.denied.add('DescribeInstances');
    await assert.rejects(describeInstances({}), { name: 'UnauthorizedOperation' });
    await client.send(new sdk.DescribeAvailabilityZonesCommand({}));
  });

  it('keeps the outage of a zone from calls that name only instances of others', async () => {
    const [id = ''] = put(1);
    const other = anInstance(2, { zone: 'eu-west-1b' });
    ec2.state = withInstance(ec2.state, other);
    ec2.zonesDown.add('eu-west-1b');
    assert.deepEqual(idsOf(await describeInstances({ InstanceIds: [id] })), [id]);
    const failing = [{ InstanceIds: [id, other.id] }, { Filters: filterOf('instance-id', id) }, {}];
    for (const input of failing) {
      await assert.rejects(describeInstances(input), { name: 'Unavailable' });
    }
  });

  it('shows an old state where reads lag, in either direction', async () => {
    const before = ec2.state;
    const [id] = put(1);
    const after = ec2.state;
    ec2.readsFrom = before;
    assert.deepEqual(idsOf(await describeInstances({})), []);
    ec2.readsFrom = after;
    ec2.state = before;
    assert.deepEqual(idsOf(await describeInstances({})), [id]);
  });

  it('throttles, resets and hangs', async () => {
    ec2.nextFaults.push({ action: 'DescribeInstances', fault: throttled });
    await assert.rejects(describeInstances({}), { name: 'RequestLimitExceeded' });
    ec2.nextFaults.push({ action: 'DescribeInstances', fault: { kind: 'reset' } });
    await assert.rejects(describeInstances({}), { code: 'ECONNRESET' });
    ec2.fault = { kind: 'hang' };
    const controller = new AbortController();
    const hanging = client.send(new sdk.DescribeInstancesCommand({}), {
      abortSignal: controller.signal,
    });
    controller.abort();
    await assert.rejects(hanging, { name: 'AbortError' });
  });

  it('names the zones of the region', async () => {
    const { AvailabilityZones = [] } = await client.send(
      new sdk.DescribeAvailabilityZonesCommand({}),
    );
    assert.deepEqual(
      AvailabilityZones.map(({ ZoneName, ZoneId }) => [ZoneName, ZoneId]),
      [
        ['eu-west-1a', 'euw1-az1'],
        ['eu-west-1b', 'euw1-az2'],
        ['eu-west-1c', 'euw1-az3'],
      ],
    );
    const one = new sdk.DescribeAvailabilityZonesCommand({ ZoneNames: ['eu-west-1a'] });
    await assert.rejects(client.send(one), { name: 'UnknownParameter' });
  });

  it('shows the topology of instances that have one', async () => {
    const networkNodes = ['nn-1', 'nn-2', 'nn-3'];
    ec2.state = withInstance(ec2.state, anInstance(1, { networkNodes }));
    const { id } = anInstance(1);
    const [other = ''] = put(2);
    const ask = async (InstanceIds: string[]): Promise<sdk.InstanceTopology[]> => {
      const command = new sdk.DescribeInstanceTopologyCommand({ InstanceIds });
      return (await client.send(command)).Instances ?? [];
    };
    const [seen, ...rest] = await ask([id, other]);
    assert.deepEqual([seen?.InstanceId, seen?.NetworkNodes, rest], [id, networkNodes, []]);
    const tooMany = Array.from({ length: 101 }, () => id);
    await assert.rejects(ask(tooMany), { name: 'InvalidParameterValue' });
    const limited = { InstanceIds: [id], MaxResults: 5 };
    await assert.rejects(client.send(new sdk.DescribeInstanceTopologyCommand(limited)), {
      name: 'InvalidParameterCombination',
    });
    ec2.state = withInstance(ec2.state, anInstance(2, { networkNodes }));
    ec2.pageSizeMax = 1;
    const pages: number[] = [];
    const InstanceIds = [id, other];
    for await (const page of sdk.paginateDescribeInstanceTopology({ client }, { InstanceIds })) {
      pages.push(page.Instances?.length ?? 0);
    }
    assert.deepEqual(pages, [1, 1]);
  });

  describe('route tables', () => {
    const table = aTable(1);
    const node = anInterface(1);
    const at = { RouteTableId: table.id, NetworkInterfaceId: node.id };
    const routes = async (): Promise<sdk.Route[]> => {
      const input = { RouteTableIds: [table.id] };
      const { RouteTables } = await client.send(new sdk.DescribeRouteTablesCommand(input));
      return RouteTables?.[0]?.Routes ?? [];
    };

    beforeEach(() => {
      put(1, 2);
      ec2.state = withTable(ec2.state, table);
    });

    it('take, replace and drop routes of both families', async () => {
      const ipv4 = { ...at, DestinationCidrBlock: '10.244.0.0/24' };
      const ipv6 = { ...at, DestinationIpv6CidrBlock: 'FD00:10:244::/64' };
      await client.send(new sdk.CreateRouteCommand(ipv4));
      await client.send(new sdk.CreateRouteCommand(ipv6));
      const other = anInterface(2).id;
      await client.send(new sdk.ReplaceRouteCommand({ ...ipv4, NetworkInterfaceId: other }));
      assert.deepEqual(
        (await routes()).map((route) => [
          route.DestinationCidrBlock ?? route.DestinationIpv6CidrBlock,
          route.InstanceId,
          route.State,
        ]),
        [
          ['fd00:10:244::/64', anInstance(1).id, 'active'],
          ['10.244.0.0/24', anInstance(2).id, 'active'],
        ],
      );
      const { RouteTableId, DestinationCidrBlock } = ipv4;
      await client.send(new sdk.DeleteRouteCommand({ RouteTableId, DestinationCidrBlock }));
      assert.equal((await routes()).length, 1);
    });

    it('show a route to a terminated instance as a blackhole', async () => {
      await client.send(
        new sdk.CreateRouteCommand({ ...at, DestinationCidrBlock: '10.244.0.0/24' }),
      );
      ec2.state = withInstance(ec2.state, anInstance(1, { state: 'terminated' }));
      const [route] = await routes();
      assert.equal(route?.State, 'blackhole');
      assert.equal(route?.InstanceId, undefined);
    });

    it('keep what a lost answer did', async () => {
      ec2.nextFaults.push({ action: 'CreateRoute', fault: { kind: 'lose' } });
      const create = new sdk.CreateRouteCommand({ ...at, DestinationCidrBlock: '10.244.0.0/24' });
      await assert.rejects(client.send(create), { code: 'ECONNRESET' });
      await assert.rejects(client.send(create), { name: 'RouteAlreadyExists' });
    });

    it('refuse what EC2 refuses, with its code', async () => {
      const destination = { DestinationCidrBlock: '10.244.0.0/24' };
      const create = (input: Partial<sdk.CreateRouteCommandInput>): Promise<unknown> =>
        client.send(new sdk.CreateRouteCommand({ ...at, ...input }));
      const cases: {
        readonly input: Partial<sdk.CreateRouteCommandInput>;
        readonly want: string;
      }[] = [
        { input: {}, want: 'MissingParameter' },
        { input: { DestinationCidrBlock: 'fd00::/64' }, want: 'InvalidParameterValue' },
        {
          input: { ...destination, DestinationIpv6CidrBlock: 'fd00::/64' },
          want: 'InvalidParameterCombination',
        },
        {
          input: { ...destination, RouteTableId: aTable(9).id },
          want: 'InvalidRouteTableID.NotFound',
        },
        { input: { ...destination, RouteTableId: 'rtb-1' }, want: 'InvalidRouteTableId.Malformed' },
        {
          input: { ...destination, NetworkInterfaceId: anInterface(9).id },
          want: 'InvalidNetworkInterfaceID.NotFound',
        },
        {
          input: { ...destination, NetworkInterfaceId: 'eni-1' },
          want: 'InvalidNetworkInterfaceId.Malformed',
        },
        { input: { ...destination, GatewayId: 'igw-1' }, want: 'UnknownParameter' },
      ];
      for (const { input, want } of cases) {
        await assert.rejects(create(input), { name: want }, JSON.stringify(input));
      }
      const replace = new sdk.ReplaceRouteCommand({ ...at, ...destination });
      await assert.rejects(client.send(replace), { name: 'InvalidParameterValue' });
      const remove = new sdk.DeleteRouteCommand({ RouteTableId: table.id, ...destination });
      await assert.rejects(client.send(remove), { name: 'InvalidRoute.NotFound' });
      ec2.state = withTable(ec2.state, { ...table, routesMax: 0 });
      await assert.rejects(create(destination), { name: 'RouteLimitExceeded' });
      for (const input of [
        { MaxResults: 4 },
        { MaxResults: 101 },
        { Filters: filterOf('colour', 'red') },
      ]) {
        const describing = client.send(new sdk.DescribeRouteTablesCommand(input));
        await assert.rejects(describing, { name: 'InvalidParameterValue' }, JSON.stringify(input));
      }
    });

    it('are found to be replaced or deleted only as EC2 spells them', async () => {
      const destination = { RouteTableId: table.id, DestinationIpv6CidrBlock: 'FD00:10:244::/64' };
      const replacing = { ...destination, NetworkInterfaceId: node.id };
      await client.send(new sdk.CreateRouteCommand(replacing));
      await assert.rejects(client.send(new sdk.ReplaceRouteCommand(replacing)), {
        name: 'InvalidParameterValue',
      });
      await assert.rejects(client.send(new sdk.DeleteRouteCommand(destination)), {
        name: 'InvalidRoute.NotFound',
      });
    });

    it('lead to an instance in place of its interface, where it has a single one', async () => {
      const { id } = anInstance(1);
      const create = (destination: string): Promise<unknown> => {
        const input = { RouteTableId: at.RouteTableId, InstanceId: id };
        return client.send(
          new sdk.CreateRouteCommand({ ...input, DestinationCidrBlock: destination }),
        );
      };
      const turnOff = (): Promise<unknown> => {
        const input = { InstanceId: id, SourceDestCheck: { Value: false } };
        return client.send(new sdk.ModifyInstanceAttributeCommand(input));
      };
      await turnOff();
      await create('10.244.0.0/24');
      assert.equal(ec2.state.instances.get(id)?.interfaces[0]?.sourceDestCheck, false);
      assert.deepEqual(
        (await routes()).map(({ InstanceId, NetworkInterfaceId }) => [
          InstanceId,
          NetworkInterfaceId,
        ]),
        [[id, anInterface(1).id]],
      );
      const interfaces = [anInterface(1), anInterface(9, { device: 1 })];
      ec2.state = withInstance(ec2.state, anInstance(1, { interfaces }));
      await assert.rejects(create('10.244.1.0/24'), { name: 'InvalidInstanceID' });
      await assert.rejects(turnOff(), { name: 'InvalidInstanceID' });
    });

    it('have interfaces whose source/destination check can be turned off', async () => {
      const input = { NetworkInterfaceId: node.id, SourceDestCheck: { Value: false } };
      await client.send(new sdk.ModifyNetworkInterfaceAttributeCommand(input));
      assert.equal(
        ec2.state.instances.get(anInstance(1).id)?.interfaces[0]?.sourceDestCheck,
        false,
      );
    });
  });
});
