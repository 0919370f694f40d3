/**
 * One process of a test cluster: informer, look-up and recorder, on a clock that a test can stop in order to kill the
 * process as SIGKILL does. The fixture of each controller adds the controller.
 */
import { createKubeClient, type KubeClient, type KubeClientOptions } from '@tandem/kube/client';
import { EventRecorder } from '@tandem/kube/events';
import { Informer } from '@tandem/kube/informer';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import type { KubeTransport } from '@tandem/kube/transport';
import { InstanceLookup } from '@tandem/provider/lookup';
import type { Provider } from '@tandem/provider/plug';
import {
  type Clock,
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  type Random,
} from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import type { TestCluster } from './test-cluster.fixture.ts';

interface TestManagerOptions extends Partial<
  Pick<KubeClientOptions, 'writeGate' | 'writeLimitMsMax'>
> {
  readonly provider: Provider;
  /** The transport to the API server. */
  readonly transport: KubeTransport;
  /** The metrics of an earlier term of the same process. */
  readonly metrics?: Metrics | undefined;
  /** The maximum duration of a stop. */
  readonly stopMsMax?: number;
}

/** The ports that controllers are created with. */
interface Parts {
  readonly clock: MortalClock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly client: KubeClient;
  readonly nodes: Informer<NodeProjection>;
  readonly lookup: InstanceLookup;
  readonly recorder: EventRecorder;
}

export class TestManager {
  readonly metrics: Metrics;
  readonly log: Record<string, unknown>[] = [];
  protected readonly parts: Parts;
  readonly #cluster: TestCluster;
  readonly #stopMsMax: number;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(cluster: TestCluster, options: TestManagerOptions) {
    const { provider, transport, metrics = createMetrics(), stopMsMax = 10_000, ...rest } = options;
    this.#cluster = cluster;
    this.#stopMsMax = stopMsMax;
    this.metrics = metrics;
    const clock = new MortalClock(cluster.clock);
    const write = (line: string): void => void this.log.push(JSON.parse(line));
    const logger = createLogger({ clock, level: 'info', destination: { write } });
    const ports = { clock, random: seededRandom(`${cluster.seed}/manager`), metrics, logger };
    const client = createKubeClient({ ...ports, ...rest, transport: mortal(clock, transport) });
    const nodes = new Informer<NodeProjection>({
      ...ports,
      client,
      metrics,
      resource: { group: '', version: 'v1', resource: 'nodes' },
      reader: createNodeReader(),
    });
    const lookup = new InstanceLookup({ ...ports, provider });
    const recorder = new EventRecorder({ ...ports, client, reportingInstance: 'manager' });
    this.parts = { ...ports, client, nodes, lookup, recorder };
  }

  protected begin(run: (signal: AbortSignal) => Promise<unknown>): void {
    const { signal } = this.#stopping;
    this.#running = Promise.all([this.parts.nodes.run(signal), run(signal)]);
  }

  async stop(): Promise<void> {
    const { lookup, recorder } = this.parts;
    this.#stopping.abort(new Error('the test stops the manager'));
    lookup.close();
    const ended = Promise.all([this.#running, recorder.stop()]);
    await this.#cluster.clock.advance(this.#stopMsMax);
    await ended;
  }

  /** Kills the process as SIGKILL does: none of its code runs afterwards. */
  kill(): void {
    this.parts.clock.isDead = true;
  }

  metric(series: string): Promise<number> {
    return metricValue(this.metrics, series);
  }

  messages(level?: string): string[] {
    const lines = this.log.filter((line) => level === undefined || line['level'] === level);
    return lines.map(({ msg }) => String(msg));
  }
}

/** The value of a series in the rendered metrics; 0 if the series is missing. */
export async function metricValue(metrics: Metrics, series: string): Promise<number> {
  const lines = (await metrics.render()).split('\n');
  const found = lines.find((text) => text.startsWith(`${series} `));
  return found === undefined ? 0 : Number(found.slice(series.length + 1));
}

/** Records the requests of managers in the lists of the cluster. */
export function noteRequests(
  { writes, gets }: Pick<TestCluster, 'writes' | 'gets'>,
  inner: KubeTransport,
): KubeTransport {
  return {
    send(request) {
      const [path = ''] = request.path.split('?');
      const isWatch = request.path.includes('watch=');
      if (request.method !== 'GET' && !path.includes('/events')) {
        writes.push(`${request.method} ${path.replace('/api/v1/nodes/', '')}`);
      } else if (request.method === 'GET' && !isWatch && /\/nodes\/./.test(path)) {
        gets.push(path);
      }
      return inner.send(request);
    },
    close: () => inner.close(),
  };
}

/** The clock of one process: the timers of a killed process never fire. */
class MortalClock implements Clock {
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

/** A killed process sends nothing and receives nothing. */
function mortal(clock: MortalClock, inner: KubeTransport): KubeTransport {
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
