/**
 * A world of one seed: an embedded cluster, a simulated cloud, machines with their kubelets and the
 * manager's shipped code, in virtual time. It is troubled for a while, then everything heals, and from
 * then on it has to become as it should be and stay so without a write. The first broken promise ends it.
 */
import { createCluster, type EmbeddedCluster } from '@tandem/devcluster/model';
import { SimulatedCloud, type SimulatedRoutes } from '@tandem/provider-simulated';
import { seededIds } from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import {
  type Accuse,
  ConditionLaw,
  findRemovable,
  findSettled,
  Overseer,
  PodCIDRLaw,
  ReuseLaw,
  RouteLaw,
  type RouteLaws,
  type Rule,
  Truth,
  type Violation,
} from '../oracle/index.ts';
import { drawPlan, type WorldPlan } from '../plan/index.ts';
import { Interruptions } from './interruptions.ts';
import { Machines } from './machines.ts';
import { Managers } from './managers.ts';
import type { Sabotage } from './sabotage.ts';
import { graceMs } from './settings.ts';
import { Trace } from './trace.ts';
import { Verdict } from './verdict.ts';
import { Wire } from './wire.ts';

interface WorldOptions {
  readonly seed: string;
  readonly isTraced?: boolean;
  /** What is wrong with the manager of this world. */
  readonly sabotage?: Sabotage;
}

export interface WorldEnd {
  readonly seed: string;
  readonly violation: Violation | undefined;
  /** Writes that were looked at. */
  readonly writes: number;
  readonly faults: number;
  readonly kills: number;
  /** Writes that were executed long after they were taken. */
  readonly lateWrites: number;
  readonly virtualMs: number;
  readonly trace: readonly string[];
}

/** How long the manager has from the end of the trouble until everything is as it should be. */
const convergeMsMax = 300_000;
/** How often that is looked at. */
const lookMs = 5_000;
/** Events may trail: one that got no answer for ten seconds is sent again after ten more. */
const trailMs = 20_000;
/** Longer than the poll of refused nodes and the refresh of the others. */
const silenceMs = 65_000;
/** How long the manager has to forget the nodes of a cluster that is given up. */
const forgetMs = 5_000;
/** Longer than an event stands before it is renewed. */
const renewalMs = 31 * 60_000;

/** How long after a look-up failed a request changes: within the back-off of calls that failed. */
const failureMs = 300;
/** Within which time a request that changed is acted on. */
const promptMsMax = 1_000;

export async function runWorld(options: WorldOptions): Promise<WorldEnd> {
  // Stacks are costly, and name callers, so that no two traces would be the same.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const restore = options.sabotage?.replace?.();
  try {
    return await new World(options).run();
  } finally {
    restore?.();
    Error.stackTraceLimit = stackTraceLimit;
  }
}

class World {
  readonly #seed: string;
  readonly #plan: WorldPlan;
  readonly #clock: VirtualClock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  readonly #trace: Trace | undefined;
  readonly #truth = new Truth(this.#clock);
  readonly #cluster: EmbeddedCluster;
  readonly #overseer: Overseer;
  readonly #machines: Machines;
  readonly #managers: Managers;
  readonly #interruptions: Interruptions;
  readonly #routeLaw: RouteLaw | undefined;
  readonly #verdict: Verdict;
  #violation: Violation | undefined;

