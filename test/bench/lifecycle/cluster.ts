/**
 * A cluster of 5,000 nodes in virtual time for the lifecycle controller to look at: an API server model,
 * the simulated cloud with its pages of 100, and a fifth of the nodes NotReady.
 */
import { NodeLifecycleController } from '@tandem/controllers/node-lifecycle';
import { createKubeClient } from '@tandem/kube/client';
import { createNodeReader } from '@tandem/kube/codec';
import { cloudControllerManagerLease } from '@tandem/kube/election';
import { createInformerMetrics, Informer } from '@tandem/kube/informer';
import type { KubeTransport } from '@tandem/kube/transport';
import { InstanceLookup } from '@tandem/provider/lookup';
import { SimulatedCloud } from '@tandem/provider-simulated';
import {
  createLogger,
  createMetrics,
  type Random,
  seededRandom,
  type VirtualClock,
  virtualClock,
} from '@tandem/runtime';
import { type ApiModel, apiModel } from '../../support/api-model/index.ts';

export const nodeCount = 5_000;
export const notReadyCount = 1_000;
export const monitorPeriodMs = 5_000;

/** Every pause is as long as the period: one pass falls into each step of time. */
const noJitter: Random = { next: () => 0, fork: () => noJitter };

export class BenchCluster {
  readonly clock: VirtualClock = virtualClock({ startMs: Date.UTC(2026, 0, 31) });
  readonly cloud: SimulatedCloud;
  /** Requests of the controller and its informer. */
  apiCalls = 0;
  readonly #model: ApiModel;
  readonly #abort = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor() {
    const random = seededRandom('bench');
    this.cloud = new SimulatedCloud({ clock: this.clock, random });
    this.#model = apiModel({ clock: this.clock, random });
    for (let index = 0; index < nodeCount; index++) this.#addNode(nameOf(index));
  }

  start(): void {
    const { clock } = this;
    const metrics = createMetrics();
    const logger = createLogger({ clock, destination: { write: () => {} } });
    const transport = this.#counting(this.#model.connect());
    const ports = { clock, random: noJitter, metrics, logger };
    const client = createKubeClient({ ...ports, transport });
    const nodes = new Informer({
      ...ports,
      client,
      metrics: createInformerMetrics(metrics),
      resource: { group: '', version: 'v1', resource: 'nodes' },
      reader: createNodeReader(),
      encoding: 'json',
    });
    const lookup = new InstanceLookup({ ...ports, provider: this.cloud });
    const controller = new NodeLifecycleController({
      ...ports,
      client,
      nodes,
      lookup,
      monitorPeriodMs,
      recorder: { record: () => {}, sustain: () => {}, end: () => {} },
      // A tenth, so that the fifth that is lost is held: a pass that deletes is the API server's cost.
      settings: {
        graceMs: 15_000,
        minAgeMs: 60_000,
        brake: { nodes: 5, share: 0.1, windowMs: 600_000 },
      },
      lease: cloudControllerManagerLease,
      mode: 'write',
    });
    const { signal } = this.#abort;
    this.#running = Promise.all([nodes.run(signal), controller.run(signal)]);
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('the bench is over'));
    await this.#running;
  }

  /** A fifth of the nodes, evenly spread over the zones, is no longer heard of. */
  failNodes(): void {
    for (let index = 0; index < notReadyCount; index++) {
      const name = nameOf(index);
      const node = this.#model.store.find('nodes', name);
      if (node === undefined) continue;
      const status = { conditions: [{ type: 'Ready', status: 'Unknown' }] };
      this.#model.store.put('nodes', name, { ...node, status });
    }
  }

  loseInstances(): void {
    for (let index = 0; index < notReadyCount; index++) this.cloud.terminate(nameOf(index));
  }

  get nodesLeft(): number {
    return this.#model.store.list('nodes').length;
  }

  #addNode(name: string): void {
    const { providerID } = this.cloud.create({ name });
    this.#model.store.put('nodes', name, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { providerID },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
  }

  #counting(inner: KubeTransport): KubeTransport {
    return {
      send: (request) => {
        this.apiCalls++;
        return inner.send(request);
      },
      close: () => inner.close(),
    };
  }
}

function nameOf(index: number): string {
  return `node-${index}`;
}
