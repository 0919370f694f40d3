/**
 * The demo of `npm start`: an embedded cluster, a simulated cloud, a kubelet on each machine and the manager, in one
 * process and on ports, so that it also runs in virtual time. It opens no socket; its caller may serve the cluster
 * to kubectl.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import { routeSettingsDefault, SimulatedCloud } from '@tandem/provider-simulated';
import { type Clock, type Ids, type Logger, type Random, seededIds } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { faultyTransport } from '../../api-faults/index.ts';
import { listAt, textAt } from '../../json/index.ts';
import { keepReadyTaints, SimulatedKubelet } from '../../kubelet/index.ts';
import { createCluster, type EmbeddedCluster } from '../../model/index.ts';
import { hasUninitializedTaint } from '../board/index.ts';
import type { Machine } from '../machines/index.ts';
import { apiFaults, cloudFaults, routeFaults } from './faults.ts';
import type { Pool } from './pools.ts';
import { countRoutes, type RouteCount } from './routes.ts';
import { type Churn, DemoManager } from './demo-manager.ts';

interface DemoClusterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seed: string;
  readonly machines: readonly Machine[];
  /** Whether cloud and API server fail now and then. */
  readonly faults: 'none' | 'seeded';
  readonly churn: Churn;
}

/** A running machine. */
interface RunningMachine {
  readonly kubelet: SimulatedKubelet;
  readonly off: AbortController;
}

/** About the latency of a cloud in the same region. */
const cloudLatencyMs = { min: 5, max: 40 };

/** How many calls a table takes, and how long an answer may take. */
const routeLimits = { callsPerSecond: 20, burst: 50, deadlineMs: 5_000 };

export class DemoCluster {
  readonly cluster: EmbeddedCluster;
  readonly cloud: SimulatedCloud;
  readonly #options: DemoClusterOptions;
  readonly #random: Random;
  readonly #ids: Ids;
  readonly #machines = new Map<string, Machine>();
  readonly #up = new Map<string, RunningMachine>();
  readonly #running = new Set<Promise<void>>();
  readonly #manager: DemoManager;

  constructor(options: DemoClusterOptions) {
    const { clock, logger, seed, faults, churn } = options;
    this.#options = options;
    this.#random = seededRandom(seed);
    this.#ids = seededIds(this.#random.fork('kubelets'));
    this.cluster = createCluster({ clock, random: this.#random.fork('cluster') });
    this.cloud = new SimulatedCloud({
      clock,
      random: this.#random.fork('cloud'),
      settings: {
        latencyMs: cloudLatencyMs,
        routes: {
          ...routeSettingsDefault,
          tables: [{ id: 'main' }],
          latencyMs: cloudLatencyMs,
          limits: routeLimits,
          ...(faults === 'seeded' ? { faults: routeFaults } : {}),
        },
        ...(faults === 'seeded' ? { faults: cloudFaults } : {}),
      },
    });
    this.#manager = new DemoManager({
      clock,
      random: this.#random.fork('manager'),
      logger,
      transport: this.#managerTransport(),
      provider: this.cloud,
      churn,
    });
  }

