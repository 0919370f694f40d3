/** Runs the exam with the real SDK against the fake of EC2. */
import assert from 'node:assert/strict';
import { parseAddress } from '@tandem/core/ip';
import { examine, type Lab } from '@tandem/provider/exam';
import type { Instance } from '@tandem/provider/plug';
import {
  anInstance,
  anInterface,
  aTable,
  type FakeInstance,
  withInstance,
  withTable,
} from '../../../test/support/ec2/index.ts';
import { openAWSWorld } from './aws.fixture.ts';

describe('exam of the provider for AWS', () => {
  for (const { name, run } of examine(openLab)) it(name, run);
});

async function openLab(): Promise<Lab> {
  const world = await openAWSWorld();
  const { ec2, provider, clock } = world;
  for (const number of [1, 2]) ec2.state = withTable(ec2.state, aTable(number));
  const known = new Map<string, FakeInstance>();
  const put = async (name: string, changes: Partial<FakeInstance>): Promise<Instance> => {
    const old = known.get(name) ?? anInstance(known.size + 1, { privateDnsName: name });
    const instance = { ...old, ...changes };
    known.set(name, instance);
    ec2.state = withInstance(ec2.state, instance);
    await clock.advance(1);
    return reportOf(instance);
  };
  const networkOf: (order: {
    readonly addresses: readonly { readonly address: string }[];
    readonly podBlocks?: Instance['podBlocks'];
  }) => Pick<FakeInstance, 'interfaces'> = ({ addresses, podBlocks }) => {
    const ofFamily = (family: string): string[] =>
      addresses
        .map(({ address }) => address)
        .filter((address) => parseAddress(address)?.family === family);
    const one = anInterface(known.size + 1, {
      ipv4: ofFamily('IPv4'),
      ipv6: ofFamily('IPv6'),
      ipv4Prefixes: podBlocks?.IPv4 ?? [],
      ipv6Prefixes: podBlocks?.IPv6 ?? [],
    });
    return { interfaces: [one] };
  };
  return {
    provider,
    clock,
    create: (order) => put(order.name, networkOf(order)),
    readdress: (name, addresses) => put(name, networkOf({ addresses })),
    stop: (name) => put(name, { state: 'stopped' }),
    async remove(name) {
      await put(name, { state: 'terminated' });
    },
    otherSpellings: (providerID) => {
      const id = providerID.slice(providerID.lastIndexOf('/') + 1);
      return [id, `aws:////${id}`, `aws:///us-east-1a/${id}`];
    },
    unusedProviderID: 'aws:///eu-west-1a/i-00000000000000fff',
    async breakCloud() {
      ec2.fault = { kind: 'reset' };
      return async () => {
        ec2.fault = undefined;
      };
    },
    async revokeAccess() {
      const { accessKeyId } = ec2;
      ec2.accessKeyId = 'AKIDOTHER';
      return async () => {
        ec2.accessKeyId = accessKeyId;
      };
    },
    routes: {
      writes: () => ec2.calls.filter((action) => !action.startsWith('Describe')).length,
      async addForeign(id, destination) {
        const route = { destination, target: { gatewayId: 'igw-1' } };
        const table = ec2.state.tables.get(id) ?? assert.fail(`no table ${id}`);
        ec2.state = withTable(ec2.state, { ...table, routes: [...table.routes, route] });
        await clock.advance(1);
      },
      async fillTable() {
        const table = aTable(1, { routesMax: 0 });
        ec2.state = withTable(ec2.state, table);
        return table.id;
      },
    },
    waitFor: (work) => work,
    close: async () => world[Symbol.asyncDispose](),
  };
}

/** Returns the instance that the provider should report. */
function reportOf({ id, type, zone, state, privateDnsName, interfaces }: FakeInstance): Instance {
  const internal = (address: string): Instance['addresses'][number] => ({
    type: 'InternalIP',
    address,
  });
  return {
    providerID: `aws:///${zone}/${id}`,
    addresses: [
      ...interfaces.flatMap(({ ipv4 }) => ipv4).map(internal),
      { type: 'InternalDNS', address: privateDnsName },
      { type: 'Hostname', address: privateDnsName },
      ...interfaces.flatMap(({ ipv6 }) => ipv6).map(internal),
    ],
    instanceType: type,
    zone,
    region: 'eu-west-1',
    state: state === 'stopped' ? 'stopped' : 'running',
    labels: { 'topology.k8s.aws/zone-id': 'euw1-az1' },
    podBlocks: {
      IPv4: interfaces.flatMap(({ ipv4Prefixes }) => ipv4Prefixes),
      IPv6: interfaces.flatMap(({ ipv6Prefixes }) => ipv6Prefixes),
    },
  };
}
