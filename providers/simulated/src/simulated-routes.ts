/**
 * The route tables of the simulated cloud, which behave like real ones: with latency, throttling, answers that are lost
 * before or after the effect, routes that become blackholes when their instance is terminated, instances that do not
 * forward yet, quotas, foreign routes and unusual spellings of IPv6. A setting controls each of these, and each has its
 * own random stream.
 */
import { type Cidr, type Family, formatCidr } from '@tandem/core/ip';
import type {
  InstanceKey,
  Route,
  RouteApplyOptions,
  RouteLimits,
  RouteListing,
  RouteListOptions,
  RouteOperation,
  RouteOutcome,
  Routes,
} from '@tandem/provider/plug';
import { type Clock, type Random, sleep, untilAborted } from '@tandem/runtime';
import { credentialsRefused, failed, failedAfter, throttled } from './faults.ts';
import { RequestWindow } from './request-window.ts';
import type { RouteFaultRates, RouteSettings } from './route-settings.ts';
import { type KeptRoute, refused, SimulatedTable, type Surroundings } from './route-table.ts';

export interface RouteCounts {
  readonly lists: number;
  readonly applies: number;
  /** Requests that could change something, whether or not they did. */
  readonly writes: number;
  readonly throttled: number;
}

/** The cloud around the tables. */
interface RoutesCloud {
  readonly clock: Clock;
  readonly random: Random;
  readonly isLive: (key: InstanceKey) => boolean;
  /** Returns the current settings. */
  readonly settings: () => RouteSettings;
  readonly refusesCredentials: () => boolean;
}

type RouteFault = keyof RouteFaultRates;

const faultOrder: readonly RouteFault[] = [
  'lostBefore',
  'lostAfter',
  'throttle',
  'failure',
  'failureAfter',
];

export class SimulatedRoutes implements Routes {
  readonly families: readonly Family[];
  readonly limits: Partial<RouteLimits>;
  readonly #cloud: RoutesCloud;
  readonly #tables: ReadonlyMap<string, SimulatedTable>;
  readonly #window: RequestWindow;
  readonly #latency: Random;
  readonly #spelling: Random;
  readonly #unready: Random;
  readonly #unread: Random;
  readonly #faults: ReadonlyMap<RouteFault, Random>;
  readonly #empty: Random;
  readonly #listeners = new Set<() => void>();
  #counts: RouteCounts = { lists: 0, applies: 0, writes: 0, throttled: 0 };

  constructor(cloud: RoutesCloud) {
    const { families, limits, tables } = cloud.settings();
    this.families = families;
    this.limits = limits;
    this.#cloud = cloud;
    this.#tables = new Map(tables.map((table) => [table.id, new SimulatedTable(table)]));
    this.#window = new RequestWindow(cloud.clock);
    this.#latency = cloud.random.fork('latency');
    this.#spelling = cloud.random.fork('spelling');
    this.#unready = cloud.random.fork('unready');
    this.#unread = cloud.random.fork('unread');
    this.#faults = new Map(faultOrder.map((fault) => [fault, cloud.random.fork(fault)]));
    this.#empty = cloud.random.fork('empty');
  }

  /** The number of calls so far. */
  get counts(): RouteCounts {
    return this.#counts;
  }

  /** The ids of the tables. */
  get tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  /** Returns the current routes of a table, including blackholes. */
  routesOf(table: string): readonly Route[] {
    return this.#table(table).routes.map((route) => this.#shown(route, canonical));
  }

  /** Adds a route that no manager created. Its destination need not be a CIDR: `pl-1a2b3c4d`. */
  addForeign(table: string, destination: string): Route {
    return this.#shown(this.#table(table).addForeign(destination), canonical);
  }

  /** Adds a route that an earlier manager created. It is a blackhole if the instance is gone. */
  addLeftover(table: string, destination: string, key: InstanceKey): Route {
    return this.#shown(this.#table(table).addLeftover(destination, key), canonical);
  }

  /** Returns the current route with the id; undefined if there is none. */
  find(table: string, id: string): Route | undefined {
    const route = this.#table(table).find(id);
    return route && this.#shown(route, canonical);
  }

