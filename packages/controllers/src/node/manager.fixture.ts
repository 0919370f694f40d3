/**
 * One process of a world: informer, look-up, recorder and controller on a clock that can be stopped, so
 * that a test can kill it as SIGKILL does.
 */
import type { NodeSettings } from '@tandem/core/node-init';
import { createKubeClient } from '@tandem/kube/client';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { EventRecorder } from '@tandem/kube/events';
import { createInformerMetrics, Informer } from '@tandem/kube/informer';
import type { KubeTransport } from '@tandem/kube/transport';
import { InstanceLookup } from '@tandem/provider/lookup';
import { type Clock, createLogger, createMetrics, type Metrics } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { NodeController } from './node-controller.ts';
import type { NodeControllerOptions } from './options.ts';
import type { NodeWorld } from './node-world.fixture.ts';

const settingsDefault: NodeSettings = {
  policies: [],
  exclusions: [],
  gates: { CloudNodeIPs: true },
  refreshLabels: false,
};

export interface ManagerOptions extends Partial<
  Pick<NodeControllerOptions, 'mode' | 'workers' | 'refreshPeriodMs' | 'managedRoutes'>
> {
  readonly settings?: Partial<NodeSettings>;
  /** Around the way to the API server. */
  readonly wrap?: (transport: KubeTransport) => KubeTransport;
}

export class Manager {
  readonly metrics: Metrics = createMetrics();
  readonly log: Record<string, unknown>[] = [];
  readonly controller: NodeController;
  readonly #world: NodeWorld;
  readonly #stopping = new AbortController();
  readonly #clock: MortalClock;
  readonly #lookup: InstanceLookup;
  readonly #recorder: EventRecorder;
  readonly #running: Promise<unknown>;

  constructor(world: NodeWorld, options: ManagerOptions) {
    this.#world = world;
    const clock = new MortalClock(world.clock);
    this.#clock = clock;
    const random = seededRandom(`${world.seed}/manager`);
    const { metrics } = this;
    const write = (line: string): void => void this.log.push(JSON.parse(line));
    const logger = createLogger({ clock, level: 'info', destination: { write } });
    const server = world.model.connect();
    const counted = countWrites(world, options.wrap?.(server) ?? server);
    const transport = mortal(clock, counted);
    const client = createKubeClient({ transport, clock, random, metrics, writeLimitMsMax: 5_000 });
    const resource = { group: '', version: 'v1', resource: 'nodes' };
    const nodes = new Informer<NodeProjection>({
      client,
      clock,
      random,
      logger,
      metrics: createInformerMetrics(metrics),
      resource,
      reader: createNodeReader(),
    });
    this.#lookup = new InstanceLookup({ provider: world.provider, clock, random, metrics, logger });
    const reportingInstance = 'manager';
    this.#recorder = new EventRecorder({
      client,
      clock,
      random,
      metrics,
      logger,
      reportingInstance,
    });
    this.controller = new NodeController({
      client,
      nodes,
      lookup: this.#lookup,
      recorder: this.#recorder,
      workers: options.workers ?? 8,
      refreshPeriodMs: options.refreshPeriodMs ?? 300_000,
      mode: options.mode ?? 'write',
      managedRoutes: options.managedRoutes,
      settings: { ...settingsDefault, ...options.settings },
      clock,
      random,
      logger,
      metrics,
    });
    const { signal } = this.#stopping;
    this.#running = Promise.all([nodes.run(signal), this.controller.run(signal)]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the test stops the manager'));
    this.#lookup.close();
    const ended = Promise.all([this.#running, this.#recorder.stop()]);
    await this.#world.clock.advance(10_000);
    await ended;
  }

  /** As SIGKILL does: nothing of it ever runs again. */
  kill(): void {
    this.#clock.isDead = true;
  }

  metric(line: string): Promise<number> {
    return metricValue(this.metrics, line);
  }

  messages(level?: string): string[] {
    const lines = this.log.filter((line) => level === undefined || line['level'] === level);
    return lines.map(({ msg }) => String(msg));
  }
}

/** The value of a series in the exposition of the metrics; 0 if it is not there. */
export async function metricValue(metrics: Metrics, series: string): Promise<number> {
  const lines = (await metrics.render()).split('\n');
  const found = lines.find((text) => text.startsWith(`${series} `));
  return found === undefined ? 0 : Number(found.slice(series.length + 1));
}

/** The world's clock as one process has it: when that is dead, its timers fire into the void. */
export class MortalClock implements Clock {
  readonly #clock: Clock;
  isDead = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  after(delayMs: number, callback: () => void): { cancel(): void } {
    return this.#clock.after(delayMs, () => {
      if (!this.isDead) callback();
    });
  }
}

/** A dead process sends nothing and hears nothing. */
export function mortal(clock: MortalClock, inner: KubeTransport): KubeTransport {
  const never = new Promise<never>(() => {});
  return {
    async send(request) {
      if (clock.isDead) return never;
      try {
        const response = await inner.send(request);
        return clock.isDead ? await never : response;
      } catch (err) {
        if (clock.isDead) return never;
        throw err;
      }
    },
    close: () => inner.close(),
  };
}

function countWrites(world: NodeWorld, inner: KubeTransport): KubeTransport {
  return {
    async send(request) {
      const path = request.path.split('?')[0] ?? '';
      const isWatch = request.path.includes('watch=');
      if (request.method !== 'GET' && !path.includes('/events')) {
        world.writes.push(`${request.method} ${path.replace('/api/v1/nodes/', '')}`);
      } else if (request.method === 'GET' && !isWatch && /\/nodes\/./.test(path)) {
        world.gets.push(path);
      }
      return inner.send(request);
    },
    close: () => inner.close(),
  };
}
