/**
 * An in-memory cloud for tests, simulation and `npm start`. It has the habits that make real clouds
 * hard – latency, throttling, lag, lost, partial, empty and nonsensical answers – each switched by a
 * setting, and everything that is left to chance follows from a seed. The same calls in virtual time
 * have the same outcome every time.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type {
  AccessOptions,
  Instance,
  LookupAnswer,
  LookupAnswers,
  LookupOptions,
  NodeRef,
  Provider,
} from '@tandem/provider/plug';
import { type Clock, type Random, sleep, untilAborted } from '@tandem/runtime';
import { credentialsRefused, failed, FaultDraws, garbageFor, throttled } from './faults.ts';
import { type InstanceOrder, Instances, scheme } from './instances.ts';
import { type CloudSettings, settingsDefault } from './settings.ts';

export interface CallCounts {
  readonly lookups: number;
  readonly pages: number;
  readonly nodes: number;
  readonly throttled: number;
}

export class SimulatedCloud implements Provider {
  readonly name = 'simulated';
  readonly #clock: Clock;
  readonly #latency: Random;
  readonly #faults: FaultDraws;
  readonly #accessFaults: FaultDraws;
  readonly #instances: Instances;
  #settings: CloudSettings;
  #counts: CallCounts = { lookups: 0, pages: 0, nodes: 0, throttled: 0 };
  /** When the pages of the last second were asked for, for as long as they count. */
  #recentPages: readonly number[] = [];

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
    this.#instances = new Instances(options.clock, random.fork('lag'));
    this.#settings = { ...settingsDefault, ...options.settings };
    this.#instances.lagMsMax = this.#settings.lagMsMax;
  }

  /** What was asked of it so far. */
  get counts(): CallCounts {
    return this.#counts;
  }

  /** Changes its habits from now on; what is left out stays. */
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

  /** What is true, whether or not look-ups show it yet. */
  find(name: string): Instance | undefined {
    return this.#instances.find(name);
  }

  owns(providerID: string): boolean {
    return providerID.startsWith(scheme);
  }

  async lookup(nodes: readonly NodeRef[], { signal }: LookupOptions): Promise<LookupAnswers> {
    signal.throwIfAborted();
    this.#count({ lookups: 1, nodes: nodes.length });
    const { pageSize, faults, refusesCredentials } = this.#settings;
    if (refusesCredentials) throw credentialsRefused();
    const fault = this.#faults.draw(faults);
    const answers = new Map<string, LookupAnswer>();
    for (let from = 0; from < nodes.length; from += pageSize) {
      await this.#askForPage(signal);
      for (const node of nodes.slice(from, from + pageSize))
        answers.set(node.name, this.#see(node));
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

  /** Befallen by what befalls look-ups, as far as a question without nodes can be. */
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

  /** The time that a page takes, and a refusal where too many were asked for. */
  async #askForPage(signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonic();
    const { pagesPerSecond, latencyMs } = this.#settings;
    this.#count({ pages: 1 });
    if (Number.isFinite(pagesPerSecond)) {
      this.#recentPages = this.#recentPages.filter((atMs) => atMs > nowMs - 1_000);
      if (this.#recentPages.length >= pagesPerSecond) {
        this.#count({ throttled: 1 });
        throw throttled();
      }
      this.#recentPages = [...this.#recentPages, nowMs];
    }
    const { min, max } = latencyMs;
    if (max > 0) await sleep(this.#clock, min + this.#latency.next() * (max - min), signal);
  }

  #see(node: NodeRef): LookupAnswer {
    const { name, providerID } = node;
    if (providerID !== '' && !this.owns(providerID)) return { kind: 'unknown', err: failed() };
    const isNew = providerID === '' && !this.#instances.hasHad(name);
    if (isNew && this.#settings.adoptsNodes) this.#instances.create({ name });
    const instance = this.#instances.shown(node);
    return instance === undefined ? { kind: 'absent' } : { kind: 'found', instance };
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
