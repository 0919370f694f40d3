/** How the simulated cloud behaves. With the defaults, it has no latency, lag or faults. */
import { type RouteSettings, routeSettingsDefault } from './route-settings.ts';

export interface CloudSettings {
  /** The duration of a page, drawn between the two. */
  readonly latencyMs: { readonly min: number; readonly max: number };
  /**
   * The maximum time until look-ups show a change, drawn for each change. Until then, a new instance is missing, a
   * terminated one still shows, and a changed one has its old addresses.
   */
  readonly lagMsMax: number;
  /** The maximum number of pages in a second. Further ones are throttled. */
  readonly pagesPerSecond: number;
  /** The number of nodes on a page. */
  readonly pageSize: number;
  /** The share of look-ups with each fault, from 0 to 1. */
  readonly faults: FaultRates;
  /**
   * Whether it caches its answers and returns them up to the age that the caller accepts, like providers that list a
   * whole account at once.
   */
  readonly keepsCopies: boolean;
  /** Whether it announces every change to watchers. */
  readonly tellsChanges: boolean;
  /** The provider does not manage nodes that have this label with the value `true`. Azure has a similar label. */
  readonly unmanagedLabel: string | undefined;
  /** Whether it refuses the caller's credentials, in look-ups too. */
  readonly refusesCredentials: boolean;
  /** Whether a node without an instance gets one when it is first looked up. */
  readonly adoptsNodes: boolean;
  /** Its route tables; by default it has none. */
  readonly routes: RouteSettings;
}

export interface FaultRates {
  /** The look-up is refused with a time to wait. */
  readonly throttle: number;
  /** The look-up fails without a time to wait. */
  readonly failure: number;
  /** The look-up never gets an answer. Only the caller's deadline ends it. */
  readonly lost: number;
  /** The answer lacks some of the nodes. */
  readonly partial: number;
  /** The answer is well-formed and empty. */
  readonly empty: number;
  /** The answer has nonsense in place of instances, and a node that the caller did not ask for. */
  readonly garbage: number;
}

export const noFaults: FaultRates = {
  throttle: 0,
  failure: 0,
  lost: 0,
  partial: 0,
  empty: 0,
  garbage: 0,
};

export const settingsDefault: CloudSettings = {
  latencyMs: { min: 0, max: 0 },
  lagMsMax: 0,
  pagesPerSecond: Number.POSITIVE_INFINITY,
  pageSize: 100,
  faults: noFaults,
  keepsCopies: false,
  tellsChanges: false,
  unmanagedLabel: undefined,
  refusesCredentials: false,
  adoptsNodes: false,
  routes: routeSettingsDefault,
};

/** How long a throttled caller has to wait. */
export const throttleMs = 2_000;
