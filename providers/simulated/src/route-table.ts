/**
 * One route table of the simulated cloud: decides which operations it accepts. It has no randomness of its own and no
 * latency. It compares destinations by value.
 */
import { type Cidr, type Family, formatCidr, parseCidr } from '@tandem/core/ip';
import type {
  InstanceKey,
  RouteNode,
  RouteOperation,
  RouteOutcome,
  RouteTable,
} from '@tandem/provider/plug';
import { CcmError } from '@tandem/runtime';

/** A stored route. `destination` is undefined if its text is not a CIDR. */
export interface KeptRoute {
  readonly id: string;
  readonly text: string;
  readonly destination: Cidr | undefined;
  readonly ours: boolean;
  readonly target: KeptTarget;
}

type KeptTarget =
  | { readonly kind: 'instance'; readonly key: InstanceKey; readonly isReady: boolean }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'other' };

/** The facts about the cloud that the table needs. */
export interface Surroundings {
  readonly families: readonly Family[];
  readonly isLive: (key: InstanceKey) => boolean;
  readonly targets: 'instance' | 'address';
  /** Whether a new route leads to an instance that does not forward yet. */
  readonly drawsUnready: () => boolean;
}

export class SimulatedTable {
  readonly id: string;
  readonly capacity: RouteTable['capacity'];
  readonly #routes = new Map<string, KeptRoute>();
  /** The number of routes to each destination, by its canonical text. Foreign routes may repeat a destination. */
  readonly #byDestination = new Map<string, number>();
  #created = 0;

  constructor({ id, capacity }: Pick<RouteTable, 'id' | 'capacity'>) {
    this.id = id;
    this.capacity = capacity;
  }

  get routes(): readonly KeptRoute[] {
    return [...this.#routes.values()];
  }

  /** Adds a route that no manager created, with any destination. */
  addForeign(text: string): KeptRoute {
    const parsed = parseCidr(text);
    const destination = parsed.kind === 'cidr' ? parsed.cidr : undefined;
    return this.#add({ text, destination, ours: false, target: { kind: 'other' } });
  }

  /** Adds a route that an earlier manager created. */
  addLeftover(text: string, key: InstanceKey): KeptRoute {
    const parsed = parseCidr(text);
    const destination = parsed.kind === 'cidr' ? parsed.cidr : undefined;
    const target = { kind: 'instance', key, isReady: true } as const;
    return this.#add({ text, destination, ours: true, target });
  }

  find(id: string): KeptRoute | undefined {
    return this.#routes.get(id);
  }

  /** The instance stops forwarding what its routes send to it, until they are replaced. */
  unready(key: InstanceKey): void {
    for (const route of this.#routes.values()) {
      const { target } = route;
      if (target.kind !== 'instance' || target.key !== key) continue;
      this.#routes.set(route.id, { ...route, target: { ...target, isReady: false } });
    }
  }

  apply(operation: RouteOperation, around: Surroundings): RouteOutcome {
    switch (operation.kind) {
      case 'create':
        return this.#create(operation, around);
      case 'replace':
      case 'delete': {
        const route = this.#routes.get(operation.route);
        if (route === undefined) return refused(`there is no route ${operation.route}`);
        if (!route.ours) return refused(`route ${operation.route} is not ours`);
        return operation.kind === 'replace'
          ? this.#replace(route, operation.to, around)
          : this.#delete(route);
      }
    }
  }

  #create(
    { destination: text, to }: RouteOperation & { readonly kind: 'create' },
    around: Surroundings,
  ): RouteOutcome {
    const parsed = parseCidr(text);
    if (parsed.kind === 'invalid') return refused(`${text} ${parsed.reason}`);
    const { cidr } = parsed;
    const { family } = cidr.network;
    if (!around.families.includes(family)) return refused(`it does not route ${family}`);
    if (this.#byDestination.has(formatCidr(cidr))) return exists(text);
    if (this.#isFull(family)) return tableFull(this.id);
    const target = targetOf(to, family, around, !around.drawsUnready());
    if (target === undefined) return refused(`${to.name} cannot be routed to`);
    this.#add({ text, destination: cidr, ours: true, target });
    return { kind: 'applied' };
  }

  #replace(route: KeptRoute, to: RouteNode, around: Surroundings): RouteOutcome {
    const family = route.destination?.network.family ?? 'IPv4';
    const target = targetOf(to, family, around, true);
    if (target === undefined) return refused(`${to.name} cannot be routed to`);
    this.#routes.set(route.id, { ...route, target });
    return { kind: 'applied' };
  }

  #delete({ id, destination }: KeptRoute): RouteOutcome {
    this.#routes.delete(id);
    this.#count(destination, -1);
    return { kind: 'applied' };
  }

  #add(route: Omit<KeptRoute, 'id'>): KeptRoute {
    const kept = { id: `r-${++this.#created}`, ...route };
    this.#routes.set(kept.id, kept);
    this.#count(kept.destination, 1);
    return kept;
  }

  #count(destination: Cidr | undefined, more: 1 | -1): void {
    if (destination === undefined) return;
    const text = formatCidr(destination);
    const count = (this.#byDestination.get(text) ?? 0) + more;
    if (count === 0) this.#byDestination.delete(text);
    else this.#byDestination.set(text, count);
  }

  #isFull(family: Family): boolean {
    const { capacity = Number.POSITIVE_INFINITY } = this;
    if (typeof capacity === 'number') return this.#routes.size >= capacity;
    const isOfFamily = ({ destination }: KeptRoute): boolean =>
      destination?.network.family === family;
    return this.routes.filter(isOfFamily).length >= (capacity[family] ?? Number.POSITIVE_INFINITY);
  }
}

function targetOf(
  { key, addresses }: RouteNode,
  family: Family,
  { targets, isLive }: Surroundings,
  isReady: boolean,
): KeptTarget | undefined {
  if (targets === 'instance') return isLive(key) ? { kind: 'instance', key, isReady } : undefined;
  const address = addresses[family];
  return address === undefined ? undefined : { kind: 'address', address };
}

export function refused(why: string): RouteOutcome {
  const err = new CcmError(`The simulated cloud refused to change a route: ${why}`, {
    code: 'SimulatedRouteRefused',
    retry: 'backoff',
    effect: 'none',
  });
  return { kind: 'refused', err };
}

function exists(destination: string): RouteOutcome {
  const err = new CcmError(`The simulated cloud already has a route to ${destination}`, {
    code: 'SimulatedRouteExists',
    retry: 'backoff',
    effect: 'none',
  });
  return { kind: 'refused', err, reason: 'exists' };
}

function tableFull(table: string): RouteOutcome {
  const err = new CcmError(`The simulated table ${table} takes no more routes`, {
    code: 'SimulatedTableFull',
    retry: 'backoff',
    effect: 'none',
  });
  return { kind: 'refused', err, reason: 'tableFull' };
}