  get machines(): readonly Machine[] {
    return [...this.#machines.values()];
  }

  findMachine(name: string): Machine | undefined {
    return this.#machines.get(name);
  }

  /** The addresses of the instance of this node; undefined where the cloud has none. */
  findAddresses(name: string): readonly NodeAddress[] | undefined {
    const instance = this.#machines.get(name)?.instance;
    return this.cloud.find(instance?.kind === 'of' ? instance.name : name)?.addresses;
  }

  /** The pools of pod CIDRs that the manager shows; none while it does not allocate. */
  pools(): readonly Pool[] {
    return this.#manager.pools();
  }

  /** The number of routes to nodes in each table of the cloud. */
  routes(): readonly RouteCount[] {
    return countRoutes(this.cloud);
  }

  /** Calls back after every change of a route. Returns a function that ends this. */
  onRoutes(listener: () => void): () => void {
    return this.cloud.routes?.onChange(listener) ?? (() => {});
  }

  /** Runs everything until the signal aborts, and resolves when all of it has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { machines } = this.#options;
    // One listener for all machines: a signal with thousands of listeners is slow.
    const turnOff = (): void => {
      for (const { off } of this.#up.values()) off.abort();
    };
    signal.addEventListener('abort', turnOff, { once: true });
    keepReadyTaints({ store: this.cluster.store, transport: this.cluster.connect() }, signal);
    for (const machine of machines) this.addMachine(machine);
    try {
      await this.#manager.run(signal);
    } finally {
      signal.removeEventListener('abort', turnOff);
      turnOff();
    }
    await Promise.all(this.#running);
  }

  /** Starts a machine: creates its instance, and its kubelet registers and reports. */
  addMachine(machine: Machine): void {
    const { name, instance } = machine;
    const off = new AbortController();
    this.#machines.set(name, machine);
    if (instance.kind === 'own') this.cloud.create({ name, addresses: instance.addresses });
    const kubelet = this.#kubeletOf(machine);
    this.#up.set(name, { kubelet, off });
    const run =
      instance.kind === 'of'
        ? this.#runTwin(machine, instance.name, off.signal)
        : kubelet.run(off.signal);
    this.#follow(run);
  }

  /** Terminates a machine. The last report of its kubelet says that it is not Ready. */
  async takeDown(name: string): Promise<void> {
    const up = this.#up.get(name);
    if (up === undefined) return;
    this.#up.delete(name);
    this.cloud.terminate(name);
    await up.kubelet.setReady('notReady', up.off.signal).catch(() => undefined);
    up.off.abort();
  }

  /** Runs a kubelet with the providerID of another node, once that node is initialised and has pod CIDRs. */
  async #runTwin(machine: Machine, of: string, signal: AbortSignal): Promise<void> {
    await this.#untilComplete(of, signal);
    const providerID = this.cloud.find(of)?.providerID;
    if (signal.aborted || providerID === undefined) return;
    await this.#kubeletOf(machine, providerID).run(signal);
  }

  #kubeletOf(machine: Machine, ofOther?: string): SimulatedKubelet {
    const { name, nodeIP, annotations, labels = {}, podCIDRs = [], instance } = machine;
    const { clock } = this.#options;
    const providerID = instance.kind === 'foreign' ? instance.providerID : ofOther;
    return new SimulatedKubelet(
      { transport: this.cluster.connect(), clock, ids: this.#ids },
      {
        name,
        nodeIP,
        kind: 'kep',
        annotations,
        labels,
        podCIDRs,
        ...(providerID === undefined ? {} : { providerID }),
      },
    );
  }

  #managerTransport() {
    const { clock, faults } = this.#options;
    const transport = this.cluster.connect();
    if (faults === 'none') return transport;
    const random = this.#random.fork('api-faults');
    return faultyTransport(transport, { clock, random, plan: apiFaults });
  }

  /** Ignores errors of a kubelet that is stopped in the middle of a request. */
  #follow(run: Promise<void>): void {
    const followed: Promise<void> = run
      .catch(() => undefined)
      .finally(() => this.#running.delete(followed));
    this.#running.add(followed);
  }

  #untilComplete(name: string, signal: AbortSignal): Promise<void> {
    const nodes = this.cluster.store.collection('nodes');
    return new Promise((resolve) => {
      const end = (): void => {
        forget();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const forget = nodes.onChange(({ after }) => {
        if (textAt(after, 'metadata', 'name') !== name) return;
        const hasPodCIDRs = listAt(after, 'spec', 'podCIDRs').length > 0;
        if (hasPodCIDRs && !hasUninitializedTaint(after)) end();
      });
      signal.addEventListener('abort', end, { once: true });
    });
  }
}
