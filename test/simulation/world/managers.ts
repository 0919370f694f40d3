/**
 * The managers of a world, one after the other or two at a time: started, disrupted where the plan has it, and
 * started again. Each has a way to the API server of its own.
 */
import type { EmbeddedCluster } from '@tandem/devcluster/model';
import type { ManagerSettings } from '@tandem/manager/settings';
import type { Provider } from '@tandem/provider/plug';
import { type Clock, createLogger, type Logger, type Random } from '@tandem/runtime';
import type { Accuse, Overseer, RouteLaw } from '../oracle/index.ts';
import type { Disruption, WorldPlan } from '../plan/index.ts';
import { Connections } from './connections.ts';
import { Disruptions } from './disruptions.ts';
import type { Interruptions } from './interruptions.ts';
import { ManagerProcess } from './manager-process.ts';
import type { Sabotage } from './sabotage.ts';
import { settingsOf } from './settings.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import type { Trace } from './trace.ts';

interface ManagersOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly plan: WorldPlan;
  readonly cluster: EmbeddedCluster;
  readonly cloud: Provider;
  readonly overseer: () => Overseer;
  readonly routeLaw: RouteLaw | undefined;
  readonly interruptions: Interruptions;
  readonly trace: Trace | undefined;
  readonly sabotage: Sabotage | undefined;
  readonly accuse: Accuse;
}

/** A process that is no more. */
interface Gone {
  readonly place: number;
  readonly name: string;
  readonly how: string;
  readonly againMs: number;
}

export class Managers {
  readonly #options: ManagersOptions;
  readonly #managers: ManagerProcess[] = [];
  readonly #connections: Connections;
  /** Those that run, or ran last: one, or two at a time. */
  readonly #current: ManagerProcess[] = [];
  readonly #disruptions: Disruptions;
  readonly #settings: ManagerSettings;
  #started = 0;
  #isHealed = false;

  constructor(options: ManagersOptions) {
    const { plan, sabotage } = options;
    const disruptions = new Disruptions(plan.replicas?.disruptions ?? []);
    const disrupt = (manager: ManagerProcess, disruption: Disruption): void =>
      this.#disrupt(manager, disruption);
    this.#options = options;
    this.#disruptions = disruptions;
    this.#connections = new Connections({ ...options, disruptions, disrupt });
    const settings = settingsOf(plan, sabotage?.flags);
    this.#settings = sabotage?.settings?.(settings) ?? settings;
  }

  /** The one that leads; where there is only one, whether it leads or not. */
  get leader(): ManagerProcess | undefined {
    const [only, other] = this.#current;
    return other === undefined ? only : this.#current.find(({ isWorking }) => isWorking);
  }

  /** Entries that are kept of nodes. */
  get remembered(): number {
    return this.#current.reduce((sum, { remembered }) => sum + remembered, 0);
  }

  /** How many processes took the place of another one. */
  get kills(): number {
    return this.#started - this.#current.length;
  }

  /** What happened to what they sent. */
  get connections(): Pick<Connections, 'faults' | 'lateWrites' | 'isServed' | 'hasLostAnswer'> {
    return this.#connections;
  }

  start(): void {
    const { clock, plan } = this.#options;
    this.#startIn(0);
    if (plan.replicas === undefined) return;
    clock.after(plan.replicas.secondAtMs, () => this.#startIn(1));
    this.#disruptions.schedule(clock, (disruption, whom) => this.#strike(disruption, whom));
  }

  /** The world is over. */
  end(): void {
    for (const manager of this.#managers) manager.bury();
  }

  /** Nothing goes wrong any more, and no manager is killed. */
  heal(): void {
    this.#isHealed = true;
    this.#disruptions.heal();
    for (const manager of this.#current) manager.resume();
    this.#connections.heal();
  }

  #startIn(place: number): void {
    const { clock, plan, cloud, sabotage, accuse, routeLaw, trace } = this.#options;
    const number = this.#started++;
    const name = `manager-${number}`;
    const random = this.#options.random.fork(name);
    const manager = new ManagerProcess({
      name,
      clock,
      random,
      settings: this.#settings,
      provider: cloud,
      routeLaw,
      trace,
      kill: this.#isHealed ? undefined : plan.kills[number],
      logger: (self) => this.#loggerFor(name, self),
      connect: (self, mortal) => {
        const way = this.#connections.connect({ manager: self, place, random, clock: mortal });
        return sabotage?.transport?.(way, { number, clock: mortal }) ?? way;
      },
      wrapProvider: (provider) => sabotage?.provider?.(provider, clock) ?? provider,
      onLeading: (self) =>
        this.#disruptions.takenOver(clock, (disruption) => this.#disrupt(self, disruption)),
      onGone: (how, againMs) => this.#restart({ place, name, how, againMs }),
      onEnded: (how) => accuse('P7', `the manager ended by itself: ${String(how)}`),
    });
    this.#current[place] = manager;
    this.#managers.push(manager);
    manager.start();
  }

  #restart({ place, name, how, againMs }: Gone): void {
    const { clock, trace } = this.#options;
    trace?.add('world', `${name} ${how}`);
    clock.after(againMs, () => this.#startIn(place));
  }

  #strike(disruption: Disruption, whom: 'leader' | 'standby'): void {
    const isLeader = whom === 'leader';
    const victim = this.#current.find(
      ({ isAlive, isWorking }) => isAlive && isWorking === isLeader,
    );
    this.#disrupt(victim, disruption);
  }

  #disrupt(victim: ManagerProcess | undefined, disruption: Disruption): void {
    const { trace } = this.#options;
    if (victim !== undefined) trace?.add('world', `${victim.name} ${JSON.stringify(disruption)}`);
    victim?.disrupt(disruption);
  }

  #loggerFor(name: string, manager: ManagerProcess): Logger {
    const { clock, trace } = this.#options;
    if (trace === undefined) return silentLogger;
    const write = (line: string): void => {
      if (manager.isAlive) trace.add(name, line.trimEnd());
    };
    return createLogger({ clock, level: 'debug', destination: { write } });
  }
}
