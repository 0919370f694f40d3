/**
 * What the route tables and the networks of nodes have to be once nothing goes wrong any more (T4, T6): every route that
 * a node needs stands in every table that has room for it, no other one of ours does, and each node says so.
 * Worked out from the stored nodes and the tables alone, one route after the other.
 */
import type { Store } from '@tandem/devcluster/store';
import type { Route, RouteTable } from '@tandem/provider/plug';
import type { RoutePlan } from '../plan/index.ts';
import { isTo } from './condition-law.ts';
import type { HeardRoutes } from './heard-routes.ts';
import { contains, doOverlap, isEqual, type NaiveCidr, naiveCidr, valueOf } from './naive-cidr.ts';
import { type NodeState, nodeStateOf } from './node-history.ts';
import { isInScope, isManaged, isOutranked, leadsTo } from './route-law.ts';
import { networkConditionOf, nodeOf, isTainted, type StoredNode } from './stored-node.ts';

interface RouteFacts {
  readonly store: Store;
  readonly plan: RoutePlan;
  /** What is true of the tables. */
  readonly tables: readonly RouteTable[];
  readonly hasWarned: (uid: string, reason: string) => boolean;
  /** What the process that leads was told. */
  readonly heard: HeardRoutes | undefined;
}

/** What is not as it should be, one sentence each. */
export function routeDifferencesOf(facts: RouteFacts): readonly string[] {
  const nodes = nodesOf(facts.store);
  const needs = needsOf(facts, nodes);
  const differences = [
    ...needs.flatMap((need) => missingOf(facts, need)),
    ...facts.tables.flatMap((table) => leftOversOf(facts, table, needs)),
  ];
  // What nodes say follows from their routes.
  if (differences.length > 0) return differences;
  return nodes.flatMap((node) => conditionOf(facts, node, needs));
}

/** The destinations of routes of managers that lead to no node that has them. */
export function strayRoutesOf({
  store,
  tables,
}: Pick<RouteFacts, 'store' | 'tables'>): readonly string[] {
  const nodes = nodesOf(store).map(nodeStateOf);
  const isHeld = (route: Route): boolean =>
    nodes.some((node) => leadsTo(route, node) && node.cidrs.some((cidr) => isTo(route, cidr)));
  return tables
    .flatMap(({ routes }) => routes)
    .filter((route) => route.ours && route.destination.includes('/') && !isHeld(route))
    .map(({ destination }) => destination);
}

function nodesOf(store: Store): readonly StoredNode[] {
  return store
    .collection('nodes')
    .list()
    .flatMap((object) => nodeOf(object) ?? []);
}

/** What a pod CIDR of a node means. */
interface Need {
  readonly node: NodeState;
  readonly cidr: NaiveCidr;
  /** `open`: it is not known where it has to lead, so every route to it stays. */
  readonly kind: 'wanted' | 'shared' | 'open' | 'none';
  readonly isManaged: boolean;
}

function needsOf({ plan }: RouteFacts, stored: readonly StoredNode[]): readonly Need[] {
  const nodes = stored.map(nodeStateOf);
  return nodes.flatMap((node) =>
    node.cidrs.map((cidr): Need => {
      const others = nodes.filter((other) => other !== node).flatMap((other) => other.cidrs);
      const isShared = others.some((other) => doOverlap(other, cidr));
      const isDue = isManaged(plan, node) && !isOutranked(node, nodes);
      const facts = { node, cidr, isManaged: isDue };
      return { ...facts, kind: kindOf(plan, facts, isShared) };
    }),
  );
}

function kindOf(
  plan: RoutePlan,
  { node, cidr, isManaged: isOurs }: Omit<Need, 'kind'>,
  isShared: boolean,
): Need['kind'] {
  if (!isOurs) return 'open';
  if (!plan.settings.families.includes(cidr.family)) return 'none';
  const own = plan.podBlocks.get(node.name)?.[cidr.family] ?? [];
  if (own.some((block) => isEqual(naiveCidr(block), cidr))) return 'none';
  const isInside = plan.clusterCIDRs.some((range) => contains(naiveCidr(range), cidr));
  if (!isInside || node.hops[cidr.family] === undefined) return 'open';
  return isShared ? 'shared' : 'wanted';
}

