/**
 * Knows how many routes of each family a table can hold. EC2 does not tell: the maximum is 1,000, and less unless the
 * account's quota was raised. Tandem learns the limit when EC2 refuses a route: it is the number of routes that the table
 * has at that time. Quotas can be raised, so Tandem forgets the limit after a while, and when the table has more routes.
 */
import type { Family } from '@tandem/core/ip';
import type { Route } from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';
import type { RouteAddress } from './route-api.ts';

/** The highest quota that EC2 grants. */
const routesMax = 1_000;

/** How long a learnt limit prevents requests that EC2 would refuse again. */
const learntForMs = 600_000;

/** One family of one table. */
interface Usage {
  used: number;
  learnt: { readonly limit: number; readonly untilMs: number } | undefined;
}

export class TableLimits {
  readonly #clock: Clock;
  /** The number of routes by table and family, from the last list. */
  readonly #usages = new Map<string, Usage>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the limits of a table that was just listed. A family with more routes than its known limit is left out. */
  capacityOf(
    table: string,
    routes: readonly Pick<Route, 'destination'>[],
  ): { readonly IPv4?: number; readonly IPv6?: number } {
    const IPv6 = routes.filter(({ destination }) => familyOf(destination) === 'IPv6').length;
    return {
      ...this.#capacityOf(table, 'IPv4', routes.length - IPv6),
      ...this.#capacityOf(table, 'IPv6', IPv6),
    };
  }

  noteCreated(route: RouteAddress): void {
    const usage = this.#find(route);
    if (usage !== undefined) usage.used++;
  }

  noteDeleted(route: RouteAddress): void {
    const usage = this.#find(route);
    if (usage !== undefined) usage.used--;
  }

  /** Records that EC2 refused this route because the table is full. */
  noteFull(route: RouteAddress): void {
    const usage = this.#find(route);
    if (usage === undefined) return;
    const untilMs = this.#clock.monotonic() + learntForMs;
    usage.learnt = { limit: usage.used, untilMs };
  }

  #find({ table, destination }: RouteAddress): Usage | undefined {
    return this.#usages.get(`${table} ${familyOf(destination)}`);
  }

  #capacityOf(table: string, family: Family, used: number): Partial<Record<Family, number>> {
    const key = `${table} ${family}`;
    const known = this.#usages.get(key)?.learnt;
    const holds = known && known.limit >= used && known.untilMs > this.#clock.monotonic();
    const learnt = holds ? known : undefined;
    this.#usages.set(key, { used, learnt });
    const limit = learnt?.limit ?? routesMax;
    return used > limit ? {} : { [family]: limit };
  }
}

export function familyOf(cidr: string): Family {
  return cidr.includes(':') ? 'IPv6' : 'IPv4';
}
