/**
 * An in-memory cloud for tests, simulation and `npm start`. It simulates what makes real clouds hard: latency,
 * throttling, lag, and lost, partial, empty and nonsensical answers. A setting controls each of these, and all
 * randomness comes from a seed, so the same calls in virtual time always have the same outcome.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type {
  AccessOptions,
  Instance,
  InstanceKey,
  LookupAnswer,
  LookupAnswers,
  LookupOptions,
  NodeRef,
  Provider,
  WatchOptions,
} from '@tandem/provider/plug';
import { type Clock, type Random, sleep, untilAborted } from '@tandem/runtime';
import { credentialsRefused, failed, FaultDraws, garbageFor, throttled } from './faults.ts';
import { idOf, type InstanceOrder, Instances } from './instances.ts';
import { RequestWindow } from './request-window.ts';
import { type CloudSettings, settingsDefault } from './settings.ts';
import { SimulatedRoutes } from './simulated-routes.ts';

export interface CallCounts {
  readonly lookups: number;
  readonly pages: number;
  readonly nodes: number;
  readonly throttled: number;
}

type KnownAnswer = Extract<LookupAnswer, { readonly asOfMs: number }>;

export class SimulatedCloud implements Provider {
  readonly name = 'simulated';
  readonly #clock: Clock;
  readonly #latency: Random;
  readonly #faults: FaultDraws;
  readonly #accessFaults: FaultDraws;
  readonly #instances: Instances;
  /** The cached answers, by the id of the instance or, for a node without a providerID, by UID and name. */
  readonly #copies = new Map<string, KnownAnswer>();
  readonly #watchers = new Set<(keys: readonly InstanceKey[]) => void>();
  #settings: CloudSettings;
  #isNextFailing = false;
  #counts: CallCounts = { lookups: 0, pages: 0, nodes: 0, throttled: 0 };
  readonly #pageWindow: RequestWindow;
  /** Undefined if the settings had no tables when the cloud was created. */
  readonly routes?: SimulatedRoutes;

  constructor(options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly settings?: Partial<CloudSettings>;
  }) {
    const random = options.random.fork('simulated-cloud');
    this.#clock = options.clock;
    this.#latency = random.fork('latency');
    this.#faults = new FaultDraws(random.fork('faults'));
    this.#accessFaults = new FaultDraws(random.fork('access-faults'));
    this.#instances = new Instances(options.clock, random.fork('lag'), (key, atMs) =>
      this.#tellChange(key, atMs),
    );
    this.#settings = { ...settingsDefault, ...options.settings };
    this.#instances.lagMsMax = this.#settings.lagMsMax;
    this.#pageWindow = new RequestWindow(options.clock);
    if (this.#settings.routes.tables.length > 0) {
      this.routes = new SimulatedRoutes({
        clock: options.clock,
        random: random.fork('routes'),
        isLive: (key) => this.#instances.isLive(key),
        settings: () => this.#settings.routes,
        refusesCredentials: () => this.#settings.refusesCredentials,
      });
    }
  }

  /** The number of calls so far. */
  get counts(): CallCounts {
    return this.#counts;
  }

  /** Changes settings from now on. Missing settings stay unchanged. */
  set(settings: Partial<CloudSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#instances.lagMsMax = this.#settings.lagMsMax;
  }

  create(order: InstanceOrder): Instance {
    return this.#instances.create(order);
  }

  stop(name: string): Instance {
    return this.#instances.change(name, { state: 'stopped' });
  }

  start(name: string): Instance {
    return this.#instances.change(name, { state: 'running' });
  }

  readdress(name: string, addresses: readonly NodeAddress[]): Instance {
    return this.#instances.change(name, { addresses });
  }

  terminate(name: string): void {
    this.#instances.terminate(name);
  }

  /** Makes the next look-up fail. Later ones follow the settings. */
  failNext(): void {
    this.#isNextFailing = true;
  }

  /** Returns the current instance, even if look-ups do not show it yet. */
  find(name: string): Instance | undefined {
    return this.#instances.find(name);
  }

  identify(providerID: string): InstanceKey | undefined {
    return idOf(providerID);
  }

  async lookup(
    nodes: readonly NodeRef[],
    { maxAgeMs, signal }: LookupOptions,
  ): Promise<LookupAnswers> {
    signal.throwIfAborted();
    const sinceMs = this.#clock.monotonic() - maxAgeMs;
    this.#count({ lookups: 1, nodes: nodes.length });
    const { pageSize, faults, refusesCredentials } = this.#settings;
    if (refusesCredentials) throw credentialsRefused();
    const drawn = this.#faults.draw(faults);
    const fault = this.#isNextFailing ? 'failure' : drawn;
    this.#isNextFailing = false;
    const answers = new Map<string, LookupAnswer>();
    for (let from = 0; from < nodes.length; from += pageSize) {
      await this.#askForPage(signal);
      for (const node of nodes.slice(from, from + pageSize))
        answers.set(node.name, this.#copyOf(node, sinceMs) ?? this.#see(node));
    }
    switch (fault) {
      case 'lost':
        return untilAborted(signal, new Promise(() => {}));
      case 'throttle':
        this.#count({ throttled: 1 });
        throw throttled();
      case 'failure':
        throw failed();
      case 'empty':
        return new Map();
      case 'garbage':
        return garbageFor(answers);
      case 'partial':
        return this.#faults.thinOut(answers);
      case undefined:
        return answers;
    }
  }

  /** Announces each change when look-ups begin to show it, if the settings say so. */
  watch(onChange: (keys: readonly InstanceKey[]) => void, { signal }: WatchOptions): void {
    this.#watchers.add(onChange);
    signal.addEventListener('abort', () => this.#watchers.delete(onChange), { once: true });
  }

  /** Has the faults of look-ups, except those that concern single nodes. */
  async checkAccess({ signal }: AccessOptions): Promise<void> {
    signal.throwIfAborted();
    const { faults, refusesCredentials, latencyMs } = this.#settings;
    if (latencyMs.max > 0) await sleep(this.#clock, latencyMs.max, signal);
    if (refusesCredentials) throw credentialsRefused();
    switch (this.#accessFaults.draw(faults)) {
      case 'lost':
        return untilAborted(signal, new Promise(() => {}));
      case 'throttle':
        throw throttled();
      case 'failure':
        throw failed();
      default:
        return undefined;
    }
  }

  #tellChange(key: InstanceKey, shownFromMs: number): void {
    if (!this.#settings.tellsChanges) return;
    const tell = (): void => {
      for (const onChange of this.#watchers) onChange([key]);
    };
    const lagMs = shownFromMs - this.#clock.monotonic();
    if (lagMs > 0) this.#clock.after(lagMs, tell);
    else tell();
  }

  /** Waits as long as a page takes. Throws if there were too many requests for pages. */
  async #askForPage(signal: AbortSignal): Promise<void> {
    const { pagesPerSecond, latencyMs } = this.#settings;
    this.#count({ pages: 1 });
    if (!this.#pageWindow.admits(pagesPerSecond)) {
      this.#count({ throttled: 1 });
      throw throttled();
    }
    const { min, max } = latencyMs;
    if (max > 0) await sleep(this.#clock, min + this.#latency.next() * (max - min), signal);
  }

  #see(node: NodeRef): LookupAnswer {
    const { name, providerID, labels } = node;
    const { unmanagedLabel } = this.#settings;
    if (unmanagedLabel !== undefined && labels[unmanagedLabel] === 'true')
      return { kind: 'notOurs' };
    const isForeign = providerID !== '' && idOf(providerID) === undefined;
    if (isForeign) return { kind: 'unknown', err: failed() };
    const isNew = providerID === '' && !this.#instances.hasHad(name);
    if (isNew && this.#settings.adoptsNodes) this.#instances.create({ name });
    const instance = this.#instances.shown(node);
    const asOfMs = this.#clock.monotonic();
    const answer: KnownAnswer =
      instance === undefined ? { kind: 'absent', asOfMs } : { kind: 'found', instance, asOfMs };
    if (this.#settings.keepsCopies) this.#copies.set(copyKey(node), answer);
    return answer;
  }

  /** Returns the cached answer if it is recent enough. */
  #copyOf(node: NodeRef, sinceMs: number): KnownAnswer | undefined {
    const copy = this.#copies.get(copyKey(node));
    return copy !== undefined && copy.asOfMs > sinceMs ? copy : undefined;
  }

  #count(more: Partial<CallCounts>): void {
    const { lookups, pages, nodes, throttled: refused } = this.#counts;
    this.#counts = {
      lookups: lookups + (more.lookups ?? 0),
      pages: pages + (more.pages ?? 0),
      nodes: nodes + (more.nodes ?? 0),
      throttled: refused + (more.throttled ?? 0),
    };
  }
}

function copyKey({ name, uid, providerID }: NodeRef): string {
  return idOf(providerID) ?? `${uid} ${name}`;
}
