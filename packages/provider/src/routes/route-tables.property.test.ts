/**
 * Compares route tables with a naive model of a faulty cloud, with random operations, limits and
 * faults.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createMetrics, sleep } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import type { RouteLimits, RouteOperation, RouteOutcome } from '../plug/index.ts';
import { RouteTables } from './route-tables.ts';
import { aCreate } from './routes.fixture.ts';

const limitsOf = fc.record({
  batchSize: fc.integer({ min: 1, max: 5 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  callsPerSecond: fc.integer({ min: 1, max: 20 }),
  burst: fc.integer({ min: 1, max: 5 }),
  deadlineMs: fc.constant(1_000),
  gatherMsMax: fc.constant(500),
});

const habits = ['good', 'refuses', 'rejects', 'hangs', 'tooFew', 'nonsense', 'throttles'] as const;

const habitOf = fc.record({
  kind: fc.constantFrom('good', 'good', 'good', ...habits),
  latencyMs: fc.constantFrom(0, 10, 400, 999),
});

type Habit = typeof habitOf extends fc.Arbitrary<infer T> ? T : never;

/** The result that the model expects for the operations of a call, by the habit of the call. */
const wanted: Readonly<Record<Habit['kind'], string>> = {
  good: 'applied',
  refuses: 'refused',
  rejects: 'unknown',
  hangs: 'unknown',
  tooFew: 'unknown',
  nonsense: 'unknown',
  throttles: 'unknown',
};

const throttleMs = 700;

interface SeenCall {
  readonly operations: readonly RouteOperation[];
  readonly kind: Habit['kind'];
  readonly beganAtMs: number;
  /** Whether the gate threw an error, which the provider passed on. */
  isStopped: boolean;
}

/** A cloud that handles each call by the next habit, and records the calls. */
class FaultyCloud {
  readonly clock = virtualClock();
  readonly calls: SeenCall[] = [];
  readonly #habits: readonly Habit[];
  underWay = 0;
  underWayMax = 0;
  closedUntilMs = 0;
  callsWhileClosed = 0;

  constructor(given: readonly Habit[]) {
    this.#habits = given;
  }

  async apply(
    operations: readonly RouteOperation[],
    { signal, beforeWrite }: { readonly signal: AbortSignal; readonly beforeWrite: () => void },
  ): Promise<readonly RouteOutcome[]> {
    const { kind, latencyMs } = this.#habits[this.calls.length % this.#habits.length]!;
    const beganAtMs = this.clock.monotonic();
    if (beganAtMs < this.closedUntilMs) this.callsWhileClosed++;
    const call: SeenCall = { operations, kind, beganAtMs, isStopped: false };
    this.calls.push(call);
    this.underWayMax = Math.max(this.underWayMax, ++this.underWay);
    try {
      await sleep(this.clock, kind === 'hangs' ? 10_000 : latencyMs, signal);
      for (const _ of operations) beforeWrite();
    } catch (err) {
      call.isStopped = kind !== 'hangs';
      throw err;
    } finally {
      this.underWay--;
    }
    return this.#outcomesOf(operations, kind);
  }

  #outcomesOf(operations: readonly RouteOperation[], kind: Habit['kind']): readonly RouteOutcome[] {
    const nowMs = this.clock.monotonic();
    switch (kind) {
      case 'rejects':
        throw new Error('500');
      case 'throttles':
        this.closedUntilMs = Math.max(this.closedUntilMs, nowMs + throttleMs);
        throw Object.assign(new Error('429'), { retryAfterMs: throttleMs });
      case 'tooFew':
        return operations.slice(1).map(() => ({ kind: 'applied' }));
      case 'nonsense':
        return operations.map(() => ({ kind: 'perhaps' }) as never);
      case 'refuses':
        return operations.map(() => ({ kind: 'refused', err: new Error('no') }));
      default:
        return operations.map(() => ({ kind: 'applied' }));
    }
  }
}