  constructor({ seed, isTraced = false, sabotage }: WorldOptions) {
    const clock = this.#clock;
    const plan = drawPlan(seed);
    const random = seededRandom(seed);
    const truth = this.#truth;
    const trace = isTraced ? new Trace(() => clock.monotonic()) : undefined;
    const cluster = createCluster({ clock, random: random.fork('cluster') });
    const { store } = cluster;
    const cloud = new SimulatedCloud({
      clock,
      random: random.fork('cloud'),
      settings: plan.cloud,
    });
    const accuse = (promise: Violation['promise'], message: string): void =>
      this.#accuse({ promise, message });
    const { routes } = cloud;
    const routeLaws = routes && routeLawsOf({ plan, routes, clock, accuse });
    this.#routeLaw = routeLaws?.routes;
    this.#seed = seed;
    this.#plan = plan;
    this.#trace = trace;
    this.#cluster = cluster;
    const interruptions = new Interruptions(plan.interruptions, (strike) =>
      this.#act(this.#machines.interrupt(strike)),
    );
    this.#interruptions = interruptions;
    this.#managers = new Managers({
      clock,
      random,
      plan,
      cluster,
      cloud,
      overseer: () => this.#overseer,
      routeLaw: this.#routeLaw,
      interruptions,
      trace,
      sabotage,
      accuse,
    });
    const managers = this.#managers;
    const { lagMsMax = 0 } = plan.cloud;
    const podCIDRLaw = plan.allocation && new PodCIDRLaw(plan.allocation, accuse);
    const overseer = new Overseer({
      store,
      truth,
      accuse,
      podCIDRLaw,
      routeLaws,
      connections: managers.connections,
      graceMs,
      lagMsMax,
      clock,
    });
    this.#overseer = overseer;
    this.#verdict = new Verdict({ store, truth, plan, routes, overseer, managers });
    const wire = new Wire({ cluster, overseer, trace, sender: undefined });
    this.#machines = new Machines({
      plan,
      clock,
      ids: seededIds(random.fork('kubelets')),
      cloud,
      truth,
      transport: wire,
      compact: () => store.compact(),
    });
  }

  async run(): Promise<WorldEnd> {
    this.#traceWrites();
    this.#machines.addStrays();
    this.#schedule();
    this.#managers.start();
    await this.#clock.advance(this.#plan.troubleMs);
    this.#managers.heal();
    this.#interruptions.heal();
    this.#machines.healCloud();
    this.#overseer.heal();
    this.#trace?.add('world', 'everything is healed');
    if (await this.#converges()) await this.#stayQuiet();
    if (this.#violation === undefined) await this.#freeBlocks();
    if (this.#violation === undefined) await this.#actAtOnce();
    if (this.#violation === undefined) await this.#giveUp();
    this.#managers.end();
    const { kills, connections } = this.#managers;
    const { faults, lateWrites } = connections;
    return {
      seed: this.#seed,
      violation: this.#violation,
      writes: this.#overseer.writes,
      faults,
      kills,
      lateWrites,
      virtualMs: this.#clock.monotonic(),
      trace: this.#trace?.lines ?? [],
    };
  }

  #accuse(violation: Violation): void {
    this.#violation ??= violation;
    this.#trace?.add('oracle', `${violation.promise} is broken: ${violation.message}`);
  }

  #schedule(): void {
    const { machines, happenings } = this.#plan;
    for (const machine of machines) this.#at(machine.atMs, () => this.#machines.comeUp(machine));
    for (const happening of happenings) {
      this.#at(happening.atMs, () => {
        this.#trace?.add('world', JSON.stringify(happening));
        return this.#machines.happen(happening);
      });
    }
  }

  #at(atMs: number, act: () => Promise<void>): void {
    this.#clock.after(atMs, () => this.#act(act()));
  }

  #act(acting: Promise<void>): void {
    acting.catch((err: unknown) => this.#accuse({ promise: 'harness', message: String(err) }));
  }

  async #converges(): Promise<boolean> {
    const untilMs = this.#clock.monotonic() + convergeMsMax;
    let differences: readonly string[] = [];
    while (this.#violation === undefined && this.#clock.monotonic() < untilMs) {
      await this.#clock.advance(lookMs);
      // Between two leaders no manager tells what is still to be done.
      const isLed = this.#managers.leader?.isWorking === true;
      if (!this.#managers.connections.isServed || !isLed) continue;
      differences = this.#verdict.differences();
      if (differences.length === 0) return this.#violation === undefined;
    }
    if (this.#violation !== undefined) return false;
    const promise = ruleOf(differences);
    this.#accuse({ promise, message: `${differences.length} differ: ${differences[0]}` });
    return false;
  }

  /** What has converged stays as it is, without a word (P5), and says what stands (P6). */
  async #stayQuiet(): Promise<void> {
    this.#trace?.add('world', 'everything is as it should be');
    this.#overseer.expectSilence('nodes');
    this.#routeLaw?.expectSilence(true);
    await this.#clock.advance(trailMs);
    this.#overseer.expectSilence('all');
    await this.#clock.advance(silenceMs);
    this.#routeLaw?.expectSilence(false);
    const [first] = this.#verdict.differences();
    if (first !== undefined) this.#accuse({ promise: 'ESR', message: `no longer so: ${first}` });
  }

  /** Nodes that wait for a block get one within a second of its becoming free (I9). */
  async #freeBlocks(): Promise<void> {
    const { store } = this.#cluster;
    const { machines } = this.#plan;
    const waiting = this.#verdict.podCIDRs()?.waiting ?? 0;
    const name = findRemovable({ store, truth: this.#truth, machines });
    if (waiting === 0 || name === undefined) return;
    const manager = this.#managers.leader;
    this.#trace?.add('world', `${name} goes, and leaves its blocks to whoever waits`);
    this.#overseer.expectSilence('none');
    this.#act(this.#machines.remove(name));
    await this.#clock.advance(promptMsMax);
    const isSame = manager === this.#managers.leader && manager?.isAlive === true;
    const [late] = isSame ? this.#verdict.podCIDRDifferences() : [];
    const message = `a block that became free is not given out within a second: ${late}`;
    if (late !== undefined) this.#accuse({ promise: 'I9', message });
  }

  /** A request that changes is acted on within a second, although the look-up before it failed. */
  async #actAtOnce(): Promise<void> {
    const { store } = this.#cluster;
    const name = findSettled({ store, truth: this.#truth, machines: this.#plan.machines });
    if (name === undefined) return;
    this.#trace?.add('world', `a look-up fails, and then ${name} asks for another address`);
    const manager = this.#managers.leader;
    this.#overseer.expectSilence('none');
    this.#act(this.#machines.askAfterFailure(name, failureMs));
    await this.#clock.advance(failureMs + promptMsMax);
    const late = this.#verdict.differenceOf(name);
    const message = `a request was not acted on within a second: ${late}`;
    // One that was killed meanwhile is excused.
    const isSame = manager === this.#managers.leader && manager?.isAlive === true;
    if (late !== undefined && isSame) this.#accuse({ promise: 'ESR', message });
    this.#overseer.expectSilence(isSame ? 'all' : 'none');
  }

  /** Of nodes that are gone nothing is remembered, and nothing is said (M6). */
  async #giveUp(): Promise<void> {
    this.#trace?.add('world', 'all nodes are deleted');
    await this.#machines.deleteAll();
    await this.#clock.advance(forgetMs);
    const { remembered } = this.#managers;
    const message = `${remembered} entries are kept of nodes that are gone`;
    if (remembered > 0) this.#accuse({ promise: 'M6', message });
    const [kept] = this.#verdict.hasCounts ? this.#verdict.podCIDRDifferences() : [];
    if (kept !== undefined) this.#accuse({ promise: 'I6', message: kept });
    // Most worlds are spared the half hour: it takes as long as all the rest of them.
    if (this.#interruptions.strikes > 0) await this.#clock.advance(renewalMs);
  }

  #traceWrites(): void {
    const trace = this.#trace;
    if (trace === undefined) return;
    this.#cluster.store.onChange((collection, { version, key, after }) => {
      trace.add('store', `${version} ${collection}/${key} ${JSON.stringify(after) ?? 'deleted'}`);
    });
  }
}

function routeLawsOf({
  plan,
  routes: tables,
  clock,
  accuse,
}: {
  readonly plan: WorldPlan;
  readonly routes: SimulatedRoutes;
  readonly clock: VirtualClock;
  readonly accuse: Accuse;
}): RouteLaws | undefined {
  const { routes, allocation } = plan;
  if (routes === undefined) return undefined;
  const find = tables.find.bind(tables);
  return {
    routes: new RouteLaw({ plan: routes, accuse, find }),
    conditions: new ConditionLaw({ plan: routes, allocates: allocation !== undefined, accuse }),
    reuse: new ReuseLaw({ plan: routes, clock, accuse }),
  };
}

/** The rule that all of these name at their end; ESR where they name different ones, or none. */
function ruleOf(differences: readonly string[]): Rule {
  const named = (['P6', 'I6', 'I9', 'T4', 'T6'] as const).find((rule) =>
    differences.every((text) => text.endsWith(`(${rule})`)),
  );
  return named ?? 'ESR';
}
