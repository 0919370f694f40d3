/** The body of a PUT, read as strictly as Azure reads it: what is left out is not kept but reset. */
import { isIP } from 'node:net';
import { parseCidr } from '@tandem/core/ip';
import { ArmError } from './error.ts';
import type { FakeRoute, FakeTable, NextHopType, Tags } from './state.ts';

type Body = Pick<
  FakeTable,
  'location' | 'tags' | 'disableBgpRoutePropagation' | 'disablePeeringRoute' | 'routes'
>;

export function readTable(text: string, name: string, routesMax: number): Body {
  const body = members(parse(text), 'RouteTable', [
    'id',
    'name',
    'type',
    'etag',
    'location',
    'tags',
    'properties',
  ]);
  const properties = members(body['properties'] ?? {}, 'RouteTablePropertiesFormat', [
    'routes',
    'subnets',
    'disableBgpRoutePropagation',
    'disablePeeringRoute',
    'provisioningState',
    'resourceGuid',
  ]);
  const { location } = body;
  if (typeof location !== 'string' || location === '') {
    throw new ArmError(
      'LocationRequired',
      'The location property is required for this definition.',
    );
  }
  const routes = arrayOf(properties['routes'] ?? [], 'routes').map(readRoute);
  if (routes.length > routesMax) {
    const message = `Route Table ${name} cannot have more than ${routesMax} routes.`;
    throw new ArmError('RouteTableRouteLimitExceeded', message);
  }
  refuseConflicts(routes);
  return {
    location,
    tags: readTags(body['tags'] ?? {}),
    disableBgpRoutePropagation: properties['disableBgpRoutePropagation'] === true,
    disablePeeringRoute:
      properties['disablePeeringRoute'] === undefined
        ? undefined
        : textOf(properties['disablePeeringRoute'], 'disablePeeringRoute'),
    routes,
  };
}

const hopTypes: readonly string[] = [
  'VirtualNetworkGateway',
  'VnetLocal',
  'Internet',
  'VirtualAppliance',
  'None',
] satisfies readonly NextHopType[];

function readRoute(given: unknown): FakeRoute {
  const body = members(given, 'Route', ['id', 'name', 'type', 'etag', 'properties']);
  const name = textOf(body['name'], 'name');
  if (!/^[A-Za-z0-9](?:[\w.-]{0,78}\w)?$/.test(name)) {
    const message = `Resource name ${name} is invalid. The name can be up to 80 characters long. It must begin with a word character, and it must end with a word character or with '_'.`;
    throw new ArmError('InvalidResourceName', message);
  }
  const properties = members(body['properties'] ?? {}, 'RoutePropertiesFormat', [
    'addressPrefix',
    'nextHopType',
    'nextHopIpAddress',
    'provisioningState',
    'hasBgpOverride',
  ]);
  const destination = textOf(properties['addressPrefix'], 'addressPrefix');
  const family = familyOf(destination, name);
  const nextHopType = textOf(properties['nextHopType'], 'nextHopType');
  if (!isHopType(nextHopType)) throw invalidContent(`nextHopType '${nextHopType}'`);
  const route = { name, destination, nextHopType, nextHop: undefined };
  if (nextHopType !== 'VirtualAppliance') return route;
  return { ...route, nextHop: requireHop(properties['nextHopIpAddress'], route, family) };
}

/** Undefined where it is a service tag: a name of ranges that Microsoft keeps. */
function familyOf(destination: string, name: string): 'IPv4' | 'IPv6' | undefined {
  if (/^[A-Za-z]+(?:\.[A-Za-z0-9]+)*$/.test(destination)) return undefined;
  const parsed = parseCidr(destination);
  if (parsed.kind === 'cidr') return parsed.cidr.network.family;
  const message = `The address prefix ${destination} in resource ${name} is not correctly formatted.`;
  throw new ArmError('InvalidAddressPrefixFormat', message);
}

function requireHop(
  given: unknown,
  { name, destination }: FakeRoute,
  family: 'IPv4' | 'IPv6' | undefined,
): string {
  const address = textOf(given ?? '', 'nextHopIpAddress');
  if (isIP(address) === 0) {
    const message = `Route ${name} of type VirtualAppliance must have a valid next hop IP address.`;
    throw new ArmError('InvalidNextHopIpAddress', message);
  }
  if (family !== undefined && (isIP(address) === 6) !== (family === 'IPv6')) {
    const message = `The next hop ${address} of route ${name} is not of the family of ${destination}.`;
    throw new ArmError('InvalidNextHopIpAddress', message);
  }
  return address;
}

const isHopType = (text: string): text is NextHopType => hopTypes.includes(text);

function refuseConflicts(routes: readonly FakeRoute[]): void {
  const names = new Set<string>();
  const destinations = new Map<string, string>();
  for (const { name, destination } of routes) {
    if (names.has(name.toLowerCase())) {
      throw new ArmError('InvalidRequestFormat', `There are two routes named ${name}.`);
    }
    names.add(name.toLowerCase());
    const other = destinations.get(destination);
    if (other !== undefined) {
      const message = `Route ${name} and ${other} have the same address prefix ${destination}.`;
      throw new ArmError('RouteConflict', message);
    }
    destinations.set(destination, name);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (err) {
    throw invalidContent(String(err));
  }
}

function members(value: unknown, type: string, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidContent(`an object of type '${type}' is wanted`);
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      throw invalidContent(`Could not find member '${name}' on object of type '${type}'`);
    }
  }
  return { ...value };
}

function arrayOf(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw invalidContent(`'${name}' is not an array`);
  return value;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidContent(`'${name}' is not a string`);
  return value;
}

function readTags(value: unknown): Tags {
  if (typeof value !== 'object' || value === null) throw invalidContent("'tags' is not an object");
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, textOf(text, `tags.${name}`)]),
  );
}

const invalidContent = (why: string): ArmError =>
  new ArmError('InvalidRequestContent', `The request content was invalid: ${why}.`);