  /** Calls the listener after every change. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Makes the instance stop forwarding until its routes are replaced. */
  unready(key: InstanceKey): void {
    for (const table of this.#tables.values()) table.unready(key);
  }

  async list({ signal }: RouteListOptions): Promise<RouteListing> {
    this.#count('lists');
    const asOfMs = this.#cloud.clock.monotonic();
    const isEmpty = this.#empty.next() < this.#cloud.settings().emptyShare;
    const tables: RouteListing['tables'][number][] = [];
    for (const { id, capacity, routes } of this.#tables.values()) {
      const fault = await this.#request(signal);
      if (fault === 'throttle') throw throttled();
      if (fault !== undefined) throw failed();
      tables.push({
        id,
        ...(capacity === undefined ? {} : { capacity }),
        routes: isEmpty ? [] : routes.map((route) => this.#listed(route)),
      });
    }
    return { asOfMs, tables };
  }

  /** Sends one request for each operation, one after the other. */
  async apply(
    operations: readonly RouteOperation[],
    options: RouteApplyOptions,
  ): Promise<readonly RouteOutcome[]> {
    this.#count('applies');
    const outcomes: RouteOutcome[] = [];
    for (const operation of operations) {
      // After a throttled request, the rest of the batch gets the same outcome without a request.
      const last = outcomes.at(-1);
      outcomes.push(isThrottled(last) ? last : await this.#change(operation, options));
    }
    return outcomes;
  }

  async #change(
    operation: RouteOperation,
    { signal, beforeWrite }: RouteApplyOptions,
  ): Promise<RouteOutcome> {
    signal.throwIfAborted();
    beforeWrite();
    this.#count('writes');
    const fault = await this.#request(signal, () => void this.#carryOut(operation));
    switch (fault) {
      case 'throttle':
        return { kind: 'refused', err: throttled() };
      case 'failure':
        return { kind: 'unknown', err: failed() };
      case 'failureAfter':
        this.#carryOut(operation);
        return { kind: 'unknown', err: failedAfter() };
      case undefined:
        return this.#carryOut(operation);
    }
  }

  /**
   * Waits as long as a request takes, and returns its fault. A lost request ends when the signal aborts. `effect` is
   * called if only the answer is lost.
   */
  async #request(
    signal: AbortSignal,
    effect: () => void = () => {},
  ): Promise<Exclude<RouteFault, 'lostBefore' | 'lostAfter'> | undefined> {
    signal.throwIfAborted();
    const { latencyMs, requestsPerSecond, faults } = this.#cloud.settings();
    if (this.#cloud.refusesCredentials()) throw credentialsRefused();
    const { min, max } = latencyMs;
    const isAdmitted = this.#window.admits(requestsPerSecond);
    const drawn = this.#draw(faults);
    if (max > 0) {
      await sleep(this.#cloud.clock, min + this.#latency.next() * (max - min), signal);
    }
    const fault = isAdmitted ? drawn : 'throttle';
    if (fault === 'throttle') this.#count('throttled');
    if (fault === 'lostAfter') effect();
    if (fault !== 'lostAfter' && fault !== 'lostBefore') return fault;
    return untilAborted(signal, new Promise(() => {}));
  }

  /** Draws for every kind each time. If several hit, the first in `faultOrder` happens. */
  #draw(rates: RouteFaultRates): RouteFault | undefined {
    const hits = faultOrder.filter(
      (fault) => (this.#faults.get(fault)?.next() ?? 1) < rates[fault],
    );
    return hits[0];
  }

  #carryOut(operation: RouteOperation): RouteOutcome {
    const { targets, unreadyShare } = this.#cloud.settings();
    const around: Surroundings = {
      families: this.families,
      isLive: this.#cloud.isLive,
      targets,
      drawsUnready: () => this.#unready.next() < unreadyShare,
    };
    const table = this.#tables.get(operation.table);
    const outcome = table?.apply(operation, around);
    if (outcome?.kind === 'applied') for (const listener of this.#listeners) listener();
    return outcome ?? refused(`there is no table ${operation.table}`);
  }

  #listed(route: KeptRoute): Route {
    const shown = this.#shown(route, this.#spellingOf());
    const isUnread = this.#unread.next() < this.#cloud.settings().unreadShare;
    return isUnread ? { ...shown, target: { kind: 'unknown', err: failed() } } : shown;
  }

  #shown({ id, text, destination, ours, target }: KeptRoute, spell: (cidr: Cidr) => string): Route {
    const spelt = destination === undefined ? text : spell(destination);
    return { id, destination: spelt, ours, target: this.#shownTarget(target) };
  }

  #shownTarget(target: KeptRoute['target']): Route['target'] {
    if (target.kind !== 'instance') return target;
    const { kind, key, isReady } = target;
    return this.#cloud.isLive(key) ? { kind, key, ready: isReady } : { kind: 'blackhole' };
  }

  #spellingOf(): (cidr: Cidr) => string {
    if (!this.#cloud.settings().spellsOddly) return canonical;
    return spellings[Math.floor(this.#spelling.next() * spellings.length)] ?? canonical;
  }

  #table(id: string): SimulatedTable {
    const table = this.#tables.get(id);
    if (table === undefined) throw new Error(`There is no table "${id}"`);
    return table;
  }

  #count(what: keyof RouteCounts): void {
    this.#counts = { ...this.#counts, [what]: this.#counts[what] + 1 };
  }
}

function isThrottled(outcome: RouteOutcome | undefined): outcome is RouteOutcome {
  return (
    outcome?.kind === 'refused' && 'code' in outcome.err && outcome.err.code === throttled().code
  );
}

const canonical = formatCidr;

const spellings: readonly ((cidr: Cidr) => string)[] = [
  canonical,
  (cidr) => canonical(cidr).toUpperCase(),
  uncompressed,
  (cidr) => uncompressed(cidr).toUpperCase(),
];

/** Returns the CIDR with all eight groups and all their digits. */
function uncompressed(cidr: Cidr): string {
  const { network, prefixLength } = cidr;
  if (network.family === 'IPv4') return canonical(cidr);
  const groups = network.words.flatMap((word) => [word >>> 16, word & 0xffff]);
  const digits = groups.map((group) => group.toString(16).padStart(4, '0'));
  return `${digits.join(':')}/${prefixLength}`;
}
