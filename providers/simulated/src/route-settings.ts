/** How the route tables of the simulated cloud behave. By default there are none. */
import type { Family } from '@tandem/core/ip';
import type { RouteLimits, RouteTable } from '@tandem/provider/plug';

export interface RouteSettings {
  /** Read once, when the cloud is made. Empty: the cloud has no route tables. */
  readonly tables: readonly Pick<RouteTable, 'id' | 'capacity'>[];
  /** Read once, when the cloud is made. */
  readonly families: readonly Family[];
  /** Read once, when the cloud is made. */
  readonly limits: Partial<RouteLimits>;
  /** How long one request takes: drawn between the two. Every table and every change is a request. */
  readonly latencyMs: { readonly min: number; readonly max: number };
  /** Requests that may be made in a second; what goes beyond is throttled. */
  readonly requestsPerSecond: number;
  /** What goes wrong, each with the share of requests that it befalls, from 0 to 1. */
  readonly faults: RouteFaultRates;
  /** The share of lists that show all tables without a single route. */
  readonly emptyShare: number;
  /** The share of new routes whose instance does not forward until the route is replaced. */
  readonly unreadyShare: number;
  /** The share of routes that a list shows without their targets, as when a zone is down. */
  readonly unreadShare: number;
  /** Whether IPv6 destinations are listed in capitals or without compression, at random. */
  readonly spellsOddly: boolean;
  /** Whether routes lead to instances, as at AWS, or to addresses, as at Azure. */
  readonly targets: 'instance' | 'address';
}

export interface RouteFaultRates {
  /** Refused with a time to wait. */
  readonly throttle: number;
  /** An error, and nothing was done. */
  readonly failure: number;
  /** An error, although it was done. */
  readonly failureAfter: number;
  /** No answer ever, and nothing was done: only the asker's own deadline ends it. */
  readonly lostBefore: number;
  /** No answer ever, although it was done. */
  readonly lostAfter: number;
}

export const noRouteFaults: RouteFaultRates = {
  throttle: 0,
  failure: 0,
  failureAfter: 0,
  lostBefore: 0,
  lostAfter: 0,
};

export const routeSettingsDefault: RouteSettings = {
  tables: [],
  families: ['IPv4', 'IPv6'],
  limits: {},
  latencyMs: { min: 0, max: 0 },
  requestsPerSecond: Number.POSITIVE_INFINITY,
  faults: noRouteFaults,
  emptyShare: 0,
  unreadyShare: 0,
  unreadShare: 0,
  spellsOddly: false,
  targets: 'instance',
};
