/**
 * The managers of a world, one after the other: started, killed where the plan has it, and started again.
 * Each has a way to the API server of its own, on which things go wrong until the world is healed.
 */
import type { EmbeddedCluster } from '@tandem/devcluster/model';
import { type FaultKind, type FaultyTransport, faultyTransport } from '@tandem/kube/faults';
import type { KubeTransport } from '@tandem/kube/transport';
import type { Provider } from '@tandem/provider/plug';
import { type Clock, createLogger, type Logger, type Random } from '@tandem/runtime';
import { type Accuse, Evidence, type Overseer } from '../oracle/index.ts';
import type { Kill, WorldPlan } from '../plan/index.ts';
import { ManagerProcess } from './manager-process.ts';
import type { Sabotage } from './sabotage.ts';
import { settingsOf } from './settings.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { SeverableTransport } from './severable.ts';
import type { Trace } from './trace.ts';
import { type Interrupter, type MortalProcess, Wire } from './wire.ts';

export interface ManagersOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly plan: WorldPlan;
  readonly cluster: EmbeddedCluster;
  readonly cloud: Provider;
  readonly overseer: () => Overseer;
  readonly interrupter: Interrupter;
  readonly trace: Trace | undefined;
  readonly sabotage: Sabotage | undefined;
  readonly accuse: Accuse;
}

/** One of them, on its way to the API server. */
interface Connecting {
  readonly name: string;
  readonly number: number;
  readonly random: Random;
  readonly manager: MortalProcess;
  readonly clock: Clock;
}

/** Faults after which nobody knows whether a write was stored. */
const losing: ReadonlySet<FaultKind> = new Set([
  'delay',
  'reset-after',
  'internal-error',
  'truncated',
]);

export class Managers {
  readonly #options: ManagersOptions;
  readonly #transports: FaultyTransport[] = [];
  readonly #managers: ManagerProcess[] = [];
  #started = 0;
  #isHealed = false;
  #connection: SeverableTransport | undefined;
  #current: ManagerProcess | undefined;

  constructor(options: ManagersOptions) {
    this.#options = options;
  }

  /** The one that runs, or ran last. */
  get current(): ManagerProcess | undefined {
    return this.#current;
  }

  get evidence(): Evidence {
    return this.#current?.evidence ?? new Evidence();
  }

  get kills(): number {
    return this.#started - 1;
  }

  get faults(): number {
    return this.#transports.reduce((sum, { injected }) => sum + injected.length, 0);
  }

  /** Whether a write to this path may have had its effect without a manager's knowing. */
  hasLostAnswer(path: string): boolean {
    return this.#transports.some(({ injected }) =>
      injected.some((fault) => fault.path === path && losing.has(fault.kind)),
    );
  }

  start(): void {
    const { clock, plan, cloud, sabotage, accuse } = this.#options;
    const settings = settingsOf(plan.pace, sabotage?.flags);
    const number = this.#started++;
    const name = `manager-${number}`;
    const random = this.#options.random.fork(name);
    this.#current = new ManagerProcess({
      clock,
      random,
      settings: sabotage?.settings?.(settings) ?? settings,
      provider: cloud,
      kill: this.#isHealed ? undefined : plan.kills[number],
      logger: (manager) => this.#loggerFor(name, manager),
      connect: (manager, mortal) => this.#connect({ name, number, random, manager, clock: mortal }),
      wrapProvider: (provider) => sabotage?.provider?.(provider, clock) ?? provider,
      onKilled: (kill) => this.#restart(kill),
      onEnded: (how) => accuse('P7', `the manager ended by itself: ${String(how)}`),
    });
    this.#managers.push(this.#current);
    this.#current.start();
  }

  /** The world is over. */
  end(): void {
    for (const manager of this.#managers) manager.bury();
  }

  /** Nothing goes wrong any more, and nobody is killed. */
  heal(): void {
    this.#isHealed = true;
    for (const transport of this.#transports) transport.heal();
    this.#connection?.sever();
  }

  #restart({ atCall, when, pauseMs }: Kill): void {
    const { clock, trace } = this.#options;
    trace?.add('world', `the manager was killed ${when} call ${atCall}`);
    clock.after(pauseMs, () => this.start());
  }

  #connect({ name, number, random, manager, clock }: Connecting): KubeTransport {
    const { cluster, interrupter, overseer, plan, sabotage, trace } = this.#options;
    const wire: KubeTransport = new Wire({
      cluster,
      overseer: overseer(),
      actor: 'manager',
      trace,
      name,
      latency: { clock, random: random.fork('latency') },
      of: manager,
      interrupter,
    });
    const ports = { clock, random: random.fork('faults') };
    const hurt = plan.apiFaults.reduce((inner, aimed) => {
      const transport = faultyTransport(inner, { ...ports, ...aimed });
      if (this.#isHealed) transport.heal();
      this.#transports.push(transport);
      return trace === undefined ? transport : tracedFaults(transport, trace, name);
    }, wire);
    const severable = new SeverableTransport(hurt);
    this.#connection = severable;
    return sabotage?.transport?.(severable, { number }) ?? severable;
  }

  #loggerFor(name: string, manager: MortalProcess): Logger {
    const { clock, trace } = this.#options;
    if (trace === undefined) return silentLogger;
    const write = (line: string): void => {
      if (manager.isAlive) trace.add(name, line.trimEnd());
    };
    return createLogger({ clock, level: 'debug', destination: { write } });
  }
}

/** Tells of each fault when it strikes. */
function tracedFaults(hurt: FaultyTransport, trace: Trace, name: string): KubeTransport {
  let told = 0;
  const tellNew = (): void => {
    for (const { kind, method, path } of hurt.injected.slice(told)) {
      trace.add(name, `${kind} strikes ${method} ${path}`);
    }
    told = hurt.injected.length;
  };
  return {
    send(request) {
      const sent = hurt.send(request);
      tellNew();
      return sent.finally(tellNew);
    },
    close: () => hurt.close(),
  };
}
