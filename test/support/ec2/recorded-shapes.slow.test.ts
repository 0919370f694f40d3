/**
 * The fake against answers as the public API reference shows them (`shapes`), and both against the SDK's own
 * parser: it reads every value of both, and the fake has no element that EC2's answers do not have.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
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
import { xmlLeaves } from './xml-leaves.ts';

const table = aTable(1, {
  routes: [
    { destination: '0.0.0.0/0', target: { gatewayId: 'igw-1' } },
    { destination: 'pl-63a5400a', target: { gatewayId: 'vpce-1' } },
    { destination: '10.244.2.0/24', target: { interfaceId: anInterface(1).id } },
    { destination: 'fd00:10:244:3::/64', target: { interfaceId: 'eni-00000000000000fff' } },
  ],
});
const route = { RouteTableId: table.id, DestinationCidrBlock: '10.244.1.0/24' };
const NetworkInterfaceId = anInterface(1).id;

/** In an order in which each of them succeeds. */
const calls: Readonly<Record<string, (client: sdk.EC2Client) => Promise<object>>> = {
  DescribeInstances: describeAll,
  DescribeAvailabilityZones: (client) => client.send(new sdk.DescribeAvailabilityZonesCommand({})),
  DescribeInstanceTopology: (client) =>
    client.send(new sdk.DescribeInstanceTopologyCommand({ InstanceIds: [anInstance(1).id] })),
  ModifyNetworkInterfaceAttribute: (client) =>
    client.send(
      new sdk.ModifyNetworkInterfaceAttributeCommand({
        NetworkInterfaceId,
        SourceDestCheck: { Value: false },
      }),
    ),
  CreateRoute: (client) =>
    client.send(new sdk.CreateRouteCommand({ ...route, NetworkInterfaceId })),
  ReplaceRoute: (client) =>
    client.send(new sdk.ReplaceRouteCommand({ ...route, NetworkInterfaceId })),
  DescribeRouteTables: (client) => client.send(new sdk.DescribeRouteTablesCommand({})),
  DeleteRoute: (client) => client.send(new sdk.DeleteRouteCommand(route)),
};

describe('recorded shapes of EC2', () => {
  for (const [action, call] of Object.entries(calls)) {
    it(`are read by the SDK to the last value: ${action}`, async () => {
      const xml = shapeOf(action);
      assertReadInFull(xml, await answerOf(xml, call));
    });
  }
});

describe('the recorded refusal of EC2', () => {
  const refusal = shapeOf('Error');

  it('is read by the SDK with its code and its message', async () => {
    await assert.rejects(answerOf(refusal, describeAll, 400), {
      name: 'InvalidInstanceID.NotFound',
      message: "The instance ID 'i-1a2b3c4d' does not exist",
    });
  });

  it('has the shape that the fake writes', () => {
    const pathsOf = (xml: string): string[] => xmlLeaves(xml).map(({ path }) => path);
    const { error } = throttled;
    assert.deepEqual(pathsOf(error.toXml('request-1')), pathsOf(refusal));
  });
});

describe('the fake of EC2', () => {
  it('answers as the recorded shapes do, and the SDK reads all of it', async () => {
    const ec2 = await FakeEC2.start();
    try {
      ec2.state = withTable(withInstance(ec2.state, fullInstance()), table);
      const client = clientOf(ec2.url);
      for (const [action, call] of Object.entries(calls)) {
        const output = await call(client);
        const known = new Set(xmlLeaves(shapeOf(action)).map(({ path }) => path));
        const xml = ec2.lastAnswer.replace(/<somethingNewSet>.*<\/somethingNewSet>/s, '');
        for (const { path } of xmlLeaves(xml)) assert(known.has(path), `${action} has ${path}`);
        assertReadInFull(xml, output);
      }
      client.destroy();
    } finally {
      await ec2.close();
    }
  });
});

function describeAll(client: sdk.EC2Client): Promise<object> {
  return client.send(new sdk.DescribeInstancesCommand({ MaxResults: 5 }));
}

/** One of everything that the fake can show. */
function fullInstance(): ReturnType<typeof anInstance> {
  const interfaces = [
    anInterface(1, {
      ipv4: ['10.0.0.1', '10.0.0.2'],
      primaryIpv6: '2001:db8::1',
      ipv4Prefixes: ['10.0.1.16/28'],
      ipv6Prefixes: ['2001:db8:0:0:7::/80'],
    }),
  ];
  const networkNodes = ['nn-1', 'nn-2'];
  return anInstance(1, { publicIp: '192.0.2.1', publicDnsName: 'p', interfaces, networkNodes });
}

function shapeOf(action: string): string {
  return readFileSync(join(import.meta.dirname, 'shapes', `${action}.xml`), 'utf8');
}

/** What the SDK makes of a document that EC2 could have sent. */
async function answerOf(
  xml: string,
  call: (client: sdk.EC2Client) => Promise<object>,
  status = 200,
): Promise<object> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'text/xml;charset=UTF-8' }).end(xml);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  const client = clientOf(`http://127.0.0.1:${address.port}`);
  try {
    return await call(client);
  } finally {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

function clientOf(endpoint: string): sdk.EC2Client {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  return new sdk.EC2Client({ region: 'eu-west-1', endpoint, credentials, maxAttempts: 1 });
}

/** Every text of the document is among the values that the SDK gives, as often as in the document. */
function assertReadInFull(xml: string, output: object): void {
  const { $metadata: _, ...read } = output as { $metadata?: unknown };
  // Of most writes the SDK gives nothing back.
  const unread = new Set(['requestId', ...('Return' in read ? [] : ['return'])]);
  const written = xmlLeaves(xml)
    .filter(({ path }) => !unread.has(path))
    .map(({ text }) => text);
  assert.deepEqual(valuesOf(read).toSorted(), written.toSorted());
}

function valuesOf(value: unknown): string[] {
  if (value instanceof Date) return [value.toISOString()];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf);
  if (value === undefined || value === '') return [];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}
