/**
 * Kills managers, one after the other, at every kind of call that they make. Runs without a kill record these calls
 * first, so that a new call of the program becomes a kill point automatically. A change of a node or of a route has
 * four points: the first change of a manager and a later one, because they leave different states behind, each before
 * and after it takes effect. Writes of the Lease and of events have two points. A call that only reads has one.
 */
import assert from 'node:assert/strict';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Scenario } from './scenario.ts';

type When = 'before' | 'after';

export interface Call {
  /** The kind of call, without the names of objects. */
  readonly kind: string;
  readonly effect: 'none' | 'aside' | 'state';
}

export interface ManagerRun {
  readonly start: () => Promise<ManagerProcess>;
  /** Whether the manager has nothing left to do. It may throw an assertion that says what is missing. */
  readonly isDone: () => boolean;
}

/** A running manager and its calls. */
interface RunState {
  readonly process: Promise<ManagerProcess>;
  /** Whether this run only records calls. */
  readonly isRecorded: boolean;
  readonly counts: Map<string, number>;
  killedAt: string | undefined;
}

/** How many managers in a row may end without reaching one of the remaining points. */
const missesMax = 3;

export class KillPoints {
  readonly #scenario: Scenario;
  readonly #points = new Set<string>();
  readonly #done = new Set<string>();
  /** The names of the calls under way. */
  readonly #names = new WeakMap<object, string>();
  #current: RunState | undefined;
  #misses = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** All points, such as `before the first create`. */
  get points(): readonly string[] {
    return [...this.#points];
  }

  /** The points at which no manager was killed yet. */
  get left(): readonly string[] {
    return this.points.filter((point) => !this.#done.has(point));
  }

  /** Treats every request through the proxy as a call of the manager. */
  watch(proxy: CuttingProxy): void {
    for (const when of ['before', 'after'] as const) {
      const act = async (exchange: Exchange): Promise<'pass' | 'drop'> =>
        (await this.meet(exchange, { ...callOf(exchange), when })) ? 'drop' : 'pass';
      proxy.interfere({ on: () => true, when, act });
    }
  }

  /** Called for a call of the manager, with the same object before and after. Returns whether it killed the manager. */
  async meet(asked: object, { when, ...call }: Call & { readonly when: When }): Promise<boolean> {
    const current = this.#current;
    if (current === undefined || current.killedAt !== undefined) return false;
    if (when === 'before') this.#names.set(asked, nameOf(current, call));
    const name = this.#names.get(asked);
    // A call of a former manager has no name here.
    if (name === undefined || (when === 'after' && call.effect === 'none')) return false;
    const point = call.effect === 'none' ? `at ${name}` : `${when} ${name}`;
    if (current.isRecorded) this.#points.add(point);
    if (current.isRecorded || !this.left.includes(point)) return false;
    current.killedAt = point;
    this.#done.add(point);
    await (await current.process).kill();
    return true;
  }

  /** Runs a manager until it is done, and then stops it as an operator would. */
  async record(run: ManagerRun): Promise<void> {
    await this.#run(run, { isRecorded: true });
  }

  /** Runs a manager and kills it at the first of the remaining points. */
  async kill(run: ManagerRun): Promise<void> {
    const { killedAt } = await this.#run(run, { isRecorded: false });
    this.#misses = killedAt === undefined ? this.#misses + 1 : 0;
    if (this.#misses < missesMax) return;
    // Whether a manager reads again in between may vary. Its changes do not.
    const reads = this.left.filter((point) => point.startsWith('at '));
    for (const point of reads) this.#points.delete(point);
    assert.deepEqual(this.left, [], 'no manager comes to these calls');
  }

  async #run(
    { start, isDone }: ManagerRun,
    { isRecorded }: Pick<RunState, 'isRecorded'>,
  ): Promise<RunState> {
    const { promise, resolve } = Promise.withResolvers<ManagerProcess>();
    const counts = new Map<string, number>();
    const current: RunState = { process: promise, isRecorded, counts, killedAt: undefined };
    this.#current = current;
    const manager = await start();
    resolve(manager);
    await this.#scenario.until(() => !manager.isRunning || isDone());
    // It may be killed at its last calls as well.
    await manager.stop();
    this.#current = undefined;
    // The next manager need not wait until the Lease of a killed one expires.
    if (current.killedAt !== undefined) await this.#scenario.deleteLease();
    return current;
  }
}

function nameOf({ counts }: RunState, { kind, effect }: Call): string {
  const before = counts.get(kind) ?? 0;
  counts.set(kind, before + 1);
  if (effect !== 'state') return `a ${kind}`;
  return `${before === 0 ? 'the first' : 'a later'} ${kind}`;
}

function callOf({ kind, method, path, body }: Exchange): Call {
  const named = /^(.*\/(?:nodes|leases|events))\/[^/]+(\/.*)?$/.exec(path);
  const shape = named === null ? path : `${named[1]}/NAME${named[2] ?? ''}`;
  const fields = written.filter((field) => body.includes(`${field}"`)).join(' ');
  const verb = kind === 'watch' ? 'WATCH' : method;
  const words = [verb, shape, ...(fields === '' ? [] : [fields])];
  const isOfNode = path.startsWith('/api/v1/nodes');
  const effect = kind === 'write' ? (isOfNode ? 'state' : 'aside') : 'none';
  return { kind: words.join(' '), effect };
}

/** The fields that distinguish the writes to a node. */
const written = ['"addresses', '/spec/podCIDRs', '"NoRouteCreated', '"RouteCreated'] as const;
