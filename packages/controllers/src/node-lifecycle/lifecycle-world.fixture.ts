/**
 * A cluster in virtual time: an API server model, a scripted cloud, and managers that a test
 * starts, stops and kills. Every deletion by a manager is checked against the rules of deletion
 * (`deletion-laws.fixture.ts`).
 */
import type { LifecycleSettings } from '@tandem/core/lifecycle';
import { createKubeClient } from '@tandem/kube/client';
import { createNodeReader } from '@tandem/kube/node';
import { cloudControllerManagerLease } from '@tandem/kube/election';
import type { NewEvent, SustainedEvent } from '@tandem/kube/events';
import { Informer } from '@tandem/kube/informer';
import type { KubeTransport, TransportRequest } from '@tandem/kube/transport';
import { InstanceLookup } from '@tandem/provider/lookup';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import {
  createCluster,
  type EmbeddedCluster,
  type GivenObject,
  putObject,
  type StoredObject,
} from '../../../../test/support/embedded-api.ts';
import { metricValue } from '../loop/test-manager.fixture.ts';
import { NodeLifecycleController } from './node-lifecycle-controller.ts';
import { DeletionLaws } from './deletion-laws.fixture.ts';
import type { NodeLifecycleControllerOptions } from './options.ts';
import { providerIDOf, ScriptedCloud } from './scripted-cloud.fixture.ts';

export interface NodeOrder {
  readonly name: string;
  readonly uid?: string;
  readonly ready?: 'True' | 'False' | 'Unknown' | null;
  readonly ageMs?: number;
  readonly providerID?: string;
  readonly taints?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
  /** The state of the node's instance; null for no instance. */
  readonly instance?: 'running' | 'stopped' | 'stopping' | null;
}

export interface Manager {
  /** The events that were recorded once, as `reason name`. */
  readonly events: string[];
  /** The active events, by UID and matter. */
  readonly standing: Map<string, SustainedEvent>;
  readonly log: string[];
  /** The lines of the log, with all fields. */
  readonly lines: Record<string, unknown>[];
  readonly controller: NodeLifecycleController;
  readonly lookup: InstanceLookup;
  figure(line: string): Promise<number>;
  /** Stops the manager, and fails if it broke a rule of deletion. */
  stop(): Promise<void>;
}

const settingsDefault: LifecycleSettings = {
  graceMs: 15_000,
  minAgeMs: 60_000,
  brake: { nodes: 5, share: 0.2, windowMs: 600_000 },
};

export class LifecycleWorld {
  readonly clock: VirtualClock = virtualClock({ startMs: Date.UTC(2026, 0, 31, 12) });
  readonly model: EmbeddedCluster = createCluster({
    clock: this.clock,
    random: seededRandom('world'),
  });
  readonly cloud: ScriptedCloud = new ScriptedCloud(this.clock);
  /** The method and path of every request of a manager. */
  readonly requests: string[] = [];
  readonly settings: LifecycleSettings;
  readonly laws: DeletionLaws;
  /**
   * Called before a request reaches the server. It may throw, or change objects as another client.
   */
  onRequest: (request: TransportRequest) => void = () => {};
  /** Called after the server's answer, before the manager gets it. */
  onAnswered: (request: TransportRequest) => void = () => {};
  /** Wraps the transport of managers that start from now on. */
  wrap: (transport: KubeTransport) => KubeTransport = (transport) => transport;
  #managers = 0;

  constructor(settings: Partial<LifecycleSettings> = {}) {
    this.settings = { ...settingsDefault, ...settings };
    this.laws = new DeletionLaws(this);
  }

  /** Adds a node: by default old, NotReady, ours, and with a running instance. */
  addNode(order: NodeOrder): void {
    const { name, ready = 'Unknown', ageMs = 3_600_000, instance = 'running' } = order;
    const providerID = order.providerID ?? providerIDOf(name);
    const created = new Date(this.clock.now() - ageMs).toISOString();
    if (instance !== null) this.cloud.set(providerIDOf(name), instance);
    putObject(this.model, 'nodes', {
      metadata: {
        name,
        uid: order.uid ?? `uid-${name}`,
        creationTimestamp: created,
        ...(order.annotations === undefined ? {} : { annotations: order.annotations }),
        ...(order.deletionTimestamp === undefined
          ? {}
          : { deletionTimestamp: order.deletionTimestamp }),
      },
      spec: {
        ...(providerID === '' ? {} : { providerID }),
        ...(order.taints === undefined
          ? {}
          : { taints: order.taints.map((key) => ({ key, effect: 'NoSchedule' })) }),
      },
      status: { conditions: ready === null ? [] : [{ type: 'Ready', status: ready }] },
    });
  }

