/**
 * A simulated election under faults that follow from a seed: lost answers, slow calls, machines that are
 * paused, suspended and killed, clocks that jump and run at different rates, other writers of the Lease.
 * Each leader writes all the time, through its gate, and writes take as long as they may. After every step
 * at most one gate may be open, and no write may arrive while another elector, or none, holds the Lease.
 */
import { createMetrics, type Random, sleep } from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { silentLogger } from '../../../../test/support/silent-logger.ts';
import type { Call } from '../client/index.ts';
import { Elector } from './elector.ts';
import { LeaseServer, type Passage } from './lease-server.fixture.ts';
import { Machine } from './machine.fixture.ts';
import { upstreamTimings } from './timings.ts';

export interface Outcome {
  /** Empty if no rule was broken. */
  readonly violations: readonly string[];
  /** One line per event, for people, and to check that a seed replays. */
  readonly trace: readonly string[];
}

const faultyMs = 75_000;
const quietMs = 40_000;

/** Runs the election of a seed: first with faults, then without, when an elector must become leader. */
export async function runElection(seed: string): Promise<Outcome> {
  const world = new ElectionWorld(seed);
  // A closed gate creates an error at each check, and this test needs no stack traces.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await world.run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { violations: world.violations, trace: world.trace };
}

interface Candidate {
  readonly identity: string;
  readonly machine: Machine;
  readonly elector: Elector;
  readonly stop: AbortController;
  isCutOff: boolean;
}

class ElectionWorld {
  readonly violations: string[] = [];
  readonly trace: string[] = [];
  readonly #clock: VirtualClock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  readonly #server = new LeaseServer(this.#clock);
  readonly #random: Random;
  readonly #candidates: Candidate[] = [];
  /** How many calls of a hundred fail. */
  #faultPercent: number;
  #slowMsMax: number;

  constructor(seed: string) {
    this.#random = seededRandom(seed);
    this.#faultPercent = this.#pick([0, 5, 20, 50]);
    this.#slowMsMax = this.#pick([20, 500, 4_000, 6_000]);
  }

  async run(): Promise<void> {
    const replicas = this.#pick([2, 2, 3]);
    for (let replica = 0; replica < replicas; replica++) this.#start(`p${replica}`);
    const gapMsMax = this.#pick([5_000, 15_000, 40_000]);
    while (this.#clock.monotonic() < faultyMs) {
      await this.#clock.advance(this.#upTo(gapMsMax));
      this.#disturb();
      this.#check();
    }
    this.#faultPercent = 0;
    this.#slowMsMax = 20;
    for (const candidate of this.#candidates) {
      candidate.isCutOff = false;
      candidate.machine.resume();
    }
    const endMs = this.#clock.monotonic() + quietMs;
    while (this.#leaders().length === 0 && this.#clock.monotonic() < endMs) {
      await this.#clock.advance(1_000);
    }
    if (this.#leaders().length === 0)
      this.#violate('no elector leads although there are no faults');
    this.#note('end', JSON.stringify(this.#server.lease?.spec));
    for (const { machine } of this.#candidates) machine.kill();
  }

  #start(replica: string): void {
    const identity = `${replica}_${this.#candidates.length}`;
    const machine = new Machine(this.#clock, { rate: this.#pick([0.98, 1, 1.02]) });
    const watch = this.#chance(80) ? 'allowed' : 'forbidden';
    const client = this.#server.connect({
      clock: machine,
      watch,
      plan: (call) => this.#plan(candidate, call),
      eventMs: () => (this.#chance(10) ? undefined : this.#upTo(1_000)),
      deliver: (callback) => machine.deliver(callback),
    });
    const elector = new Elector({
      client,
      clock: machine,
      random: this.#random.fork(identity),
      logger: silentLogger,
      metrics: createMetrics(),
      identity,
      timings: upstreamTimings,
    });
    const candidate = { identity, machine, elector, stop: new AbortController(), isCutOff: false };
    this.#candidates.push(candidate);
    this.#note('start', identity);
    void this.#live(candidate, replica);
  }

  /** Campaigns again after a lost term. After a clean exit, a new candidate takes its place. */
  async #live(candidate: Candidate, replica: string): Promise<void> {
    const { elector, identity, machine, stop } = candidate;
    for (let end = ''; end !== 'stopped';) {
      let isLeading = false;
      end = await elector.run(stop.signal, {
        onStartedLeading: (leading) => {
          this.#note('leads', identity);
          isLeading = true;
          return this.#write(candidate, leading);
        },
        onStoppedLeading: () => {
          this.#note('stops', identity);
          if (!isLeading) this.#violate(`${identity} got onStoppedLeading twice`);
          if (elector.writeGate() === undefined)
            this.#violate(`${identity} stopped with an open gate`);
          isLeading = false;
        },
      });
      if (isLeading) this.#violate(`${identity} did not get onStoppedLeading`);
    }
    machine.kill();
    this.#start(replica);
  }

