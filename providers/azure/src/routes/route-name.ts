/**
 * Builds and reads the names of routes, by which managers recognise their own routes. Upstream's scheme for two
 * families is the node, four underscores and the destination without punctuation. Old managers with one family gave a
 * route the name of its node; the provider recognises such a route by the names of the nodes that it looked up. Azure's
 * names are case-insensitive.
 */
import type { Route } from '@azure/arm-network';
import { formatCidr, parseCidr } from '@tandem/core/ip';

const separator = '____';

/** The maximum length of a name in Azure. */
const lengthMax = 80;

/**
 * Returns a free name for a route. If the name would be too long, the node's part is cut, because the destination alone
 * identifies the route.
 */
export function routeNameOf(
  node: string,
  destination: string,
  isTaken: (name: string) => boolean,
): string {
  const suffix = `${separator}${digitsOf(destination)}`;
  // A number is added if the name is taken: 10.24.41.0/24 and 10.244.1.0/24 have the same digits.
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

/** Returns whether a manager created the route. `nodeNames` are in lower case. */
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

/**
 * Returns the node that a manager's route leads to, in lower case, and cut if the name of the route has only a part of
 * it.
 */
export function nodeNameOf({ name = '' }: Route): string {
  const base = stem(name);
  const at = base.lastIndexOf(separator);
  return (at < 0 ? name : base.slice(0, at)).toLowerCase();
}

/** Removes the number that distinguishes destinations with the same digits. */
function stem(name: string): string {
  return name.replace(/-\d+$/, (number, at: number) =>
    name.slice(0, at).includes(separator) ? '' : number,
  );
}

/** Returns the digits of the canonical spelling, which is how Kubernetes spells podCIDRs. */
function digitsOf(destination: string): string {
  const parsed = parseCidr(destination);
  return plainDigits(parsed.kind === 'cidr' ? formatCidr(parsed.cidr) : destination);
}

function plainDigits(destination: string): string {
  return destination.replaceAll(/[:./]/g, '').toLowerCase();
}