function missingOf({ tables, heard }: RouteFacts, need: Need): readonly string[] {
  const { node, cidr, kind } = need;
  if (kind !== 'wanted') return [];
  return tables.flatMap((table) => {
    if (standsIn(table, need) || isBlocked(table, cidr)) return [];
    const rule = heard?.hasFailed(valueOf(cidr)) === true ? 'T6' : 'T4';
    return [`${node.name} has no route to ${valueOf(cidr)} in ${table.id} (${rule})`];
  });
}

function leftOversOf(
  { plan }: RouteFacts,
  { id, routes }: RouteTable,
  needs: readonly Need[],
): readonly string[] {
  const isOurs = ({ destination, ours }: Route): boolean => ours && isInScope(plan, destination);
  const isDue = (route: Route): boolean => {
    const cidr = naiveCidr(route.destination);
    return needs.some(
      (need) =>
        (need.kind === 'wanted' && isEqual(need.cidr, cidr) && leadsTo(route, need.node)) ||
        ((need.kind === 'open' || need.kind === 'shared') && doOverlap(need.cidr, cidr)),
    );
  };
  return routes
    .filter((route) => isOurs(route) && !isDue(route))
    .map((route) => `${id} has a route that no node needs: ${JSON.stringify(route)} (T4)`);
}

/** What the node says of its network, where the manager is to say it. */
function conditionOf(
  facts: RouteFacts,
  stored: StoredNode,
  all: readonly Need[],
): readonly string[] {
  const { tables, hasWarned } = facts;
  const { name, uid } = stored.metadata;
  const needs = all.filter(({ node }) => node.uid === uid);
  if (needs.length === 0 || needs.some((need) => !need.isManaged)) return [];
  const lacking = needs.filter((need) => isLacking(facts, need));
  // A tainted node is told by cloud-node-controller what it waits for, and nothing about routes.
  if (lacking.length > 0 && !isTainted(stored) && !hasWarned(uid, 'FailedToCreateRoute')) {
    return [`${name} lacks a route, and has no Warning event FailedToCreateRoute (P6)`];
  }
  const condition = networkConditionOf(stored);
  const said = `${condition?.status}/${condition?.reason}`;
  if (condition !== undefined && !/^(?:No)?RouteCreated$/.test(condition.reason)) return [];
  if (lacking.length === 0) {
    return said === 'False/RouteCreated' ? [] : [`${name} has all of its routes, and says ${said}`];
  }
  const isBlockedAnywhere = lacking.some(
    (need) => need.kind === 'wanted' && tables.some((table) => isBlocked(table, need.cidr)),
  );
  if (!isBlockedAnywhere || condition?.status === 'True') return [];
  return [`${name} cannot have all of its routes, and says ${said}`];
}

function isLacking({ tables }: RouteFacts, need: Need): boolean {
  if (need.kind === 'none') return false;
  return need.kind === 'open' || !tables.every((table) => standsIn(table, need));
}

/** Whether a route to it leads to its node, and forwards. */
function standsIn({ routes }: RouteTable, { node, cidr }: Need): boolean {
  return routes.some(
    (route) =>
      isTo(route, cidr) &&
      leadsTo(route, node) &&
      (route.target.kind !== 'instance' || route.target.ready),
  );
}

/** Whether a route of another owner has its destination, or the table has no room. A destination that is no CIDR counts for both families. */
function isBlocked({ capacity, routes }: RouteTable, cidr: NaiveCidr): boolean {
  const there = routes.filter((route) => isTo(route, cidr));
  if (there.length > 0)
    return there.every(({ ours, target }) => !ours && target.kind !== 'blackhole');
  if (capacity === undefined) return false;
  if (typeof capacity === 'number') return routes.length >= capacity;
  const isCounted = ({ destination }: Route): boolean =>
    !destination.includes('/') || naiveCidr(destination).family === cidr.family;
  const limit = capacity[cidr.family];
  return limit !== undefined && routes.filter(isCounted).length >= limit;
}
