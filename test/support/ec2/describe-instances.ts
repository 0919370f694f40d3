/**
 * DescribeInstances. One id that EC2 does not know fails the whole call, a filter leaves it out. The order
 * of everything changes from call to call, because EC2 promises none.
 */
import { EC2Error, requireForm, ZoneDownError } from './error.ts';
import { filtered } from './filters.ts';
import { pageOf, refuseSizeWithIds } from './paging.ts';
import type { Query } from './query.ts';
import type { EC2State, FakeInstance, FakeInstanceState, FakeInterface } from './state.ts';
import type { XmlValue } from './xml.ts';

interface DescribeOptions {
  readonly zonesDown: ReadonlySet<string>;
  readonly pageSizeMax: number;
  readonly isReversed: boolean;
}

export function describeInstances(
  state: EC2State,
  query: Query,
  { zonesDown, pageSizeMax, isReversed }: DescribeOptions,
): Record<string, XmlValue> {
  query.allow('InstanceId', 'Filter', 'MaxResults', 'NextToken', 'IncludeManagedResources');
  const ids = query.list('InstanceId');
  refuseSizeWithIds(query, ids);
  requireIds(state, ids);
  requireZones(state, ids, zonesDown);
  const all = filtered(state.instances.values(), query.filters(), fields).filter(
    ({ id }) => ids.length === 0 || ids.includes(id),
  );
  const rules = { sizeMin: 5, sizeMax: 1_000, sizeGivenMax: pageSizeMax };
  const { items, nextToken } = pageOf(all, query, rules);
  const ordered = <T>(list: readonly T[]): T[] => (isReversed ? list.toReversed() : [...list]);
  return {
    reservationSet: ordered(items).map((instance) => ({
      reservationId: `r-${instance.id.slice(2)}`,
      ownerId: '123456789012',
      groupSet: [],
      instancesSet: [instanceXml(instance, ordered)],
    })),
    nextToken,
  };
}

export function requireIds(state: EC2State, ids: readonly string[]): void {
  for (const id of ids) requireForm(id, 'i', 'InvalidInstanceID.Malformed');
  const unknown = ids.filter((id) => !state.instances.has(id));
  if (unknown.length === 0) return;
  const text = unknown.length === 1 ? `ID '${unknown[0]}' does` : `IDs '${unknown.join(', ')}' do`;
  throw new EC2Error('InvalidInstanceID.NotFound', `The instance ${text} not exist`);
}

/** A call that names only instances of other zones is answered; any other needs every zone. */
function requireZones(
  { zones, instances }: EC2State,
  ids: readonly string[],
  zonesDown: ReadonlySet<string>,
): void {
  const needed = ids.length === 0 ? zones.keys() : ids.map((id) => instances.get(id)?.zone ?? '');
  if ([...needed].some((zone) => zonesDown.has(zone))) {
    throw new ZoneDownError();
  }
}

const fields: Readonly<Record<string, (instance: FakeInstance) => readonly string[]>> = {
  'instance-id': ({ id }) => [id],
  'private-dns-name': ({ privateDnsName }) => [privateDnsName],
  'instance-state-name': ({ state }) => [state],
  'availability-zone': ({ zone }) => [zone],
};

type Order = <T>(list: readonly T[]) => T[];

const stateCodes: Readonly<Record<FakeInstanceState, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
};

function instanceXml(instance: FakeInstance, ordered: Order): XmlValue {
  const { id, state, type, zone, tags } = instance;
  return {
    instanceId: id,
    imageId: 'ami-0abcdef1234567890',
    instanceState: { code: stateCodes[state], name: state },
    privateDnsName: instance.privateDnsName,
    dnsName: instance.publicDnsName,
    reason: '',
    amiLaunchIndex: 0,
    productCodes: [],
    instanceType: type,
    launchTime: '2026-11-17T08:00:00.000Z',
    placement: { availabilityZone: zone, groupName: '', tenancy: 'default' },
    monitoring: { state: 'disabled' },
    subnetId: 'subnet-0abcdef1234567890',
    vpcId: 'vpc-0abcdef1234567890',
    privateIpAddress: instance.interfaces[0]?.ipv4[0],
    ipAddress: instance.publicIp,
    architecture: 'arm64',
    tagSet: ordered(Object.entries(tags)).map(([key, value]) => ({ key, value })),
    networkInterfaceSet: ordered(instance.interfaces).map((one) => interfaceXml(one, ordered)),
    // Fields that a client has never heard of come with every new feature of EC2.
    somethingNewSet: [{ name: 'x', value: 1 }],
  };
}

function interfaceXml(one: FakeInterface, ordered: Order): XmlValue {
  return {
    networkInterfaceId: one.id,
    description: '',
    ownerId: '123456789012',
    status: one.status,
    macAddress: '0a:00:00:00:00:01',
    privateIpAddress: one.ipv4[0],
    sourceDestCheck: one.sourceDestCheck,
    groupSet: [{ groupId: 'sg-0abcdef1234567890', groupName: 'nodes' }],
    attachment: {
      attachmentId: `eni-attach-${one.id.slice(4)}`,
      deviceIndex: one.device,
      status: one.status === 'in-use' ? 'attached' : one.status,
      attachTime: '2026-11-17T08:00:00.000Z',
      deleteOnTermination: true,
      networkCardIndex: one.networkCard,
    },
    privateIpAddressesSet: ordered(one.ipv4).map((address) => ({
      privateIpAddress: address,
      primary: address === one.ipv4[0],
    })),
    ipv6AddressesSet: ordered(one.ipv6).map((address) => ({
      ipv6Address: address,
      isPrimaryIpv6: address === one.primaryIpv6,
    })),
    ipv4PrefixSet: ordered(one.ipv4Prefixes).map((ipv4Prefix) => ({ ipv4Prefix })),
    ipv6PrefixSet: ordered(one.ipv6Prefixes).map((ipv6Prefix) => ({ ipv6Prefix })),
    interfaceType: 'interface',
  };
}
