/** How the simulated cloud behaves, each habit switched by a setting of its own. All off: a good cloud. */
import { type RouteSettings, routeSettingsDefault } from './route-settings.ts';

export interface CloudSettings {
  /** How long one page takes: drawn between the two. */
  readonly latencyMs: { readonly min: number; readonly max: number };
  /**
   * How long a change may take until look-ups show it, drawn for each change: a new instance is not
   * listed yet, a removed one still is, another has its old addresses.
   */
  readonly lagMsMax: number;
  /** Pages that may be asked for in a second; what goes beyond is throttled. */
  readonly pagesPerSecond: number;
  /** Nodes on one page. */
  readonly pageSize: number;
  /** What goes wrong, each with the share of look-ups that it befalls, from 0 to 1. */
  readonly faults: FaultRates;
  /**
   * Whether it keeps copies of its answers and gives them for as long as the asker allows, as providers
   * do that list a whole account at once.
   */
  readonly keepsCopies: boolean;
  /** Whether it tells watchers of every change. */
  readonly tellsChanges: boolean;
  /** Nodes that have this label with the value `true` are none of its own, as Azure has it. */
  readonly unmanagedLabel: string | undefined;
  /** Whether it refuses the caller's credentials, in look-ups too. */
  readonly refusesCredentials: boolean;
  /** Whether a node without an instance gets one when it is first looked up. */
  readonly adoptsNodes: boolean;
  /** Its route tables; by default it has none. */
  readonly routes: RouteSettings;
}

export interface FaultRates {
  /** Refused with a time to wait. */
  readonly throttle: number;
  /** Refused without one. */
  readonly failure: number;
  /** No answer ever: only the asker's own deadline ends it. */
  readonly lost: number;
  /** Entries for some of the nodes are missing. */
  readonly partial: number;
  /** A well-formed answer with nothing in it. */
  readonly empty: number;
  /** Nonsense in place of instances, and answers for nodes that were not asked for. */
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

/** How long a throttled asker is told to wait. */
export const throttleMs = 2_000;
