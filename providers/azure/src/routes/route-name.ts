/**
 * The names of routes, by which managers know their own. Upstream's scheme for two families is the node, four
 * underscores and the destination without its punctuation. Old managers with one family named a route
 * like its node; such a route is known by the nodes that were looked up. Azure compares names without regard
 * to case.
 */
import type { Route } from '@azure/arm-network';
import { formatCidr, parseCidr } from '@tandem/core/ip';

const separator = '____';

/** Azure takes no longer names. */
const lengthMax = 80;

/** The node is cut where the name would be too long: the destination alone tells routes apart. */
export function routeNameOf(
  node: string,
  destination: string,
  isTaken: (name: string) => boolean,
): string {
  const suffix = `${separator}${digitsOf(destination)}`;
  // 10.24.41.0/24 and 10.244.1.0/24 have the same digits.
  for (let count = 1; ; count++) {
    const ending = count === 1 ? suffix : `${suffix}-${count}`;
    const name = `${node.slice(0, lengthMax - ending.length)}${ending}`;
    if (!isTaken(name.toLowerCase())) return name;
  }
}

export function isNameOf(node: string, { name = '', addressPrefix = '' }: Route): boolean {
  const wanted = routeNameOf(node, addressPrefix, () => false);
  return stem(name).toLowerCase() === wanted.toLowerCase();
}

/** Whether a manager made the route. `nodeNames` are in lower case. */
export function isManaged(route: Route, nodeNames: ReadonlySet<string>): boolean {
  const { name = '', addressPrefix = '', nextHopType } = route;
  if (nextHopType !== 'VirtualAppliance') return false;
  if (parseCidr(addressPrefix).kind !== 'cidr') return false;
  const base = stem(name);
  const at = base.lastIndexOf(separator);
  if (at < 0) return nodeNames.has(name.toLowerCase());
  const digits = base.slice(at + separator.length).toLowerCase();
  return at > 0 && [digitsOf(addressPrefix), plainDigits(addressPrefix)].includes(digits);
}

/** The node that a route of a manager leads to, in lower case, as far as the name of the route has it. */
export function nodeNameOf({ name = '' }: Route): string {
  const base = stem(name);
  const at = base.lastIndexOf(separator);
  return (at < 0 ? name : base.slice(0, at)).toLowerCase();
}

/** Without the number that tells destinations of the same digits apart. */
function stem(name: string): string {
  return name.replace(/-\d+$/, (number, at: number) =>
    name.slice(0, at).includes(separator) ? '' : number,
  );
}

/** Of the canonical spelling, which is the one that Kubernetes gives podCIDRs. */
function digitsOf(destination: string): string {
  const parsed = parseCidr(destination);
  return plainDigits(parsed.kind === 'cidr' ? formatCidr(parsed.cidr) : destination);
}

function plainDigits(destination: string): string {
  return destination.replaceAll(/[:./]/g, '').toLowerCase();
}
