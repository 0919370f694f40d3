/**
 * The live table in a terminal. It draws a frame soon after a change, never more often than people can see, and not
 * at all while nothing changes.
 */
import type { Clock, Timer } from '@tandem/runtime';
import type { Board } from '../board/index.ts';
import type { LogTail } from '../log-tail.ts';
import type { Progress } from '../progress.ts';
import type { DemoCluster } from '../demo/index.ts';
import type { Colours } from './ansi.ts';
import { layOutFrame, type Size } from './frame.ts';
import { Screen } from './screen.ts';

export interface Terminal {
  write(text: string): unknown;
  size(): Size;
  /** Calls back after a resize, and when a stopped program continues. Returns a function that ends this. */
  onResize(listener: () => void): () => void;
  /** Calls back before the program is stopped and the shell gets the terminal. */
  onSuspend(listener: () => void): () => void;
}

interface LiveViewParts {
  readonly clock: Clock;
  readonly terminal: Terminal;
  readonly colours: Colours;
  readonly demo: Pick<DemoCluster, 'pools' | 'routes' | 'onRoutes'>;
  readonly board: Board;
  readonly progress: Progress;
  readonly logTail: LogTail;
  readonly kubeconfig: string;
}

/** From a change to its frame: changes that follow each other closely share one frame. */
const drawAfterMs = 40;
/** How often the elapsed time is drawn while the cluster converges. */
const tickMs = 200;
/** How long a changed row stands out. */
const freshMs = 3_000;

export class LiveView {
  readonly #parts: LiveViewParts;
  readonly #screen: Screen;
  readonly #changedAtMs = new Map<string, number>();
  readonly #forgetAll: (() => void)[] = [];
  #timer: { readonly timer: Timer; readonly dueMs: number } | undefined;

  constructor(parts: LiveViewParts) {
    this.#parts = parts;
    const { terminal } = parts;
    this.#screen = new Screen((text) => terminal.write(text), parts.colours);
  }

  open(): void {
    const { board, terminal, clock, logTail, demo } = this.#parts;
    this.#forgetAll.push(
      board.onChange((change) => {
        if (change.kind === 'gone') this.#changedAtMs.delete(change.node);
        else this.#changedAtMs.set(change.row.node, clock.monotonic());
        this.#drawWithin(drawAfterMs);
      }),
      logTail.onChange(() => this.#drawWithin(drawAfterMs)),
      demo.onRoutes(() => this.#drawWithin(drawAfterMs)),
      terminal.onResize(() => this.#drawAnew()),
      terminal.onSuspend(() => this.#screen.close()),
    );
    this.#drawAnew();
  }

  converged(_tookMs: number): void {
    // Every row has changed by now, so that none should stand out.
    this.#changedAtMs.clear();
    this.#drawWithin(0);
  }

  close(): void {
    this.#timer?.timer.cancel();
    for (const forget of this.#forgetAll.splice(0)) forget();
    this.#screen.close();
  }

  #drawAnew(): void {
    this.#screen.open();
    this.#draw();
  }

  #drawWithin(delayMs: number): void {
    const { clock } = this.#parts;
    const dueMs = clock.monotonic() + delayMs;
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#timer?.timer.cancel();
    const timer = clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#draw();
    });
    this.#timer = { timer, dueMs };
  }

  #draw(): void {
    const { demo, board, progress, terminal, kubeconfig, logTail } = this.#parts;
    const fresh = this.#fresh();
    const state = {
      rows: board.rows,
      pools: demo.pools(),
      routes: demo.routes(),
      changedAt: (node: string) => this.#changedAtMs.get(node) ?? 0,
      fresh,
      progress,
      kubeconfig,
      warnings: logTail.warnings,
    };
    this.#screen.draw(layOutFrame(state, terminal.size()));
    if (progress.tookMs === undefined) this.#drawWithin(tickMs);
    else if (fresh.size > 0) this.#drawWithin(freshMs);
  }

  /** None while the cluster converges, because every row is new then. */
  #fresh(): ReadonlySet<string> {
    const { clock, progress } = this.#parts;
    if (progress.tookMs === undefined) return new Set();
    const sinceMs = clock.monotonic() - freshMs;
    const nodes = [...this.#changedAtMs].filter(([, atMs]) => atMs > sinceMs);
    return new Set(nodes.map(([node]) => node));
  }
}
