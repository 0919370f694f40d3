/**
 * How far the cluster is from what shall come of its machines. Only the machines that it began with count.
 * Where users may edit the nodes meanwhile, a machine counts from the moment at which it was right, or
 * its node was taken away; where nobody can, everything must be right at once.
 */
import { type Clock, sleep, untilAborted } from '@tandem/runtime';
import type { Board } from './board/index.ts';
import { type Difference, findDifferences, isAsExpected } from './differences.ts';
import type { Machine } from './machines/index.ts';

/** So long everything must have been as it shall be: what is only right in passing does not count. */
const quietMs = 200;

/** Whether people can change the nodes while it converges. */
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

  /** How many are as they shall be. */
  get done(): number {
    return this.total - this.#pending.size;
  }

  /** How many are not as they shall be now, whether or not they were before. */
  get differing(): number {
    return this.#differing.size;
  }

  /** How long it took; undefined while it has not converged. */
  get tookMs(): number | undefined {
    return this.#tookMs;
  }

  get elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedMs;
  }

  differences(): readonly Difference[] {
    return findDifferences([...this.#machines.values()], (node) => this.#board.find(node));
  }

  /** How long it took, once it has converged; rejects when the signal aborts first. */
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
    const isTakenAway = row === undefined && this.#userEdits === 'possible';
    if (isRight || isTakenAway) this.#pending.delete(node);
    else if (this.#userEdits === 'impossible') this.#pending.add(node);
    if (this.#pending.size === 0) {
      this.#hasArrived = true;
      this.#arrive.resolve();
    } else if (this.#hasArrived) {
      // It was all there for a moment; whoever waits has to wait anew.
      this.#hasArrived = false;
      this.#arrive = Promise.withResolvers();
    }
  }
}
