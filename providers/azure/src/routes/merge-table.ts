/**
 * Carries operations out on a copy of a route table, which the caller then writes as a whole. Routes that no operation
 * names stay unchanged. Operations find a route only by its exact name, and change it only if a manager created it.
 */
import type { Route } from '@azure/arm-network';
import { formatCidr, parseAddress, parseCidr } from '@tandem/core/ip';
import { quote } from '@tandem/core/node-address';
import type { RouteNode, RouteOperation, RouteOutcome } from '@tandem/provider/plug';
import { AzureError } from '../failure.ts';
import { isManaged, isNameOf, routeNameOf } from './route-name.ts';

export interface MergedTable {
  readonly routes: readonly Route[];
  /** One outcome for each operation, valid once the routes are written. */
  readonly outcomes: readonly RouteOutcome[];
  /** The indices of the operations that change the table. If there are none, no write is needed. */
  readonly changing: ReadonlySet<number>;
}

export function mergeTable(
  current: readonly Route[],
  operations: readonly RouteOperation[],
  nodeNames: ReadonlySet<string>,
): MergedTable {
  const copy = new TableCopy(current, nodeNames);
  const changing = new Set<number>();
  const outcomes = new Map<number, RouteOutcome>();
  // Deletions come first, because they free names and destinations.
  const inOrder = [...operations.entries()].toSorted(([, a], [, b]) => rankOf(a) - rankOf(b));
  for (const [index, operation] of inOrder) {
    try {
      if (copy.carryOut(operation)) changing.add(index);
      outcomes.set(index, { kind: 'applied' });
    } catch (err) {
      if (!(err instanceof AzureError)) throw err;
      const isTaken = err.code === 'AzureRouteTaken';
      outcomes.set(index, { kind: 'refused', err, ...(isTaken && { reason: 'exists' }) });
    }
  }
  return {
    routes: copy.routes,
    outcomes: operations.flatMap((_, index) => outcomes.get(index) ?? []),
    changing,
  };
}

function rankOf({ kind }: RouteOperation): number {
  return kind === 'delete' ? 0 : 1;
}

class TableCopy {
  readonly #byName = new Map<string, Route>();
  readonly #byDestination = new Map<string, Route>();
  readonly #nodeNames: ReadonlySet<string>;

  constructor(routes: readonly Route[], nodeNames: ReadonlySet<string>) {
    this.#nodeNames = nodeNames;
    for (const route of routes) this.#put(route);
  }

  get routes(): readonly Route[] {
    return [...this.#byName.values()];
  }

  /**
   * Carries out an operation and returns whether it changed the table. Throws an `AzureError` if the operation is
   * refused.
   */
  carryOut(operation: RouteOperation): boolean {
    switch (operation.kind) {
      case 'create':
        return this.#create(operation.destination, operation.to);
      case 'replace':
        return this.#replace(operation.route, operation.to);
      case 'delete':
        return this.#delete(operation.route);
    }
  }

  #create(destination: string, to: RouteNode): boolean {
    const value = canonical(destination);
    if (value === undefined) throw impossible(`${quote(destination)} is not a CIDR`);
    const holder = this.#byDestination.get(value);
    if (holder !== undefined) {
      const message = `Route ${quote(holder.name ?? '', 80)} leads to ${destination} already`;
      throw new AzureError('AzureRouteTaken', message);
    }
    this.#add(destination, to);
    return true;
  }

  #replace(id: string, to: RouteNode): boolean {
    const old = this.#byName.get(keyOf(id));
    if (old?.addressPrefix === undefined) throw impossible(`Route ${quote(id, 80)} is gone`);
    this.#requireManaged(old);
    const nextHopIpAddress = nextHopOf(old.addressPrefix, to);
    if (isNameOf(to.name, old)) {
      this.#put({ ...old, nextHopType: 'VirtualAppliance', nextHopIpAddress });
      return true;
    }
    // The name of a route contains its node, so a route to another node needs a new name.
    this.#drop(old);
    this.#add(old.addressPrefix, to);
    return true;
  }

  #delete(id: string): boolean {
    const old = this.#byName.get(keyOf(id));
    if (old === undefined) return false;
    this.#requireManaged(old);
    this.#drop(old);
    return true;
  }

  #add(destination: string, to: RouteNode): void {
    const nextHopIpAddress = nextHopOf(destination, to);
    const name = routeNameOf(to.name, destination, (taken) => this.#byName.has(taken));
    const hop = { nextHopType: 'VirtualAppliance', nextHopIpAddress };
    this.#put({ name, addressPrefix: destination, ...hop });
  }

  #put(route: Route): void {
    this.#byName.set(keyOf(route.name ?? ''), route);
    const value = canonical(route.addressPrefix ?? '');
    if (value !== undefined) this.#byDestination.set(value, route);
  }

  #drop({ name = '', addressPrefix = '' }: Route): void {
    this.#byName.delete(keyOf(name));
    this.#byDestination.delete(canonical(addressPrefix) ?? '');
  }

  #requireManaged(route: Route): void {
    if (isManaged(route, this.#nodeNames)) return;
    throw impossible(`Route ${quote(route.name ?? '', 80)} is no longer one of a manager`);
  }
}

/**
 * Returns one text for all spellings of a CIDR; undefined if the destination is not a CIDR but, for example, a service
 * tag.
 */
function canonical(destination: string): string | undefined {
  const parsed = parseCidr(destination);
  return parsed.kind === 'cidr' ? formatCidr(parsed.cidr) : undefined;
}

function nextHopOf(destination: string, { name, addresses }: RouteNode): string {
  const family = destination.includes(':') ? 'IPv6' : 'IPv4';
  const address = addresses[family];
  if (address !== undefined && parseAddress(address)?.family === family) return address;
  throw impossible(`Node ${name} has no ${family} address for the route to ${destination}`);
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function impossible(message: string): AzureError {
  return new AzureError('AzureRouteImpossible', message);
}
