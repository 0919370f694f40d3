/**
 * How far the cluster is from the expected result of its machines. Only the machines that it started with count.
 * Where users can edit the nodes, a machine counts once its node was as expected or was deleted. Where they cannot,
 * all nodes must be as expected at the same time.
 */
import { type Clock, sleep, untilAborted } from '@tandem/runtime';
import type { Board } from './board/index.ts';
import { type Difference, findDifferences, isAsExpected } from './differences.ts';
import type { Machine } from './machines/index.ts';

/** How long all nodes must stay as expected before the cluster counts as converged. */
const quietMs = 200;

/** Whether users can edit the nodes while the cluster converges. */
export type UserEdits = 'impossible' | 'possible';

export class Progress {
  readonly #machines: ReadonlyMap<string, Machine>;
  readonly #board: Board;
  readonly #clock: Clock;
  readonly #userEdits: UserEdits;
  readonly #startedMs: number;
  readonly #pending: Set<string>;
  readonly #differing: Set<string>;
  #arrive = Promise.withResolvers<void>();
  #hasArrived = false;
  #tookMs: number | undefined;

  constructor(parts: {
    readonly machines: readonly Machine[];
    readonly board: Board;
    readonly clock: Clock;
    readonly userEdits: UserEdits;
  }) {
    this.#machines = new Map(parts.machines.map((machine) => [machine.name, machine]));
    this.#board = parts.board;
    this.#clock = parts.clock;
    this.#userEdits = parts.userEdits;
    this.#startedMs = parts.clock.monotonic();
    this.#pending = new Set(this.#machines.keys());
    this.#differing = new Set(this.#machines.keys());
    parts.board.onChange((change) => {
      this.#look(change.kind === 'gone' ? change.node : change.row.node);
    });
  }

  get total(): number {
    return this.#machines.size;
  }

  /** How many machines count as done. */
  get done(): number {
    return this.total - this.#pending.size;
  }

  /** How many nodes are not as expected now, whether or not they were before. */
  get differing(): number {
    return this.#differing.size;
  }

  /** The time to convergence; undefined before it. */
  get tookMs(): number | undefined {
    return this.#tookMs;
  }

  get elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedMs;
  }

  differences(): readonly Difference[] {
    return findDifferences([...this.#machines.values()], (node) => this.#board.find(node));
  }

  /** Resolves with the time to convergence; rejects when the signal aborts first. */
  async whenConverged(signal: AbortSignal): Promise<number> {
    for (;;) {
      await untilAborted(signal, this.#arrive.promise);
      const tookMs = this.elapsedMs;
      await sleep(this.#clock, quietMs, signal);
      if (this.#pending.size > 0) continue;
      this.#tookMs = tookMs;
      return tookMs;
    }
  }

  #look(node: string): void {
    const machine = this.#machines.get(node);
    if (machine === undefined) return;
    const row = this.#board.find(node);
    const isRight = row !== undefined && isAsExpected(row, machine);
    if (isRight) this.#differing.delete(node);
    else this.#differing.add(node);
    const isDeleted = row === undefined && this.#userEdits === 'possible';
    if (isRight || isDeleted) this.#pending.delete(node);
    else if (this.#userEdits === 'impossible') this.#pending.add(node);
    if (this.#pending.size === 0) {
      this.#hasArrived = true;
      this.#arrive.resolve();
    } else if (this.#hasArrived) {
      // All nodes were as expected only for a moment, so that waiters wait for the next time.
      this.#hasArrived = false;
      this.#arrive = Promise.withResolvers();
    }
  }
}
