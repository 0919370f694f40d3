/**
 * The tripwire of the unit and simulation suites: while their tests run, real time, real chance and `fetch`
 * throw when they are looked up and called by name. Code that captured a function before mocha loaded this
 * file, such as Node's own, still calls the real one. The linter sees what a file names; the tripwire also
 * sees what a test reaches through other modules. A trip that the code swallows fails its test or its file.
 */
import assert from 'node:assert/strict';
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { posix, relative } from 'node:path';
import nodeTimers from 'node:timers';
import { configureGlobal, readConfigureGlobal } from 'fast-check';

/** Test files that may use the real thing. Each says why. */
export const exempt: ReadonlyMap<string, string> = new Map([
  ['packages/runtime/src/clock.test.ts', 'holds systemClock against real time'],
  ['packages/runtime/src/random.test.ts', 'holds systemRandom against real chance'],
  ['packages/runtime/src/turn.test.ts', 'shows that a turn ends before a real timer'],
  ['packages/runtime/src/metrics/metrics.test.ts', "prom-client measures Node's event loop"],
  ['packages/manager/src/program.test.ts', 'undici arms timers for its connections'],
]);

const takeClock = 'Take a Clock; tests pass the virtual one.';
const takeRandom = 'Take a Random or Ids; tests pass seeded ones.';
const takeTransport = 'Take a transport.';

/** `setImmediate` of `node:timers` is not here, because the virtual clock ends turns with it. */
const wires: readonly (readonly [owner: object, names: readonly string[], advice: string])[] = [
  [globalThis, ['setTimeout', 'setInterval', 'setImmediate'], takeClock],
  [nodeTimers, ['setTimeout', 'setInterval'], takeClock],
  [Date, ['now'], takeClock],
  [performance, ['now'], takeClock],
  [process.hrtime, ['bigint'], takeClock],
  [process, ['hrtime', 'uptime'], takeClock],
  [AbortSignal, ['timeout'], takeClock],
  [Math, ['random'], takeRandom],
  [crypto, ['randomUUID', 'getRandomValues'], takeRandom],
  [nodeCrypto, ['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync'], takeRandom],
  [globalThis, ['fetch'], takeTransport],
];

let isArmed = false;
let firstTrip: Error | undefined;

function trip(name: string, advice: string): void {
  if (!isArmed) return;
  const err = new Error(`The tripwire caught a call of ${name}. ${advice}`);
  firstTrip ??= err;
  throw err;
}

function wire(owner: object, name: string, advice: string): void {
  const real: unknown = Reflect.get(owner, name);
  assert(typeof real === 'function', name);
  const value = new Proxy(real, {
    apply(target, self, args) {
      trip(name, advice);
      return Reflect.apply(target, self, args);
    },
  });
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

function wireDate(): void {
  globalThis.Date = new Proxy(Date, {
    apply(target) {
      trip('Date', takeClock);
      return target();
    },
    construct(target, args, newTarget) {
      if (args.length === 0) trip('new Date', takeClock);
      return Reflect.construct(target, args, newTarget);
    },
  });
}

// Properties would draw their seeds from clock and chance. One that fails still prints its seed.
configureGlobal({ ...readConfigureGlobal(), seed: nodeCrypto.randomInt(2 ** 31) });
// Node's globs draw from chance when they are first used.
posix.matchesGlob('a', '{a,b}');
for (const [owner, names, advice] of wires) for (const name of names) wire(owner, name, advice);
wireDate();
syncBuiltinESMExports();

/** Mocha runs these suites file by file, so that all tests of a run are of one file. */
function fileOf(root: Mocha.Suite | undefined): string {
  const file = root?.suites[0]?.file ?? root?.tests[0]?.file;
  return file === undefined ? '' : relative(process.cwd(), file).replaceAll('\\', '/');
}

function takeTrip(): Error | undefined {
  const err = firstTrip;
  firstTrip = undefined;
  return err;
}

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    // A worker runs one file after the other.
    firstTrip = undefined;
    isArmed = !exempt.has(fileOf(this.test?.parent));
  },
  afterEach(this: Mocha.Context): void {
    const err = takeTrip();
    if (err !== undefined && this.currentTest?.state !== 'failed') throw err;
  },
  afterAll(): void {
    isArmed = false;
    // This trip was in a hook outside the tests.
    const err = takeTrip();
    if (err !== undefined) throw err;
  },
};
