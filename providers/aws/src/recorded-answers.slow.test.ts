/** Reads answers as EC2's reference shows them, through the real SDK, as a look-up and a list of routes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openAWSWorld } from './aws.fixture.ts';

const { signal } = new AbortController();
const id = 'i-1234567890abcdef0';
const actions = ['DescribeInstances', 'DescribeAvailabilityZones', 'DescribeRouteTables'];

describe('answers as EC2’s reference shows them', () => {
  const openRecorded = async () => {
    const world = await openAWSWorld();
    for (const action of actions) {
      const file = `../../../test/support/ec2/shapes/${action}.xml`;
      const recorded = readFileSync(new URL(file, import.meta.url), 'utf8');
      // There is no other page.
      const body = recorded.replace(/<nextToken>.*<\/nextToken>/, '');
      world.ec2.nextFaults.push({ action, fault: { kind: 'garbage', body } });
    }
    return world;
  };

  it('become the instance of a node', async () => {
    await using world = await openRecorded();
    const node = { name: 'any', uid: 'u', providerID: id, labels: {}, systemUUID: '' };
    const answers = await world.provider.lookup([node], { maxAgeMs: 0, signal });
    const answer = answers.get('any');
    assert(answer?.kind === 'found');
    const name = 'ip-192-168-1-88.eu-west-1.compute.internal';
    assert.deepEqual(answer.instance, {
      providerID: `aws:///eu-west-1c/${id}`,
      addresses: [
        { type: 'InternalIP', address: '192.168.1.88' },
        { type: 'InternalIP', address: '192.168.1.89' },
        { type: 'ExternalIP', address: '54.194.252.215' },
        { type: 'InternalDNS', address: name },
        { type: 'Hostname', address: name },
        { type: 'ExternalDNS', address: 'ec2-54-194-252-215.eu-west-1.compute.amazonaws.com' },
        { type: 'InternalIP', address: '2001:db8:1234:1a2b::123' },
      ],
      instanceType: 'c4.large',
      zone: 'eu-west-1c',
      region: 'eu-west-1',
      state: 'running',
      labels: {},
      podBlocks: { IPv4: ['192.168.2.16/28'], IPv6: ['2001:db8:1234:1a2b:7::/80'] },
    });
  });

  it('become the routes of a table', async () => {
    await using world = await openRecorded();
    const listing = await world.provider.routes?.list({ signal });
    const [table] = listing?.tables ?? [];
    assert.equal(table?.id, 'rtb-f9ad4890');
    assert.deepEqual(
      table.routes.map(({ destination, ours, target }) => [destination, ours, target]),
      [
        ['10.0.0.0/22', false, { kind: 'other' }],
        ['2001:db8:1234:1a00::/56', false, { kind: 'other' }],
        ['10.244.1.0/24', true, { kind: 'instance', key: id, ready: false }],
        ['fd00:10:244:2::/64', true, { kind: 'blackhole' }],
      ],
    );
  });
});