function tablesOf(cloud: FaultyCloud, limits: RouteLimits): RouteTables {
  return new RouteTables({
    provider: { name: 'test' },
    routes: {
      families: ['IPv4'],
      limits,
      list: async () => ({ asOfMs: cloud.clock.monotonic(), tables: [] }),
      apply: (operations, options) => cloud.apply(operations, options),
    },
    clock: cloud.clock,
    metrics: createMetrics(),
  });
}

describe('route tables on a faulty cloud', () => {
  it('report what the cloud did, obey their limits, and stop when the gate closes', async () => {
    await fc.assert(
      fc.asyncProperty(
        limitsOf,
        fc.array(habitOf, { minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 25 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 10 }),
        fc.option(fc.integer({ min: 0, max: 40 })),
        fc.option(fc.integer({ min: 0, max: 3_000 })),
        async (limits, given, first, second, gateShutsAfter, stopsAfterMs) => {
          const cloud = new FaultyCloud(given);
          const tables = tablesOf(cloud, limits);
          const caller = new AbortController();
          // Only the first of two callers stops.
          const signals = [caller.signal, new AbortController().signal];
          if (stopsAfterMs !== null)
            cloud.clock.after(stopsAfterMs, () => caller.abort(new Error('over')));
          let checks = 0;
          let callsAtShut: number | undefined;
          const beforeWrite = (): void => {
            if (gateShutsAfter === null || checks++ < gateShutsAfter) return;
            callsAtShut ??= cloud.calls.length;
            throw new Error('no longer leads');
          };
          const operations = [...first, ...second].map((table, number) => aCreate(number, table));
          // Two concurrent callers share the limits, and each gets its own results.
          const parts = [operations.slice(0, first.length), operations.slice(first.length)];
          const applying = signals.map((signal, index) =>
            tables.apply(parts[index] ?? [], { signal, beforeWrite }),
          );
          await cloud.clock.runAll();
          const results = (await Promise.all(applying)).flat();

          assert.equal(results.length, operations.length, 'one result each');
          assert.equal(cloud.clock.pending, 0, 'a timer is left');
          for (const [index, operation] of operations.entries()) {
            const calls = cloud.calls.filter((call) => call.operations.includes(operation));
            assert(calls.length <= 1, 'an operation was sent twice');
            const [call] = calls;
            const want =
              call === undefined ? 'notSent' : call.isStopped ? 'unknown' : wanted[call.kind];
            assert.equal(results[index]?.kind, want);
          }
          for (const call of cloud.calls) {
            assert(call.operations.length <= limits.batchSize, 'a batch is too large');
            assert.equal(new Set(call.operations.map(({ table }) => table)).size, 1);
            const places = call.operations.map((operation) => operations.indexOf(operation));
            assert.deepEqual(
              places,
              places.toSorted((a, b) => a - b),
              'a batch is out of order',
            );
          }
          const isLate = ({ operations: sent, beganAtMs }: SeenCall): boolean =>
            stopsAfterMs !== null &&
            beganAtMs > stopsAfterMs &&
            sent.some((operation) => parts[0]?.includes(operation));
          assert(!cloud.calls.some(isLate), 'a call began after its caller had stopped');
          assert(cloud.underWayMax <= limits.concurrency, 'too many calls at once');
          assert.equal(
            cloud.callsWhileClosed,
            0,
            'a call began before the time that the cloud asked for',
          );
          for (const [index, { beganAtMs }] of cloud.calls.entries()) {
            const since = cloud.calls
              .slice(index)
              .filter((call) => call.beganAtMs <= beganAtMs + 1_000);
            assert(
              since.length <= limits.burst + limits.callsPerSecond + 1,
              'too many calls a second',
            );
          }
          if (callsAtShut !== undefined)
            assert.equal(cloud.calls.length, callsAtShut, 'a call began after the gate threw');
        },
      ),
      { numRuns: 300 },
    );
  });
});
