/**
 * A second implementation of the rules of routes, simple and slow: every function looks at all
 * nodes and all routes again. It shares only the values of addresses and networks with the plan.
 */
import { readPodCIDR } from '../allocation/index.ts';
import { type Cidr, containsCidr, formatCidr, isSameAddress, overlaps } from '../ip/index.ts';
import type { ListedRoute, ListedTable } from './listing.ts';
import type { RoutedNode } from './node.ts';
import type { RoutePlanInput } from './plan.ts';

export interface NaiveWant {
  readonly node: RoutedNode;
  readonly cidr: Cidr;
}

type NaiveInput = Omit<RoutePlanInput, 'tables'>;

export function naiveCidrs({ podCIDRs }: RoutedNode): Cidr[] {
  return podCIDRs.flatMap((text) => readPodCIDR(text).cidr ?? []);
}

export function isSame(a: Cidr, b: Cidr): boolean {
  return formatCidr(a) === formatCidr(b);
}

export function isBarred(node: RoutedNode): boolean {
  const isLeftOut = !node.isOurs || node.holder !== undefined || !node.isSelected;
  return isLeftOut || node.isPaused || node.isDeleting;
}

export function isRoutable({ families }: NaiveInput, cidr: Cidr): boolean {
  return families.includes(cidr.network.family);
}

export function isRoutedByCloud({ instance }: RoutedNode, cidr: Cidr): boolean {
  const { IPv4, IPv6 } = instance?.podBlocks ?? { IPv4: [], IPv6: [] };
  return [...IPv4, ...IPv6].some((text) => {
    const block = readPodCIDR(text).cidr;
    return block !== undefined && containsCidr(block, cidr);
  });
}

/** Whether the manager may change routes to the network. */
export function isInScope(input: NaiveInput, cidr: Cidr): boolean {
  return isRoutable(input, cidr) && input.clusterCIDRs.some((range) => containsCidr(range, cidr));
}

/** The networks that need routes: checks every condition for each podCIDR. */
export function naiveWants(input: NaiveInput): NaiveWant[] {
  return input.nodes.flatMap((node) =>
    naiveCidrs(node)
      .filter(
        (cidr) =>
          !isBarred(node) &&
          isInScope(input, cidr) &&
          !isRoutedByCloud(node, cidr) &&
          node.instance !== undefined &&
          node.internalIPs[cidr.network.family] !== undefined &&
          input.nodes.every(
            (other) => other === node || !naiveCidrs(other).some((one) => overlaps(one, cidr)),
          ),
      )
      .map((cidr) => ({ node, cidr })),
  );
}

/** The networks of nodes whose routes must not be changed. */
export function naivelyUndecided(input: NaiveInput): Cidr[] {
  const wants = naiveWants(input);
  return input.nodes.flatMap((node) =>
    naiveCidrs(node).filter((cidr) => {
      const isWanted = wants.some((want) => want.node === node && isSame(want.cidr, cidr));
      return isBarred(node) || !(isWanted || isRoutedByCloud(node, cidr));
    }),
  );
}

export function mayBeTouched({ ours, target }: ListedRoute): boolean {
  return ours || target.kind === 'blackhole';
}

/** Whether the traffic of the route arrives at the node. */
export function arrivesAt({ target }: ListedRoute, { instance, internalIPs }: RoutedNode): boolean {
  if (target.kind === 'instance') return target.ready && target.key === instance?.key;
  if (target.kind !== 'address') return false;
  const own = internalIPs[target.address.family];
  return own !== undefined && isSameAddress(own, target.address);
}

export function routesTo(table: ListedTable, cidr: Cidr): ListedRoute[] {
  return table.routes.filter(
    ({ destination }) => destination !== undefined && isSame(destination, cidr),
  );
}

/** Whether a correct route of ours exists, or a correct foreign one if we have none. */
export function stands(table: ListedTable, { node, cidr }: NaiveWant): boolean {
  const routes = routesTo(table, cidr);
  const own = routes.filter(({ ours }) => ours);
  return (own.length > 0 ? own : routes).some((route) => arrivesAt(route, node));
}

/**
 * Whether packets for the first address of the network arrive at the node, by the longest match.
 */
export function isServed(table: ListedTable, { node, cidr }: NaiveWant): boolean {
  const first = { ...cidr, prefixLength: cidr.network.family === 'IPv4' ? 32 : 128 };
  const matches = table.routes.filter(
    ({ destination }) => destination !== undefined && containsCidr(destination, first),
  );
  const length = Math.max(...matches.map(({ destination }) => destination?.prefixLength ?? 0));
  return matches.some(
    (route) => route.destination?.prefixLength === length && arrivesAt(route, node),
  );
}

/** The number of further routes of the family that fit. */
export function naiveRoom({ capacity, routes }: ListedTable, family: 'IPv4' | 'IPv6'): number {
  if (capacity === undefined) return Number.POSITIVE_INFINITY;
  if (typeof capacity === 'number') return capacity - routes.length;
  const others = routes.filter(
    ({ destination }) => destination !== undefined && destination.network.family !== family,
  );
  return (capacity[family] ?? Number.POSITIVE_INFINITY) - (routes.length - others.length);
}