  addNodes(count: number, order: Omit<NodeOrder, 'name'> = {}): string[] {
    const names = Array.from({ length: count }, (_, index) => `node-${index}`);
    for (const name of names) this.addNode({ ...order, name });
    return names;
  }

  setReady(name: string, status: 'True' | 'False' | 'Unknown'): void {
    this.change(name, (node) => ({
      ...node,
      status: { conditions: [{ type: 'Ready', status }] },
    }));
  }

  change(name: string, edit: (node: StoredObject) => GivenObject): void {
    const node = this.model.store.collection('nodes').get(name);
    if (node !== undefined) putObject(this.model, 'nodes', edit(node));
  }

  /** Removes the instance, so that the kubelet stops reporting. */
  lose(...names: readonly string[]): void {
    for (const name of names) {
      this.cloud.remove(providerIDOf(name));
      this.setReady(name, 'Unknown');
    }
  }

  names(): string[] {
    return this.model.store
      .collection('nodes')
      .list()
      .map(({ metadata }) => metadata.name);
  }

  taintsOf(name: string): string[] {
    const spec: unknown = this.model.store.collection('nodes').get(name)?.['spec'];
    const { taints = [] } = spec as { taints?: { key: string }[] };
    return taints.map(({ key }) => key);
  }

  annotateLease(annotations: Readonly<Record<string, string>>): void {
    const { namespace, name } = cloudControllerManagerLease;
    putObject(this.model, 'leases', {
      metadata: { namespace, name, annotations },
    });
  }

  /** The number of requests with this method whose path contains `path`. */
  sent(method: string, path = ''): number {
    return this.requests.filter(
      (request) => request.startsWith(`${method} `) && request.includes(path),
    ).length;
  }

  start(options: Partial<NodeLifecycleControllerOptions> = {}): Manager {
    const { clock } = this;
    const random = seededRandom(`manager-${this.#managers++}`);
    const metrics = createMetrics();
    const log: string[] = [];
    const lines: Record<string, unknown>[] = [];
    const write = (line: string): void => {
      const parsed = JSON.parse(line);
      lines.push(parsed);
      log.push(parsed.msg);
    };
    const logger = createLogger({ clock, level: 'info', destination: { write } });
    const client = createKubeClient({
      transport: this.wrap(this.#transport()),
      clock,
      random,
      metrics,
    });
    const resource = { group: '', version: 'v1', resource: 'nodes' };
    const nodes = new Informer({
      client,
      clock,
      random,
      logger,
      resource,
      metrics,
      reader: createNodeReader(),
      encoding: 'json',
    });
    const lookup = new InstanceLookup({ provider: this.cloud, clock, random, metrics, logger });
    const { recorder, events, standing } = aRecorder();
    const controller = new NodeLifecycleController({
      client,
      nodes,
      lookup,
      recorder,
      clock,
      random,
      logger,
      metrics,
      settings: this.settings,
      lease: cloudControllerManagerLease,
      mode: 'write',
      monitorPeriodMs: 5_000,
      ...options,
    });
    const abort = new AbortController();
    const running = Promise.all([nodes.run(abort.signal), controller.run(abort.signal)]);
    const stop = async (): Promise<void> => {
      abort.abort(new Error('the test ends it'));
      await running;
      lookup.close();
      this.laws.verify();
    };
    const figure = (line: string): Promise<number> => metricValue(metrics, line);
    return { events, standing, log, lines, controller, lookup, figure, stop };
  }

  #transport(): KubeTransport {
    const inner = this.model.connect();
    return {
      send: async (request) => {
        this.requests.push(`${request.method} ${request.path}`);
        this.onRequest(request);
        this.laws.sending(request);
        const response = await inner.send(request);
        this.onAnswered(request);
        return response;
      },
      close: () => inner.close(),
    };
  }
}

function aRecorder(): Pick<Manager, 'events' | 'standing'> & {
  recorder: NodeLifecycleControllerOptions['recorder'];
} {
  const events: string[] = [];
  const standing = new Map<string, SustainedEvent>();
  const keyOf = (uid: string, matter: string): string => `${uid} ${matter}`;
  return {
    events,
    standing,
    recorder: {
      record: ({ reason, regarding }: NewEvent) => void events.push(`${reason} ${regarding.name}`),
      sustain: (event) => void standing.set(keyOf(event.regarding.uid, event.matter), event),
      end: ({ uid, matter }) => void standing.delete(keyOf(uid, matter)),
      forget(gone) {
        for (const key of standing.keys()) if (key.startsWith(`${gone} `)) standing.delete(key);
      },
    },
  };
}
