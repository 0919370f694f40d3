/**
 * DescribeRouteTables and the calls that change routes. IPv4 and IPv6 destinations are two parameters, of
 * which a call has one; EC2 stores them canonically, and counts the limit of a table by family.
 */
import { formatCidr, parseCidr } from '@tandem/core/ip';
import { EC2Error, invalidValue, missing } from './error.ts';
import { passes, tagFields } from './filters.ts';
import { pageOf } from './paging.ts';
import type { Query } from './query.ts';
import { onlyInterfaceOf } from './modify-instance.ts';
import { type EC2State, type FakeRoute, type FakeTable, ownerOf, withTable } from './state.ts';
import type { XmlValue } from './xml.ts';

export function describeRouteTables(
  state: EC2State,
  query: Query,
  pageSizeMax: number,
): Record<string, XmlValue> {
  query.allow('RouteTableId', 'Filter', 'MaxResults', 'NextToken');
  const ids = query.list('RouteTableId');
  for (const id of ids) tableOf(state, id);
  const filters = query.filters();
  const all = [...state.tables.values()]
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .filter(({ id, tags }) => passes(filters, { 'route-table-id': [id], ...tagFields(tags) }));
  const rules = { sizeMin: 5, sizeMax: 100, sizeGivenMax: pageSizeMax };
  const { items, nextToken } = pageOf(all, query, rules);
  return {
    routeTableSet: items.map(({ id, tags, routes }) => ({
      routeTableId: id,
      vpcId: 'vpc-0abcdef1234567890',
      ownerId: '123456789012',
      routeSet: routes.map((route) => routeXml(state, route)),
      associationSet: [],
      propagatingVgwSet: [],
      tagSet: Object.entries(tags).map(([key, value]) => ({ key, value })),
    })),
    nextToken,
  };
}

export function createRoute(state: EC2State, query: Query): EC2State {
  const { table, destination, target } = readChange(state, query);
  if (table.routes.some(isStaticTo(destination))) {
    const message = `The route identified by ${destination} already exists.`;
    throw new EC2Error('RouteAlreadyExists', message);
  }
  const isSameFamily = (route: FakeRoute): boolean =>
    !route.isPropagated && route.destination.includes(':') === destination.includes(':');
  if (table.routes.filter(isSameFamily).length >= table.routesMax) {
    throw new EC2Error('RouteLimitExceeded', 'The maximum number of routes has been reached.');
  }
  return withTable(state, { ...table, routes: [...table.routes, { destination, target }] });
}

export function replaceRoute(state: EC2State, query: Query): EC2State {
  const { table, destination, target } = readChange(state, query);
  const replaced = table.routes.find(isStaticTo(destination));
  if (replaced === undefined) {
    const message = `There is no route defined for '${destination}' in the route table. Use CreateRoute instead.`;
    throw new EC2Error('InvalidParameterValue', message);
  }
  const others = table.routes.filter((route) => route !== replaced);
  return withTable(state, { ...table, routes: [...others, { destination, target }] });
}

export function deleteRoute(state: EC2State, query: Query): EC2State {
  query.allow(...destinationNames, 'RouteTableId');
  const table = tableOf(state, query.required('RouteTableId'));
  const destination = readDestination(query);
  const deleted = table.routes.find(isStaticTo(destination));
  if (deleted === undefined) {
    const message = `no route with destination-cidr-block ${destination} in route table ${table.id}`;
    throw new EC2Error('InvalidRoute.NotFound', message);
  }
  return withTable(state, { ...table, routes: table.routes.filter((route) => route !== deleted) });
}

function isStaticTo(destination: string): (route: FakeRoute) => boolean {
  return (route) => route.destination === destination && !route.isPropagated;
}

const destinationNames = ['DestinationCidrBlock', 'DestinationIpv6CidrBlock'];

function readChange(state: EC2State, query: Query): FakeRoute & { readonly table: FakeTable } {
  query.allow(...destinationNames, 'RouteTableId', 'NetworkInterfaceId', 'InstanceId');
  const interfaceId = readTarget(state, query);
  const table = tableOf(state, query.required('RouteTableId'));
  return { table, destination: readDestination(query), target: { interfaceId } };
}

/** An interface, or an instance that has only one. */
function readTarget(state: EC2State, query: Query): string {
  const instanceId = query.text('InstanceId');
  if (instanceId === undefined) {
    const interfaceId = query.required('NetworkInterfaceId');
    if (ownerOf(state, interfaceId) !== undefined) return interfaceId;
    const message = `The networkInterface ID '${interfaceId}' does not exist`;
    throw new EC2Error('InvalidNetworkInterfaceID.NotFound', message);
  }
  if (query.text('NetworkInterfaceId') !== undefined) {
    const message = 'The parameter InstanceId cannot be used with the parameter NetworkInterfaceId';
    throw new EC2Error('InvalidParameterCombination', message);
  }
  return onlyInterfaceOf(state, instanceId).id;
}

function tableOf(state: EC2State, id: string): FakeTable {
  const table = state.tables.get(id);
  if (table !== undefined) return table;
  throw new EC2Error('InvalidRouteTableID.NotFound', `The routeTable ID '${id}' does not exist`);
}

function readDestination(query: Query): string {
  const [name, second] = destinationNames.filter((given) => query.text(given) !== undefined);
  if (name === undefined) throw missing('destinationCidrBlock');
  if (second !== undefined) {
    const message = `The parameter ${second} cannot be used with the parameter ${name}`;
    throw new EC2Error('InvalidParameterCombination', message);
  }
  const text = query.required(name);
  const parsed = parseCidr(text);
  const family = name === 'DestinationCidrBlock' ? 'IPv4' : 'IPv6';
  if (parsed.kind !== 'cidr' || parsed.cidr.network.family !== family) {
    throw invalidValue(text, name, 'This is not a valid CIDR block.');
  }
  return formatCidr(parsed.cidr);
}

function routeXml(state: EC2State, { destination, target, isPropagated }: FakeRoute): XmlValue {
  const origin = isPropagated ? 'EnableVgwRoutePropagation' : 'CreateRoute';
  const name = destination.includes(':') ? 'destinationIpv6CidrBlock' : 'destinationCidrBlock';
  if ('gatewayId' in target) {
    return {
      [name]: destination,
      gatewayId: target.gatewayId,
      state: 'active',
      origin,
    };
  }
  const owner = ownerOf(state, target.interfaceId);
  const isActive = owner?.state === 'running' || owner?.state === 'pending';
  return {
    [name]: destination,
    instanceId: owner?.id,
    instanceOwnerId: owner && '123456789012',
    networkInterfaceId: target.interfaceId,
    state: isActive ? 'active' : 'blackhole',
    origin,
  };
}
