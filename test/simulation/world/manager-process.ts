/**
 * One process of the manager: all of its shipped code above the transport and the provider, with flags
 * that people have. It can be killed between any two calls (P7): its timers never fire again, what it
 * waits for never comes, and what it has written stays. It can also stand still for a while, and be told to stop.
 */
import type { KubeTransport, TransportRequest } from '@tandem/kube/transport';
import { App } from '@tandem/manager/app';
import type { ManagerSettings } from '@tandem/manager/settings';
import type { Provider } from '@tandem/provider/plug';
import { type Clock, type Logger, type Random, seededIds } from '@tandem/runtime';
import { type Author, Evidence, HeardRoutes, type RouteLaw } from '../oracle/index.ts';
import type { Disruption, Kill } from '../plan/index.ts';
import { type HeardMetrics, heardMetrics } from './heard-metrics.ts';
import { heardProvider } from './heard-provider.ts';
import { ProcessLife } from './process-life.ts';
import type { Trace } from './trace.ts';

interface ProcessOptions {
  /** For the trace. */
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: ManagerSettings;
  readonly provider: Provider;
  /** Where the cloud has route tables. */
  readonly routeLaw: RouteLaw | undefined;
  readonly trace: Trace | undefined;
  readonly kill: Kill | undefined;
  readonly logger: (process: ManagerProcess) => Logger;
  readonly connect: (process: ManagerProcess, clock: Clock) => KubeTransport;
  readonly wrapProvider: (provider: Provider) => Provider;
  /** Called when it has taken the Lease. */
  readonly onLeading: (process: ManagerProcess) => void;
  /** Called when it was killed, or has stopped as it was told to: how, and when to start another one. */
  readonly onGone: (how: string, againMs: number) => void;
  /** Called when it ended by itself, which it must not. */
  readonly onEnded: (how: unknown) => void;
}

export class ManagerProcess implements Author {
  readonly name: string;
  readonly metrics: HeardMetrics = heardMetrics();
  readonly evidence: Evidence = new Evidence();
  readonly routes: HeardRoutes = new HeardRoutes();
  readonly #options: ProcessOptions;
  readonly #life: ProcessLife;
  /** What SIGTERM does; at the end of the world also to the dead. */
  readonly #stop = new AbortController();
  /** When another one is started after it has stopped. */
  #againMs = 0;
  #ledSince = 0;
  #calls = 0;
  #app: App | undefined;

  constructor(options: ProcessOptions) {
    this.name = options.name;
    this.#options = options;
    this.#life = new ProcessLife(options.clock);
  }

  get ledSince(): number {
    return this.#ledSince;
  }

  /** It took the Lease, which led to that version of the store. */
  began(ledSince: number): void {
    this.#ledSince = ledSince;
    this.#options.onLeading(this);
  }

  get isAlive(): boolean {
    return this.#life.isAlive;
  }

  get isPaused(): boolean {
    return this.#life.isPaused;
  }

  /** Whether it leads, and its controllers run. */
  get isWorking(): boolean {
    return this.isAlive && this.#app?.status().isWorking === true;
  }

  /** Entries that it keeps of nodes. */
  get remembered(): number {
    return this.#app?.remembered ?? 0;
  }

  /** Aborts when it dies. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** Resolves once it runs. */
  awake(): Promise<void> {
    return this.#life.awake();
  }

  start(): void {
    const { random, settings, wrapProvider, logger, connect } = this.#options;
    const { clock } = this.#life;
    const app = new App(
      {
        clock,
        random,
        ids: seededIds(random.fork('ids')),
        logger: logger(this),
        metrics: this.metrics,
        transport: connect(this, clock),
        server: 'https://simulation',
        hostname: 'simulation',
      },
      settings,
    );
    this.#app = app;
    const following = app.follow(this.#stop.signal);
    const running = app.run(wrapProvider(this.#heard()), this.#stop.signal);
    const end = (how: unknown): void => this.#ended(how);
    Promise.all([following, running]).then(end, end);
  }

  /** What befalls it; when it is over, another process takes its place. */
  disrupt({ kind, forMs }: Disruption): void {
    switch (kind) {
      case 'kill':
        return this.#kill('at once', forMs);
      case 'pause':
        return this.#life.pause(forMs);
      case 'stop':
        this.#againMs = forMs;
        return this.#life.reach(() => this.#stop.abort(new Error('told to stop')));
    }
  }

  /** Goes on where it stands still. */
  resume(): void {
    this.#life.resume();
  }

  /**
   * Lets go of all that it waited for, when its world is over: Node.js keeps signals that somebody listens
   * to until they abort, and with them the whole world.
   */
  bury(): void {
    this.#life.kill();
    this.#stop.abort(new Error('buried'));
  }

  /** Asked about every request before its effect and after: it may die of it, or be dead. */
  survives({ path }: TransportRequest, when: Kill['when']): boolean {
    const { kill } = this.#options;
    if (kill === undefined || !this.isAlive || path.includes('/leases')) return this.isAlive;
    if (when === 'before') this.#calls++;
    if (this.#calls !== kill.atCall || when !== kill.when) return true;
    this.#kill(`${when} call ${kill.atCall}`, kill.pauseMs);
    return false;
  }

  #kill(when: string, againMs: number): void {
    if (!this.isAlive) return;
    this.#life.kill();
    this.#options.onGone(`was killed ${when}`, againMs);
  }

  #ended(how: unknown): void {
    const { onGone, onEnded } = this.#options;
    if (!this.isAlive) return;
    if (!this.#stop.signal.aborted) return onEnded(how);
    this.#life.kill();
    onGone('has stopped', this.#againMs);
  }

  #heard(): Provider {
    const seenVersion = (): number => Number(this.#app?.status().nodes.resourceVersion ?? 0);
    return heardProvider({ ...this.#options, author: this, life: this.#life, seenVersion });
  }
}
