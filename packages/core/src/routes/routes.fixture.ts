/**
 * Nodes, tables and inputs with defaults, and a naive cloud that applies the operations of a plan.
 */
import assert from 'node:assert/strict';
import { type Cidr, type IpAddress, parseAddress, parseCidr } from '../ip/index.ts';
import type { ListedRoute, ListedTable, ListedTarget } from './listing.ts';
import type { RoutedNode } from './node.ts';
import type { PlannedOperation, RouteEnd } from './operation.ts';
import { planRoutes, type RoutePlan, type RoutePlanInput } from './plan.ts';

export function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  assert(parsed.kind === 'cidr', text);
  return parsed.cidr;
}

export function address(text: string): IpAddress {
  const parsed = parseAddress(text);
  assert(parsed !== undefined, text);
  return parsed;
}

/**
 * The dual-stack node of this number: `10.244.N.0/24` and `fd00:244:0:N::/64` on instance `i-N`.
 */
export function aNode(number: number, changes: Partial<RoutedNode> = {}): RoutedNode {
  return {
    name: `node-${number}`,
    uid: `uid-${number}`,
    podCIDRs: [`10.244.${number}.0/24`, `fd00:244:0:${number}::/64`],
    instance: { key: `i-${number}`, podBlocks: { IPv4: [], IPv6: [] } },
    internalIPs: { IPv4: address(`10.0.0.${number}`), IPv6: address(`fd00::${number}`) },
    isOurs: true,
    holder: undefined,
    isSelected: true,
    isPaused: false,
    isDeleting: false,
    ...changes,
  };
}

/** A node with only an IPv4 podCIDR. */
export function aSingleNode(number: number, changes: Partial<RoutedNode> = {}): RoutedNode {
  return aNode(number, { podCIDRs: [`10.244.${number}.0/24`], ...changes });
}

export const toInstance = (number: number, ready = true): ListedTarget => ({
  kind: 'instance',
  key: `i-${number}`,
  ready,
});

export const toAddress = (text: string): ListedTarget => ({
  kind: 'address',
  address: address(text),
});

export const dead: ListedTarget = { kind: 'blackhole' };

export const elsewhere: ListedTarget = { kind: 'other' };

/** A route, by default ours, whose id is its destination. */
export function aRoute(
  text: string,
  target: ListedTarget,
  changes: Partial<ListedRoute> = {},
): ListedRoute {
  return { id: text, destination: cidr(text), text, ours: true, target, ...changes };
}

/** The two routes of the dual-stack node of this number. */
export const routesOf = (number: number): ListedRoute[] => [
  aRoute(`10.244.${number}.0/24`, toInstance(number)),
  aRoute(`fd00:244:0:${number}::/64`, toInstance(number)),
];

export function aTable(
  routes: readonly ListedRoute[],
  changes: Partial<ListedTable> = {},
): ListedTable {
  return { id: 'main', routes, ...changes };
}

export const clusterCIDRs: readonly Cidr[] = [cidr('10.244.0.0/16'), cidr('fd00:244::/48')];

export function planFor(input: Partial<RoutePlanInput>): RoutePlan {
  return planRoutes({
    nodes: [aNode(1)],
    clusterCIDRs,
    families: ['IPv4', 'IPv6'],
    tables: [aTable([])],
    ...input,
  });
}

/** The operations as texts such as `create main 10.244.1.0/24 node-1`, in the order of the plan. */
export function operationTexts({ operations }: Pick<RoutePlan, 'operations'>): string[] {
  return operations.map(({ operation, destination }) => {
    const to = operation.kind === 'delete' ? '' : ` ${operation.to.name}`;
    return `${operation.kind} ${operation.table} ${destination}${to}`;
  });
}

/** How a cloud identifies the targets of its routes. */
export type TargetKind = 'instance' | 'address';

/** The tables after the operation. */
export function applied(
  tables: readonly ListedTable[],
  { operation }: PlannedOperation,
  targets: TargetKind = 'instance',
): readonly ListedTable[] {
  return tables.map((table) => {
    if (table.id !== operation.table) return table;
    const { routes } = table;
    switch (operation.kind) {
      case 'create': {
        const { destination: text, to } = operation;
        const made = { id: `made ${text}`, destination: cidr(text), text, ours: true };
        return { ...table, routes: [...routes, { ...made, target: targetOf(made, to, targets) }] };
      }
      case 'replace': {
        const { route: id, to } = operation;
        const moved = routes.map((route) =>
          route.id === id ? { ...route, ours: true, target: targetOf(route, to, targets) } : route,
        );
        return { ...table, routes: moved };
      }
      case 'delete':
        return { ...table, routes: routes.filter(({ id }) => id !== operation.route) };
    }
  });
}

function targetOf(
  { destination }: Pick<ListedRoute, 'destination'>,
  { key, addresses }: RouteEnd,
  targets: TargetKind,
): ListedTarget {
  if (targets === 'instance') return { kind: 'instance', key, ready: true };
  const text = addresses[destination?.network.family ?? 'IPv4'];
  assert(text !== undefined, 'a route to a node without an address of the family');
  return { kind: 'address', address: address(text) };
}
