/**
 * DescribeRouteTables and the calls that change routes. IPv4 and IPv6 destinations are two parameters, of
 * which a call has one; EC2 stores them canonically, finds them by that spelling alone, and counts the limit of a
 * table by family.
 */
import { type Cidr, formatCidr, parseCidr } from '@tandem/core/ip';
import { EC2Error, invalidValue, missing, requireForm } from './error.ts';
import { filtered } from './filters.ts';
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
  const all = filtered(state.tables.values(), query.filters(), {
    'route-table-id': ({ id }) => [id],
  }).filter(({ id }) => ids.length === 0 || ids.includes(id));
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
  const isTaken = table.routes.some((route) => {
    const network = networkOf(route.destination);
    return !route.propagation && network !== undefined && formatCidr(network) === destination;
  });
  if (isTaken) {
    const message = `The route identified by ${destination} already exists.`;
    throw new EC2Error('RouteAlreadyExists', message);
  }
  const isSameFamily = (route: FakeRoute): boolean =>
    !route.propagation && route.destination.includes(':') === destination.includes(':');
  if (table.routes.filter(isSameFamily).length >= table.routesMax) {
    throw new EC2Error('RouteLimitExceeded', 'The maximum number of routes has been reached.');
  }
  return withTable(state, { ...table, routes: [...table.routes, { destination, target }] });
}

export function replaceRoute(state: EC2State, query: Query): EC2State {
  const { table, destination, given, target } = readChange(state, query);
  const replaced = table.routes.find(isStaticTo(given));
  if (replaced === undefined) {
    const message = `There is no route defined for '${given}' in the route table. Use CreateRoute instead.`;
    throw new EC2Error('InvalidParameterValue', message);
  }
  const others = table.routes.filter((route) => route !== replaced);
  return withTable(state, { ...table, routes: [...others, { destination, target }] });
}

export function deleteRoute(state: EC2State, query: Query): EC2State {
  query.allow(...destinationNames, 'RouteTableId');
  const table = tableOf(state, query.required('RouteTableId'));
  const { given } = readDestination(query);
  const deleted = table.routes.find(isStaticTo(given));
  if (deleted === undefined) {
    const message = `no route with destination-cidr-block ${given} in route table ${table.id}`;
    throw new EC2Error('InvalidRoute.NotFound', message);
  }
  return withTable(state, { ...table, routes: table.routes.filter((route) => route !== deleted) });
}

/** `destination` as the table spells it: EC2 finds the route by that text alone. */
function isStaticTo(destination: string): (route: FakeRoute) => boolean {
  return (route) => route.destination === destination && !route.propagation;
}

/** EC2 drops bits beyond the prefix length. */
function networkOf(text: string): Cidr | undefined {
  const parsed = parseCidr(text);
  return parsed.kind === 'cidr' ? parsed.cidr : parsed.network;
}

const destinationNames = ['DestinationCidrBlock', 'DestinationIpv6CidrBlock'];

function readChange(
  state: EC2State,
  query: Query,
): FakeRoute & Destination & { readonly table: FakeTable } {
  query.allow(...destinationNames, 'RouteTableId', 'NetworkInterfaceId', 'InstanceId');
  const interfaceId = readTarget(state, query);
  const table = tableOf(state, query.required('RouteTableId'));
  return { table, ...readDestination(query), target: { interfaceId } };
}

/** An interface, or an instance that has only one. */
function readTarget(state: EC2State, query: Query): string {
  const instanceId = query.text('InstanceId');
  if (instanceId === undefined) {
    const interfaceId = query.required('NetworkInterfaceId');
    requireForm(interfaceId, 'eni', 'InvalidNetworkInterfaceId.Malformed');
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
  requireForm(id, 'rtb', 'InvalidRouteTableId.Malformed');
  const table = state.tables.get(id);
  if (table !== undefined) return table;
  throw new EC2Error('InvalidRouteTableID.NotFound', `The routeTable ID '${id}' does not exist`);
}

interface Destination {
  /** As EC2 stores it. */
  readonly destination: string;
  /** As it was given, which has to be the same to find a route. */
  readonly given: string;
}

function readDestination(query: Query): Destination {
  const [name, second] = destinationNames.filter((given) => query.text(given) !== undefined);
  if (name === undefined) throw missing('destinationCidrBlock');
  if (second !== undefined) {
    const message = `The parameter ${second} cannot be used with the parameter ${name}`;
    throw new EC2Error('InvalidParameterCombination', message);
  }
  const given = query.required(name);
  const network = networkOf(given);
  const family = name === 'DestinationCidrBlock' ? 'IPv4' : 'IPv6';
  if (network?.network.family !== family) {
    throw invalidValue(given, name, 'This is not a valid CIDR block.');
  }
  return { destination: formatCidr(network), given };
}

function routeXml(state: EC2State, route: FakeRoute): XmlValue {
  const { destination, target, propagation } = route;
  const origin = propagation ?? 'CreateRoute';
  const name = destinationFieldOf(destination);
  if ('gatewayId' in target) {
    return {
      [name]: destination,
      gatewayId: target.gatewayId,
      state: route.isBlackhole ? 'blackhole' : 'active',
      origin,
    };
  }
  const owner = ownerOf(state, target.interfaceId);
  const isActive = owner?.state === 'running' || owner?.state === 'pending';
  return {
    [name]: destination,
    instanceId: owner?.id ?? route.goneInstanceId,
    instanceOwnerId: owner && '123456789012',
    networkInterfaceId: target.interfaceId,
    state: isActive ? 'active' : 'blackhole',
    origin,
  };
}

function destinationFieldOf(destination: string): string {
  if (destination.startsWith('pl-')) return 'destinationPrefixListId';
  return destination.includes(':') ? 'destinationIpv6CidrBlock' : 'destinationCidrBlock';
}
