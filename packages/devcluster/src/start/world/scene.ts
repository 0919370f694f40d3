/**
 * The scene of `npm start`: an embedded cluster, a simulated cloud, a kubelet on each machine and the
 * manager, in one process and on ports, so that it runs in virtual time as it does in a terminal. It opens
 * no socket; whoever wants kubectl to get in serves its cluster.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import { SimulatedCloud } from '@tandem/provider-simulated';
import {
  type Clock,
  type Ids,
  type Logger,
  type Random,
  seededIds,
  seededRandom,
} from '@tandem/runtime';
import { textAt } from '../../json/index.ts';
import { SimulatedKubelet } from '../../kubelet/index.ts';
import { createCluster, type EmbeddedCluster } from '../../model/index.ts';
import { hasUninitializedTaint } from '../board/index.ts';
import type { Machine } from '../machines/index.ts';
import { cloudFaults } from './cloud-faults.ts';
import { FaultyTransport } from './faulty-transport.ts';
import { runManager } from './scene-manager.ts';

export interface SceneOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seed: string;
  readonly machines: readonly Machine[];
  /** Whether cloud and API server fail now and then. */
  readonly faults: 'none' | 'seeded';
}

/** About what a cloud in the same region takes. */
const cloudLatencyMs = { min: 5, max: 40 };

export class Scene {
  readonly cluster: EmbeddedCluster;
  readonly cloud: SimulatedCloud;
  readonly #options: SceneOptions;
  readonly #random: Random;
  readonly #ids: Ids;
  readonly #machines = new Map<string, Machine>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: SceneOptions) {
    const { clock, seed, faults } = options;
    this.#options = options;
    this.#random = seededRandom(seed);
    this.#ids = seededIds(this.#random.fork('kubelets'));
    this.cluster = createCluster({ clock, random: this.#random.fork('cluster') });
    this.cloud = new SimulatedCloud({
      clock,
      random: this.#random.fork('cloud'),
      settings: {
        latencyMs: cloudLatencyMs,
        ...(faults === 'seeded' ? { faults: cloudFaults } : {}),
      },
    });
  }

  get machines(): readonly Machine[] {
    return [...this.#machines.values()];
  }

  findMachine(name: string): Machine | undefined {
    return this.#machines.get(name);
  }

  /** What the cloud has for the node of this name; undefined where it knows none. */
  findAddresses(name: string): readonly NodeAddress[] | undefined {
    const instance = this.#machines.get(name)?.instance;
    return this.cloud.find(instance?.kind === 'of' ? instance.name : name)?.addresses;
  }

  /** Lets everything run until the signal aborts, and ends when all of it has. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger, machines } = this.#options;
    for (const machine of machines) this.addMachine(machine, signal);
    const random = this.#random.fork('manager');
    const transport = this.#managerTransport();
    await runManager({ clock, random, logger, transport, provider: this.cloud }, signal);
    await Promise.all(this.#running);
  }

  /** A machine comes up: its instance is there, and its kubelet registers and reports until the signal. */
  addMachine(machine: Machine, signal: AbortSignal): SimulatedKubelet {
    const { name, instance } = machine;
    this.#machines.set(name, machine);
    if (instance.kind === 'own') this.cloud.create({ name, addresses: instance.addresses });
    const kubelet = this.#kubeletOf(machine);
    this.#follow(this.#bringUp(machine, kubelet, signal));
    return kubelet;
  }

  async #bringUp(machine: Machine, kubelet: SimulatedKubelet, signal: AbortSignal): Promise<void> {
    const { instance } = machine;
    if (instance.kind === 'of') {
      await this.#untilInitialised(instance.name, signal);
      const providerID = this.cloud.find(instance.name)?.providerID;
      if (signal.aborted || providerID === undefined) return;
      return this.#kubeletOf(machine, providerID).run(signal);
    }
    return kubelet.run(signal);
  }

  #kubeletOf(machine: Machine, ofOther?: string): SimulatedKubelet {
    const { name, nodeIP, annotations, instance } = machine;
    const { clock } = this.#options;
    const providerID = instance.kind === 'foreign' ? instance.providerID : ofOther;
    return new SimulatedKubelet(
      { transport: this.cluster.connect(), clock, ids: this.#ids },
      {
        name,
        nodeIP,
        kind: 'kep',
        annotations,
        ...(providerID === undefined ? {} : { providerID }),
      },
    );
  }

  #managerTransport() {
    const { clock, faults } = this.#options;
    const transport = this.cluster.connect();
    if (faults === 'none') return transport;
    return new FaultyTransport(transport, { clock, random: this.#random.fork('api-faults') });
  }

  /** A kubelet that is stopped in the middle of something has nothing to tell. */
  #follow(run: Promise<void>): void {
    const followed: Promise<void> = run
      .catch(() => undefined)
      .finally(() => this.#running.delete(followed));
    this.#running.add(followed);
  }

  #untilInitialised(name: string, signal: AbortSignal): Promise<void> {
    const nodes = this.cluster.store.collection('nodes');
    return new Promise((resolve) => {
      const end = (): void => {
        forget();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const forget = nodes.onChange(({ after }) => {
        if (textAt(after, 'metadata', 'name') === name && !hasUninitializedTaint(after)) end();
      });
      signal.addEventListener('abort', end, { once: true });
    });
  }
}
