/** How the route tables of the simulated cloud behave. By default there are none. */
import type { Family } from '@tandem/core/ip';
import type { RouteLimits, RouteTable } from '@tandem/provider/plug';

export interface RouteSettings {
  /** Read once, when the cloud is created. If empty, the cloud has no route tables. */
  readonly tables: readonly Pick<RouteTable, 'id' | 'capacity'>[];
  /** Read once, when the cloud is created. */
  readonly families: readonly Family[];
  /** Read once, when the cloud is created. */
  readonly limits: Partial<RouteLimits>;
  /** The duration of a request, drawn between the two. Every table of a list and every change is one request. */
  readonly latencyMs: { readonly min: number; readonly max: number };
  /** The maximum number of requests in a second. Further ones are throttled. */
  readonly requestsPerSecond: number;
  /** The share of requests with each fault, from 0 to 1. */
  readonly faults: RouteFaultRates;
  /** The share of lists that show all tables without a single route. */
  readonly emptyShare: number;
  /** The share of new routes whose instance does not forward until the route is replaced. */
  readonly unreadyShare: number;
  /** The share of routes that a list shows without their targets, as when a zone is down. */
  readonly unreadShare: number;
  /** Whether IPv6 destinations are listed in capitals or without compression, at random. */
  readonly spellsOddly: boolean;
  /** Whether routes lead to instances, as on AWS, or to addresses, as on Azure. */
  readonly targets: 'instance' | 'address';
}

export interface RouteFaultRates {
  /** The request is refused with a time to wait. */
  readonly throttle: number;
  /** The request fails and has no effect. */
  readonly failure: number;
  /** The request fails although it had its effect. */
  readonly failureAfter: number;
  /** The request has no effect and never gets an answer. Only the caller's deadline ends it. */
  readonly lostBefore: number;
  /** The request never gets an answer although it had its effect. */
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