  /** The leader's work: it writes all the time, and at its end waits for writes in flight. */
  async #write({ identity, machine, elector }: Candidate, leading: AbortSignal): Promise<void> {
    const obeys = this.#chance(80);
    for (;;) {
      const isOpen = elector.writeGate() === undefined;
      if (leading.aborted && (obeys || !isOpen)) return sleep(machine, elector.writeLimitMs);
      if (isOpen) {
        const takesMs = (elector.writeLimitMs * this.#pick([0.01, 0.5, 1])) / machine.rate;
        this.#clock.after(takesMs, () => this.#land(identity));
      }
      await sleep(machine, 100 + this.#upTo(1_000));
    }
  }

  #land(identity: string): void {
    const holder = this.#server.lease?.spec.holderIdentity ?? identity;
    if (holder !== identity) this.#violate(`a write of ${identity} came while "${holder}" held`);
  }

  #plan(candidate: Candidate, { verb }: Call): Passage {
    const requestMs = this.#upTo(this.#slowMsMax);
    const answerMs = this.#upTo(this.#slowMsMax);
    const fault = candidate.isCutOff ? 'request lost' : this.#fault();
    this.#note(verb, `${candidate.identity} ${fault}`);
    // Only an answer to a write opens a gate.
    if (verb !== 'get') this.#checkAfter(requestMs + answerMs);
    return { fault, requestMs, answerMs };
  }

  #fault(): Passage['fault'] {
    if (!this.#chance(this.#faultPercent)) return 'none';
    return this.#pick(['request lost', 'answer lost', 'refused', 'failed after effect']);
  }

  /** Disturbs one candidate, usually the leader. */
  #disturb(): void {
    const alive = this.#candidates.filter(({ machine }) => machine.isRunning);
    const candidate = this.#chance(60) ? (this.#leaders()[0] ?? alive[0]) : this.#pick(alive);
    if (candidate === undefined) return;
    const { machine } = candidate;
    const kind = this.#pick(disturbances);
    this.#note(kind, candidate.identity);
    const later = (limitMs: number, undo: () => void): void => {
      this.#clock.after(this.#upTo(limitMs), () => {
        this.#note('heals', candidate.identity);
        undo();
        this.#checkAfter(0);
      });
    };
    switch (kind) {
      case 'pause':
        machine.pause();
        return later(40_000, () => machine.resume());
      case 'suspend':
        machine.suspend();
        return later(40_000, () => machine.resume());
      case 'cut off':
        candidate.isCutOff = true;
        return later(30_000, () => (candidate.isCutOff = false));
      case 'small jump':
        return machine.jumpWallClock(200 - this.#upTo(400));
      case 'big jump':
        return machine.jumpWallClock(this.#pick([-3_600_000, -60_000, 60_000, 3_600_000]));
      case 'kill':
        machine.kill();
        return this.#start(candidate.identity.slice(0, 2));
      case 'stop':
        return candidate.stop.abort();
      case 'touch':
        if (this.#server.lease !== undefined) this.#server.put(this.#server.lease.spec);
        return;
      default:
        return kind satisfies never;
    }
  }

  #leaders(): Candidate[] {
    return this.#candidates.filter(
      ({ machine, elector }) => !machine.isDead && elector.writeGate() === undefined,
    );
  }

  /** Checks after everything that is due by then has happened. */
  #checkAfter(delayMs: number): void {
    this.#clock.after(delayMs + 0.1, () => this.#check());
  }

  #check(): void {
    const leaders = this.#leaders();
    if (leaders.length <= 1) return;
    this.#violate(`open gates: ${leaders.map(({ identity }) => identity).join(', ')}`);
  }

  #violate(what: string): void {
    this.#note('VIOLATION', what);
    this.violations.push(what);
  }

  #note(event: string, what = ''): void {
    this.trace.push(`${this.#clock.monotonic().toFixed(1).padStart(9)}  ${event}  ${what}`);
  }

  #upTo(limit: number): number {
    return this.#random.next() * limit;
  }

  #chance(percent: number): boolean {
    return this.#random.next() * 100 < percent;
  }

  #pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice;
  #pick<Choice>(choices: readonly Choice[]): Choice | undefined;
  #pick<Choice>(choices: readonly Choice[]): Choice | undefined {
    return choices[Math.floor(this.#random.next() * choices.length)];
  }
}

const disturbances = [
  'pause',
  'suspend',
  'cut off',
  'small jump',
  'big jump',
  'kill',
  'stop',
  'touch',
] as const;
