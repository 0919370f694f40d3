/**
 * The worlds of the suite, shared out to two files and so to two processes. Seeds are numbers from 0 on,
 * the same in every run; `TANDEM_WORLDS` asks for more or fewer of them, and `TANDEM_SEED=simulation/17`
 * for that one alone, with all that happened in it.
 */
import assert from 'node:assert/strict';
import { systemEnvironment } from '@tandem/runtime';
import { howToReplay, seedsOf } from '../support/seeds.ts';
import { runWorld, type WorldEnd } from './world/index.ts';

/** In one test: a few seconds' worth, so that progress is seen. */
const worldsInTest = 250;

/** Of 20 nodes each, in `npm test`: a little under two minutes on two cores. */
export const worldsDefault = 10_000;

/** Of one cause there are often many; the first few tell. */
const toldMax = 10;

/** Declares the tests of one of the two shares. */
export function testWorlds(share: 'even' | 'odd'): void {
  const environment = systemEnvironment();
  const all = seedsOf('simulation', readWorlds(environment['TANDEM_WORLDS']));
  const isReplay = all.length === 1;
  const remainder = share === 'even' ? 0 : 1;
  // What is replayed is replayed by both files: a file without a test would look lost.
  const seeds = isReplay ? all : all.filter((_, index) => index % 2 === remainder);
  let tally = new Tally();
  describe(`worlds with ${share} seeds`, () => {
    before(() => {
      // Other files may have run before this one in the same process.
      tally = new Tally();
    });
    for (let from = 0; from < seeds.length; from += worldsInTest) {
      const batch = seeds.slice(from, from + worldsInTest);
      it(`keep every promise, ${batch[0]} to ${batch.at(-1)}`, async () => {
        const failed: WorldEnd[] = [];
        for (const seed of batch) {
          const end = await runWorld({ seed, isTraced: isReplay });
          tally.add(end);
          if (end.violation !== undefined) failed.push(end);
          if (isReplay && share === 'even') process.stdout.write(`${end.trace.join('\n')}\n`);
        }
        assert.equal(failed.length, 0, describeFailures(failed));
      });
    }
    after(() => void process.stdout.write(`    ${share} seeds: ${tally.summary()}\n`));
  });
}

export function readWorlds(asked: string | undefined): number {
  if (asked === undefined || asked === '') return worldsDefault;
  const count = Number(asked);
  // Two files share them out, and each needs at least one.
  if (Number.isSafeInteger(count) && count >= 2) return count;
  throw new Error(`TANDEM_WORLDS must be a whole number from 2 on, such as 500, not "${asked}"`);
}

/** What a failure says: all that a reader needs. */
export function describeFailure({ seed, violation }: WorldEnd): string {
  const what = violation === undefined ? 'nothing' : `${violation.promise}: ${violation.message}`;
  return `${what}\n  ${howToReplay(seed, 'simulation')}`;
}

function describeFailures(failed: readonly WorldEnd[]): string {
  const told = failed.slice(0, toldMax).map(describeFailure);
  return `${failed.length} worlds broke a promise\n${told.join('\n')}`;
}

/** What the worlds were and what they cost. Printed, never asserted: machines differ. */
class Tally {
  readonly #startCpu = process.cpuUsage();
  #worlds = 0;
  #writes = 0;
  #faults = 0;
  #kills = 0;
  #lateWrites = 0;

  add({ writes, faults, kills, lateWrites }: WorldEnd): void {
    this.#worlds++;
    this.#writes += writes;
    this.#faults += faults;
    this.#kills += kills;
    this.#lateWrites += lateWrites;
  }

  summary(): string {
    const { user, system } = process.cpuUsage(this.#startCpu);
    const cpuMs = (user + system) / 1_000;
    return [
      `${this.#worlds} worlds, ${this.#writes} writes looked at, ${this.#faults} faults`,
      `${this.#kills} kills, ${this.#lateWrites} late writes, ${(cpuMs / this.#worlds).toFixed(1)} CPU-ms a world`,
    ].join(', ');
  }
}
