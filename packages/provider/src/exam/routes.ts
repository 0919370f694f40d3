/** The helpers of the claims about routes. Destinations are compared as values, never as text. */
import assert from 'node:assert/strict';
import {
  compareAddresses,
  type Family,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
} from '@tandem/core/ip';
import type {
  RouteApplyOptions,
  RouteNode,
  RouteOperation,
  RouteOutcome,
  Routes,
  RouteTarget,
} from '../plug/index.ts';
import { type Claim, dualStack } from './claim.ts';
import type { Lab, RouteLab } from './lab.ts';

/** A lab whose provider has routes. */
export interface RoutesExam {
  readonly lab: Lab;
  readonly routes: Routes;
  readonly hands: RouteLab;
}

/** A claim that is skipped for providers without routes. */
export function routeClaim(name: string, check: (exam: RoutesExam) => Promise<void>): Claim {
  return {
    name: `with routes: ${name}`,
    async check(lab) {
      const { routes } = lab.provider;
      if (routes === undefined) return;
      assert(lab.routes !== undefined, 'the lab has no routes, although the provider has');
      await check({ lab, routes, hands: lab.routes });
    },
  };
}

/** A listed route. A destination that is a CIDR has the canonical spelling. */
export interface SeenRoute {
  readonly table: string;
  readonly id: string;
  readonly destination: string;
  readonly ours: boolean;
  readonly target: RouteTarget;
}

/** Every route of every table. */
export async function listRoutes({ lab, routes }: RoutesExam): Promise<readonly SeenRoute[]> {
  const { signal } = new AbortController();
  const { tables } = await lab.waitFor(routes.list({ signal }));
  const seen = tables.flatMap(({ id: table, routes: listed }) =>
    listed.map(({ id, destination, ours, target }) => {
      const parsed = parseCidr(destination);
      assert(parsed.kind === 'cidr' || !ours, `our route ${id} has the destination ${destination}`);
      const value = parsed.kind === 'cidr' ? formatCidr(parsed.cidr) : destination;
      return { table, id, destination: value, ours, target };
    }),
  );
  return seen.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

export async function tableIdsOf({
  lab,
  routes,
}: RoutesExam): Promise<readonly [string, ...string[]]> {
  const { signal } = new AbortController();
  const { tables } = await lab.waitFor(routes.list({ signal }));
  const [first, ...others] = tables.map(({ id }) => id);
  assert(first !== undefined, 'the lab has no route table');
  return [first, ...others];
}

/** Operations are frozen, because no provider may change them. */
export async function applyRoutes(
  { lab, routes }: RoutesExam,
  operations: readonly RouteOperation[],
  options: Partial<RouteApplyOptions> = {},
): Promise<readonly RouteOutcome[]> {
  const { signal } = new AbortController();
  const frozen = Object.freeze(operations.map((operation) => Object.freeze({ ...operation })));
  const applying = routes.apply(frozen, { signal, beforeWrite: () => {}, ...options });
  return lab.waitFor(applying);
}

/** Applies operations that must all succeed. */
export async function mustApply(
  exam: RoutesExam,
  ...operations: readonly RouteOperation[]
): Promise<void> {
  const outcomes = await applyRoutes(exam, operations);
  for (const outcome of outcomes) if ('err' in outcome) throw outcome.err;
  assert.equal(outcomes.length, operations.length, 'there is not one outcome for each operation');
}

/** Creates an instance, and returns the facts about its node that routes need. */
export async function makeNode({ lab }: RoutesExam, name: string, host = 1): Promise<RouteNode> {
  const { providerID, addresses } = await lab.create(dualStack(name, host));
  const key = lab.provider.identify(providerID);
  assert(key !== undefined, `identify returned no key for ${providerID}`);
  const byFamily: { IPv4?: string; IPv6?: string } = {};
  for (const { type, address } of addresses) {
    const family = parseAddress(address)?.family;
    if (type === 'InternalIP' && family !== undefined) byFamily[family] ??= address;
  }
  return Object.freeze({ key, name, addresses: Object.freeze(byFamily) });
}

/** Returns a destination of the family. The same number gives the same destination. */
export function destinationOf(family: Family, number: number): string {
  return family === 'IPv4' ? `10.244.${number}.0/24` : `fd00:10:244:${number + 1}::/64`;
}

/** Another spelling of an IPv6 destination. */
export function otherSpelling(destination: string): string {
  return destination.replace('fd00:10:', 'FD00:0010:');
}

export function create(table: string, destination: string, to: RouteNode): RouteOperation {
  return { kind: 'create', table, destination, to };
}

export async function findRoute(
  exam: RoutesExam,
  table: string,
  destination: string,
): Promise<SeenRoute> {
  const found = (await listRoutes(exam)).filter(
    (route) => route.table === table && route.destination === destination,
  );
  const [route] = found;
  assert(route !== undefined, `the route to ${destination} is not listed in table ${table}`);
  assert.equal(found.length, 1, `the route to ${destination} is listed twice in table ${table}`);
  return route;
}

export function assertLeadsTo({ destination, target }: SeenRoute, node: RouteNode): void {
  const what = `the route to ${destination}`;
  if (target.kind === 'instance') {
    assert.equal(target.key, node.key, `${what} leads to another instance`);
    return;
  }
  assert(target.kind === 'address', `${what} leads to ${target.kind} instead of ${node.name}`);
  const family = destination.includes(':') ? 'IPv6' : 'IPv4';
  const next = parseAddress(target.address);
  const own = parseAddress(node.addresses[family] ?? '');
  const isOwn = next !== undefined && own !== undefined && compareAddresses(next, own) === 0;
  const text = next === undefined ? target.address : formatAddress(next);
  assert(isOwn, `${what} leads to ${text}, which is not ${node.name}`);
}

/** An error that a person can act on: it has a code and a message. */
export function assertTold(err: unknown): void {
  assert(err instanceof Error, 'the err of an outcome is not an Error');
  const code: unknown = Reflect.get(err, 'code');
  assert(typeof code === 'string' && code !== '', `the error has no code: ${err.message}`);
  assert.notEqual(err.message, '', 'the error has no message');
}

function keyOf({ table, destination, id }: SeenRoute): string {
  return [table, destination, id].join(' ');
}
