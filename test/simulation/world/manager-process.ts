/**
 * One process of the manager: all of its shipped code above the transport and the provider, with flags
 * that people have. It can be killed between any two calls (P7): its timers never fire again, what it
 * waits for never comes, and what it has written stays.
 */
import { createInformerMetrics } from '@tandem/kube/informer';
import type { KubeTransport, TransportRequest } from '@tandem/kube/transport';
import { App } from '@tandem/manager/app';
import type { ManagerSettings } from '@tandem/manager/settings';
import type { Provider } from '@tandem/provider/plug';
import { type Clock, type Logger, type Random, seededIds } from '@tandem/runtime';
import { Evidence } from '../oracle/index.ts';
import type { Kill } from '../plan/index.ts';
import { type HeardMetrics, heardMetrics } from './heard-metrics.ts';
import type { MortalProcess } from './wire.ts';

export interface ProcessOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: ManagerSettings;
  readonly provider: Provider;
  readonly kill: Kill | undefined;
  readonly logger: (process: MortalProcess) => Logger;
  readonly connect: (process: MortalProcess, clock: Clock) => KubeTransport;
  readonly wrapProvider: (provider: Provider) => Provider;
  /** Called when it was killed, and when it ended by itself, which it must not. */
  readonly onKilled: (kill: Kill) => void;
  readonly onEnded: (how: unknown) => void;
}

export class ManagerProcess implements MortalProcess {
  readonly metrics: HeardMetrics = heardMetrics();
  readonly evidence: Evidence = new Evidence();
  readonly #options: ProcessOptions;
  readonly #end = new AbortController();
  /** Never told to end while anybody looks. */
  readonly #burial = new AbortController();
  #calls = 0;
  #app: App | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  get isAlive(): boolean {
    return !this.#end.signal.aborted;
  }

  /** Entries that it keeps of nodes. */
  get remembered(): number {
    return this.#app?.remembered ?? 0;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  start(): void {
    const { random, settings, provider, wrapProvider, logger, connect, onEnded } = this.#options;
    const clock = this.#mortalClock();
    const app = new App(
      {
        clock,
        random,
        ids: seededIds(random.fork('ids')),
        logger: logger(this),
        metrics: this.metrics,
        informerMetrics: createInformerMetrics(this.metrics),
        transport: connect(this, clock),
        server: 'https://simulation',
        hostname: 'simulation',
      },
      settings,
    );
    this.#app = app;
    const following = app.follow(this.#burial.signal);
    const running = app.run(wrapProvider(this.#heard(provider)), this.#burial.signal);
    const end = (how: unknown): void => {
      if (this.isAlive) onEnded(how);
    };
    Promise.all([following, running]).then(end, end);
  }

  kill(): void {
    this.#end.abort(new Error('killed'));
  }

  /**
   * Lets go of all that it waited for, when its world is over: Node.js keeps signals that somebody listens
   * to until they abort, and with them the whole world.
   */
  bury(): void {
    this.kill();
    this.#burial.abort(new Error('buried'));
  }

  survives({ path }: TransportRequest, when: Kill['when']): boolean {
    const { kill, onKilled } = this.#options;
    if (kill === undefined || !this.isAlive || path.includes('/leases')) return this.isAlive;
    if (when === 'before') this.#calls++;
    if (this.#calls !== kill.atCall || when !== kill.when) return true;
    this.kill();
    onKilled(kill);
    return false;
  }

  #mortalClock(): Clock {
    const { clock } = this.#options;
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) =>
        clock.after(delayMs, () => {
          if (this.isAlive) callback();
        }),
    };
  }

  /** What the cloud says to this process is kept as its evidence. */
  #heard(provider: Provider): Provider {
    const { clock } = this.#options;
    return {
      name: provider.name,
      identify: (providerID) => provider.identify(providerID),
      watch: (onChange, options) => provider.watch?.(onChange, options),
      lookup: async (nodes, options) => {
        const atMs = clock.monotonic();
        const answers = await provider.lookup(nodes, options);
        this.evidence.told(nodes, answers, { maxAgeMs: options.maxAgeMs, atMs });
        return this.isAlive ? answers : new Promise<never>(() => {});
      },
    };
  }
}
